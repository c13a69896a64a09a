//! Operands that are views give the same bits as their copies: results and gradients.

use tensor_core::{DynTensor, Element};

use crate::case::{Case, Operands, Real};
use crate::gradients::Computed;

/// How an operand is a view of another tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Transposed,
    Reversed,
    /// The inner part of a larger tensor.
    Inner,
    /// Every second element of each axis.
    Stepped,
    /// One index of the first axis, repeated by a stride of 0.
    Repeated,
}

impl Kind {
    const ALL: [Self; 5] =
        [Self::Transposed, Self::Reversed, Self::Inner, Self::Stepped, Self::Repeated];

    /// A tensor of which [`view`](Self::view) has the elements of `x`; `other` fills the rest.
    fn base<T: Element>(self, x: &DynTensor<T>, other: T) -> DynTensor<T> {
        let axes: Vec<isize> = (0..x.rank() as isize).collect();
        match self {
            Self::Transposed => x.permute(&reversed(x)).unwrap().contiguous(),
            Self::Reversed => x.flip(&axes).unwrap().contiguous(),
            Self::Inner | Self::Stepped => {
                let sizes: Vec<usize> = x.sizes().iter().map(|&size| self.outer(size)).collect();
                let full = DynTensor::full(&sizes, other);
                let at = |index: &[usize]| {
                    let inner: Option<Vec<usize>> = (index.iter().zip(x.sizes()))
                        .map(|(&place, &size)| self.inner(place).filter(|&place| place < size))
                        .collect();
                    inner.map_or(other, |index| x.get(&index).unwrap())
                };
                if full.is_empty() { full } else { DynTensor::from_fn(&sizes, at) }
            }
            Self::Repeated => match x.sizes().first() {
                Some(1..) => x.slice_axis(0, ..1).unwrap().contiguous(),
                _ => x.clone(),
            },
        }
    }

    /// The size of an axis of the base.
    fn outer(self, size: usize) -> usize {
        if self == Self::Inner { size + 2 } else { 2 * size }
    }

    /// The index in the view of an index in the base.
    fn inner(self, index: usize) -> Option<usize> {
        match self {
            Self::Inner => index.checked_sub(1),
            _ => index.is_multiple_of(2).then_some(index / 2),
        }
    }

    fn view<T: Element>(self, base: &DynTensor<T>, sizes: &[usize]) -> DynTensor<T> {
        let axes = 0..base.rank() as isize;
        match self {
            Self::Transposed => base.permute(&reversed(base)).unwrap(),
            Self::Reversed => base.flip(&axes.collect::<Vec<_>>()).unwrap(),
            Self::Inner => axes.fold(base.clone(), |x, axis| {
                x.slice_axis(axis, 1..1 + sizes[axis as usize]).unwrap()
            }),
            Self::Stepped => {
                axes.fold(base.clone(), |x, axis| x.slice_axis_step(axis, 0, None, 2).unwrap())
            }
            Self::Repeated => base.expand(sizes).unwrap(),
        }
    }

    fn of<T: Element>(self, x: &DynTensor<T>, other: T) -> DynTensor<T> {
        self.view(&self.base(x, other), x.sizes())
    }
}

fn reversed<T: Element>(x: &DynTensor<T>) -> Vec<isize> {
    (0..x.rank() as isize).rev().collect()
}

/// Which NaN a NaN is, IEEE 754 leaves open.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

fn same(got: &[f64], want: &[f64]) -> Result<(), String> {
    if bits(got) == bits(want) {
        return Ok(());
    }
    let differs = got.iter().zip(want).filter(|(got, want)| bits(&[**got]) != bits(&[**want]));
    Err(format!("{:?}", differs.take(4).collect::<Vec<_>>()))
}

/// The gradient of a view in the gradient of its base, where no other element has one.
fn within<T: Real>(
    kind: Kind,
    base: &DynTensor<T>,
    gradient: &[f64],
    sizes: &[usize],
) -> Result<Vec<f64>, String> {
    let gradient = DynTensor::from_vec(base.sizes(), gradient.to_vec()).unwrap();
    let view = kind.view(&gradient, sizes);
    let count = |x: &DynTensor<f64>| x.iter().filter(|&&x| x != 0.0).count();
    match count(&view) == count(&gradient) {
        true => Ok(view.to_vec()),
        false => Err("elements outside of the view have gradients".to_owned()),
    }
}

/// Whether a case adds or multiplies in the order of memory, which is another one in a transposed tensor.
fn reduces(case: &Case) -> bool {
    const REDUCTIONS: [&str; 10] = [
        "sum",
        "prod",
        "mean",
        "var",
        "std",
        "norm",
        "norm_l1",
        "logsumexp",
        "batch_norm_training",
        "dot",
    ];
    REDUCTIONS.contains(&case.op.as_str())
}

/// The difference between a view and its copy in a case.
fn check<T: Real>(case: &Case, kind: Kind) -> Result<(), String> {
    let mut operands = Operands::<T>::new(case);
    // Indices and masks stay valid, whatever is in the rest of the base.
    operands.integers.iter_mut().for_each(|x| *x = kind.of(x, i64::MIN));
    operands.masks.iter_mut().for_each(|x| *x = kind.of(x, true));
    let bases: Vec<_> =
        operands.floats.iter().map(|x| kind.base(x, T::NAN).requires_grad()).collect();
    let sizes: Vec<Vec<usize>> = operands.floats.iter().map(|x| x.sizes().to_vec()).collect();
    operands.floats = bases.iter().zip(&sizes).map(|(x, sizes)| kind.view(x, sizes)).collect();
    let of_views = Computed::of(&operands, &bases);

    let copies: Vec<_> = operands.floats.iter().map(|x| x.detach().requires_grad()).collect();
    operands.floats.clone_from(&copies);
    operands.integers.iter_mut().for_each(|x| *x = x.contiguous());
    operands.masks.iter_mut().for_each(|x| *x = x.contiguous());
    let of_copies = Computed::of(&operands, &copies);

    let (of_views, of_copies) = match (of_views, of_copies) {
        (Ok(views), Ok(copies)) => (views, copies),
        (Err(a), Err(b)) if a.to_string() == b.to_string() => return Ok(()),
        (Err(error), _) => return Err(format!("views: {error}")),
        (_, Err(error)) => return Err(format!("copies: {error}")),
    };
    if reduces(case) && kind == Kind::Transposed {
        return Ok(());
    }
    for ((_, got), (_, want)) in of_views.results.iter().zip(&of_copies.results) {
        same(got, want).map_err(|differs| format!("results {differs}"))?;
    }
    // The gradient of a repeated element is a sum.
    if kind == Kind::Repeated {
        return Ok(());
    }
    for (number, (got, want)) in of_views.gradients.iter().zip(&of_copies.gradients).enumerate() {
        let got = within(kind, &bases[number], got, &sizes[number])?;
        // The gradient of a view is added to zeros: -0 becomes 0.
        let [got, want] = [&got[..], want].map(|numbers| numbers.iter().map(|x| x + 0.0));
        let (got, want): (Vec<_>, Vec<_>) = (got.collect(), want.collect());
        same(&got, &want).map_err(|differs| format!("gradient {number} {differs}"))?;
    }
    Ok(())
}

#[test]
fn views_give_the_bits_of_copies() {
    let mut wrong = Vec::new();
    for case in Case::read() {
        for kind in Kind::ALL {
            let checked = std::panic::catch_unwind(|| check::<f32>(&case, kind));
            if let Err(error) = checked.unwrap_or_else(|_| Err("a panic".to_owned())) {
                wrong.push(format!("{} {kind:?}: {error}", case.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
