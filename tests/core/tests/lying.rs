//! Safe implementations of public traits that lie: axes whose size changes from call to call, or is not
//! that of their type, broadcasts and views that do not hold what they promise, closures that panic.
//! Operations may panic, or give tensors of some size; no memory is read that was not written, and none
//! is written that is not theirs. Freed memory is full of [`MARK`] here, so that results show it.
//! Under AddressSanitizer these tests also see each access that is out of bounds.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use tensor_core::bounds::NoAxis;
use tensor_core::broadcast::{AssignAxis, AxisMismatch, BroadcastAxis, ExpandAxis};
use tensor_core::fuse::{FusedElement, FusedLoop, Leaves, OnePass, ReadOnce, run_fused};
use tensor_core::views::Permute;
use tensor_core::{
    Axis, Dim, DynTensor, Element, IntoTensor, One, Shape, Sizes, Tensor, axes, axis, fuse, select,
    shape, zip_with, zip_with3,
};

/// The pass of `fuse!`, for expressions that read each temporary result once.
fn fused<L: Leaves, S: Shape, O: Element>(
    leaves: L,
    proof: <<L::Tensors as FusedLoop>::Count as OnePass>::Proof,
    f: impl Fn(L::Elements) -> FusedElement<O> + Sync,
) -> Tensor<S, O>
where
    L::Tensors: FusedLoop,
    <L::Tensors as FusedLoop>::Count: OnePass,
{
    // SAFETY: as the caller promises.
    run_fused(leaves, proof, f, unsafe { ReadOnce::new() })
}

/// The contents of freed memory.
const MARK: f32 = -12345.25;

/// The sizes that a [`Lying`] axis has in turn, and which of them is next, for this thread.
mod answers {
    use super::*;

    thread_local! {
        static ANSWERS: Cell<[usize; 4]> = const { Cell::new([3; 4]) };
        static NEXT: Cell<usize> = const { Cell::new(0) };
    }

    pub fn set(sizes: [usize; 4], next: usize) {
        ANSWERS.set(sizes);
        NEXT.set(next);
    }

    pub fn next() -> usize {
        let next = NEXT.get();
        NEXT.set(next + 1);
        ANSWERS.get()[next % 4]
    }
}

/// An axis whose size is another one each time.
#[derive(Clone, Copy, Debug)]
struct Lying;

impl PartialEq for Lying {
    fn eq(&self, _: &Self) -> bool {
        answers::next() % 2 == 1
    }
}

impl Axis for Lying {
    const SIZE: Option<usize> = None;
    const NAME: Option<&'static str> = Some("Lying");

    fn size(self) -> usize {
        answers::next()
    }

    fn from_size(_: usize) -> Option<Self> {
        Some(Self)
    }
}

/// The relations that every axis has.
macro_rules! relations {
    ($($Name:ident)*) => {$(
        impl BroadcastAxis<Self> for $Name {
            type BroadcastedAxis = Self;

            fn broadcast_axis(self, _: Self) -> Result<Self, AxisMismatch> {
                Ok(self)
            }
        }

        impl BroadcastAxis<One> for $Name {
            type BroadcastedAxis = Self;
            const RIGHT_STRETCHES: bool = true;

            fn broadcast_axis(self, _: One) -> Result<Self, AxisMismatch> {
                Ok(self)
            }
        }

        impl ExpandAxis<Self> for $Name {
            type Matched = Self;

            fn expand_axis(self, _: Self) -> Result<(), AxisMismatch> {
                Ok(())
            }
        }

        impl ExpandAxis<NoAxis> for $Name {
            type Matched = NoAxis;

            fn expand_axis(self, target: NoAxis) -> Result<(), AxisMismatch> {
                match target {}
            }
        }

        impl AssignAxis<Self> for $Name {}

        impl AssignAxis<NoAxis> for $Name {}
    )*};
}

/// An axis with a static size of 3 and a run-time size of 40.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SaysMore;

impl Axis for SaysMore {
    const SIZE: Option<usize> = Some(3);
    const NAME: Option<&'static str> = None;

    fn size(self) -> usize {
        40
    }

    fn from_size(_: usize) -> Option<Self> {
        Some(Self)
    }
}

/// An axis of size 40 that claims to broadcast with 3, in place too.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretching;

impl Axis for Stretching {
    const SIZE: Option<usize> = Some(40);
    const NAME: Option<&'static str> = None;

    fn size(self) -> usize {
        40
    }

    fn from_size(_: usize) -> Option<Self> {
        Some(Self)
    }
}

relations!(Lying SaysMore Stretching);

impl BroadcastAxis<Dim<3>> for Stretching {
    type BroadcastedAxis = Self;

    fn broadcast_axis(self, _: Dim<3>) -> Result<Self, AxisMismatch> {
        Ok(self)
    }
}

impl ExpandAxis<Stretching> for Dim<3> {
    type Matched = Stretching;

    fn expand_axis(self, _: Stretching) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

impl AssignAxis<Stretching> for Dim<3> {}

impl ExpandAxis<Dim<3>> for Stretching {
    type Matched = Dim<3>;

    fn expand_axis(self, _: Dim<3>) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

impl AssignAxis<Dim<3>> for Stretching {}

/// An order of axes that names one twice, and one that is none.
struct TwiceTheFirst;

impl Permute<TwiceTheFirst> for shape![5, 7] {
    type Output = shape![70, 50];

    fn permute(self) -> shape![70, 50] {
        <shape![70, 50]>::default()
    }

    fn order(order: &mut Sizes) {
        order.extend([0, 0]);
    }
}

/// Fills the memory that is kept for the next tensors with the mark.
fn mark_freed_memory() {
    for len in [17, 32, 64, 100, 160, 256, 320, 500, 1024, 2048, 4096, 32_000] {
        drop([DynTensor::full(&[len], MARK), DynTensor::full(&[len], MARK)]);
    }
}

/// Whether an element is freed memory: the mark, as the bits of its type. The type is asked for once, not
/// for each element, as tests are not optimised.
fn has_mark<T: Element>(elements: Vec<T>) -> bool {
    let elements: &dyn Any = &elements;
    let bits = MARK.to_bits();
    let twice = u64::from(bits) << 32 | u64::from(bits);
    if let Some(elements) = elements.downcast_ref::<Vec<f32>>() {
        elements.iter().any(|x| x.to_bits() == bits)
    } else if let Some(elements) = elements.downcast_ref::<Vec<i32>>() {
        elements.iter().any(|x| x.cast_unsigned() == bits)
    } else if let Some(elements) = elements.downcast_ref::<Vec<f64>>() {
        elements.iter().any(|x| x.to_bits() == twice)
    } else if let Some(elements) = elements.downcast_ref::<Vec<i64>>() {
        elements.iter().any(|x| x.cast_unsigned() == twice)
    } else {
        false
    }
}

/// Runs an operation, which may panic. Its elements are none that were freed.
fn honest<S: Shape, T: Element>(name: &str, work: impl FnOnce() -> Tensor<S, T>) {
    mark_freed_memory();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let result = work();
        // The elements of the tensor, read in each way.
        (0..4).any(|read| {
            let mut seen = Vec::new();
            // Elements that were read before a panic are checked.
            let _ = catch_unwind(AssertUnwindSafe(|| match read {
                0 => seen = result.to_vec(),
                1 => result.iter().for_each(|&element| seen.push(element)),
                2 => seen = result.clone().into_vec(),
                _ => seen = DynTensor::from(result.clone()).to_vec(),
            }));
            has_mark(seen)
        })
    }));
    assert!(!outcome.unwrap_or(false), "{name} shows freed memory");
}

/// The check of the other tests: memory that was freed, and is read again, is found.
#[test]
fn freed_memory_is_marked() {
    mark_freed_memory();
    assert!(has_mark(vec![1.0, MARK]) && has_mark(vec![MARK.to_bits().cast_signed()]));
    assert!(!has_mark(vec![1.0_f32]) && !has_mark(vec![true]));
    let outcome = catch_unwind(|| honest("marked", || Tensor::<shape![100]>::full(MARK)));
    assert!(outcome.is_err());
}

/// Tensors of the shape `[Lying, 8]`, of many sizes, under many answers.
fn under_all_answers(work: impl Fn(&str, &Tensor<shape![Lying, 8]>)) {
    let sizes = [0, 1, 2, 3, 7, 20, 40, 4000];
    std::panic::set_hook(Box::new(|_| {}));
    for honest_size in [3, 40] {
        for other in sizes {
            for turn in 0..4 {
                answers::set([honest_size; 4], 0);
                let elements = (0..honest_size * 8).map(|n| n as f32).collect();
                let x = Tensor::from_vec_shaped((((), Lying), Dim::<8>), elements).unwrap();
                let mut answers = [honest_size; 4];
                answers[turn] = other;
                answers::set(answers, 0);
                work(&format!("{honest_size} and then {other}"), &x);
            }
        }
    }
    let _ = std::panic::take_hook();
}

#[test]
fn elementwise_operations_on_an_axis_that_changes() {
    under_all_answers(|_, x| {
        honest("+", || x + x);
        honest("+ 1", || x + 1.0);
        honest("owned", || x.clone() + x);
        honest("both owned", || x.clone() * x.clone());
        honest("unique", || (x + 1.0) * 2.0 + x);
        honest("exp", || x.exp());
        honest("greater", || x.greater(x));
        honest("+ row", || x + Tensor::<shape![8]>::ones());
        honest("+ column", || x + Tensor::<shape![8, 1, 1]>::ones());
        honest("clamp", || x.clamp(x, 3.0));
        honest("select", || select(&x.greater(1.0), x, 0.0));
        honest("cast", || x.cast::<f64>());
        honest("map", || x.map(|x| x + 1.0));
        honest("zip_with", || zip_with(x, x, |a, b| a + b));
        honest("zip_with3", || zip_with3(x, x, x, |a, b, c| a + b + c));
        honest("fuse!", || fuse!(x * x + 1.0));
        honest("+=", || {
            let mut y = x + 1.0;
            y += x;
            y
        });
        honest("zip_assign", || {
            let mut y = x + 1.0;
            y.zip_assign(x, |a, b| a + b);
            y
        });
        honest("map_assign", || {
            let mut y = x.clone();
            y.map_assign(|y| y + 1.0);
            y
        });
        honest("neg", || -(x + 1.0));
        honest("as_mut_slice", || {
            let mut y = x.clone();
            y.as_mut_slice().fill(2.0);
            y
        });
    });
}

#[test]
fn reductions_and_products_of_an_axis_that_changes() {
    under_all_answers(|_, x| {
        honest("sum", || x.sum());
        honest("var", || x.var());
        honest("max", || x.max());
        honest("sum_axis 0", || x.sum_axis::<0>());
        honest("sum_axis 1", || x.sum_axis::<1>());
        honest("sum_axes", || x.unsqueeze::<1>().sum_axes::<axes![1, 2]>());
        honest("sum_axes of a view", || x.transpose().unsqueeze::<-1>().sum_axes::<axes![0, 2]>());
        honest("mean keepdims", || x.mean_axis_keepdims::<1>());
        honest("std_axis", || x.std_axis::<0>());
        honest("argmax 0", || x.argmax_axis::<0>());
        honest("argmax 1", || x.argmax_axis::<1>());
        honest("max_axis", || x.max_axis::<1>());
        honest("logsumexp", || x.logsumexp_axis::<1>());
        honest("softmax 0", || x.softmax::<0>());
        honest("softmax 1", || x.softmax::<1>());
        honest("layer_norm", || x.layer_norm::<-1>(1e-5));
        honest("cumsum 0", || x.cumsum::<0>());
        honest("cumsum 1", || x.cumsum::<1>());
        honest("cumsum of a view", || x.transpose().cumsum::<1>());
        honest("matmul", || x.matmul(Tensor::<shape![8, 5]>::ones()));
        honest("matmul transposed", || x.matmul(&x.transpose()));
        honest("transposed matmul", || x.transpose().matmul(x));
        honest("matmul of i32", || {
            let x = x.cast::<i32>();
            x.transpose().matmul(&x)
        });
        honest("dot", || x.dot(Tensor::<shape![8]>::ones()));
        honest("batch", || x.unsqueeze::<0>().matmul(Tensor::<shape![4, 8, 20]>::ones()));
        honest("outer", || x.sum_axis::<1>().outer(&x.sum_axis::<1>()));
    });
}

#[test]
fn views_and_constructors_of_an_axis_that_changes() {
    under_all_answers(|_, x| {
        honest("transpose", || x.transpose() + 1.0);
        honest("permute", || x.permute::<axes![1, 0]>().contiguous());
        honest("unsqueeze", || x.unsqueeze::<1>().exp());
        honest("expand", || x.expand_shaped(((((), Dim::<2>), Lying), Dim::<8>)).contiguous());
        honest("flatten_axes", || x.unflatten::<1, shape![2, 4]>().flatten_axes::<1, 2>() + 1.0);
        honest("transposed unflatten", || x.transpose().unflatten::<0, shape![2, 4]>().exp());
        honest("zeros", || Tensor::<_, f32>::zeros_shaped((((), Lying), Dim::<8>)));
        honest("full", || Tensor::full_shaped((((), Lying), Dim::<8>), 2.0));
        honest("from_fn", || {
            Tensor::from_fn_shaped((((), Lying), Dim::<8>), |[i, j]| (i + j) as f32)
        });
        honest("arange", || Tensor::<_, f32>::arange_shaped(((), Lying)));
        honest("eye", || Tensor::<_, f32>::eye_shaped((((), Lying), Lying)));
        honest("index", || Tensor::scalar(x[[0, 0]] + x.transpose()[[7, 2]]));
        honest("index_mut", || {
            let mut y = x.transpose();
            y[[7, 2]] = 1.0;
            y
        });
        honest("into DynTensor", || {
            let y = DynTensor::from(x.clone());
            let sum = (&y + &y).unwrap();
            sum.into_tensor::<shape![Lying, 8]>().unwrap()
        });
        honest("DynTensor softmax", || {
            let y = DynTensor::from(x.transpose()).softmax(0).unwrap();
            y.into_tensor::<shape![8, Lying]>().unwrap()
        });
        let _ = catch_unwind(AssertUnwindSafe(|| format!("{x} {x:?}")));
        let _ = catch_unwind(AssertUnwindSafe(|| x == &x.transpose().transpose()));
    });
}

/// Large results are written by several threads.
#[test]
fn large_tensors_of_an_axis_that_changes() {
    std::panic::set_hook(Box::new(|_| {}));
    for other in [0, 1, 65, 300, 601, 5000] {
        for turn in 0..4 {
            let make = || {
                answers::set([600; 4], 0);
                let elements = (0..600 * 1024).map(|n| (n % 1000) as f32).collect();
                let shape = (((), Lying), <tensor_core::dim!(1024)>::default());
                let x = Tensor::from_vec_shaped(shape, elements).unwrap();
                let mut answers = [600; 4];
                answers[turn] = other;
                answers::set(answers, 0);
                x
            };
            let x = make();
            honest("+", || &x + &x);
            honest("owned", || make() + &x);
            honest("exp", || x.exp());
            honest("transposed", || x.transpose().contiguous());
            honest("transposed sum", || &x.transpose() + 1.0);
            honest("sum_axis 0", || x.sum_axis::<0>());
            honest("sum_axis 1", || x.sum_axis::<1>());
            honest("argmax", || x.argmax_axis::<0>());
            honest("softmax", || x.softmax::<1>());
            honest("cumsum", || x.cumsum::<0>());
            honest("fuse!", || fuse!(x * 2.0 + x));
            honest("matmul", || x.transpose().matmul(&x.transpose().transpose()));
        }
    }
    let _ = std::panic::take_hook();
}

#[test]
fn sizes_that_differ_from_those_of_the_type() {
    let shape = (((), SaysMore), Dim::<8>);
    honest("zeros", || Tensor::<_, f32>::zeros_shaped(shape) + 1.0);
    honest("from_fn", || Tensor::from_fn_shaped(shape, |[i, j]| (i * j) as f32));
    let x = Tensor::full_shaped(shape, 1.0_f32);
    honest("+", || &x + &x);
    honest("sum_axis 0", || x.sum_axis::<0>());
    honest("softmax", || x.transpose().softmax::<1>());
    honest("matmul", || x.matmul(&x.transpose()));
    honest("display", || {
        let _ = format!("{x}");
        x.clone()
    });
}

#[test]
fn broadcasts_that_do_not_hold() {
    let wide = Tensor::<shape![Stretching]>::full_shaped(((), Stretching), 1.0);
    let narrow = Tensor::<shape![3]>::ones();
    honest("+", || &wide + &narrow);
    honest("owned +", || wide.clone() + narrow.clone());
    honest("exp of +", || wide.maximum(&narrow).exp());
    honest("+=", || {
        let mut wide = wide.clone();
        wide += &narrow;
        wide
    });
    honest("narrow +=", || {
        let mut narrow = narrow.clone();
        narrow += &wide;
        narrow
    });
    honest("zip_assign", || {
        let mut wide = wide.clone();
        wide.zip_assign(&narrow, |a, b| a + b);
        wide
    });
    honest("expand", || narrow.expand_shaped(((), Stretching)).contiguous());
    let rows = Tensor::<shape![1000, 3]>::ones();
    let tall = Tensor::<(shape![1000], Stretching)>::full_shaped(
        (<shape![1000]>::default(), Stretching),
        1.0,
    );
    honest("rows", || &tall + &rows);
    honest("rows in place", || {
        let mut tall = tall.clone();
        tall += &rows;
        tall
    });
}

#[test]
fn views_that_do_not_hold() {
    let x = Tensor::<shape![5, 7]>::ones();
    honest("permute", || x.permute::<TwiceTheFirst>());
    honest("contiguous", || x.permute::<TwiceTheFirst>().contiguous());
    honest("exp", || x.permute::<TwiceTheFirst>().exp());
    honest("sum_axis", || x.permute::<TwiceTheFirst>().sum_axis::<0>());
    honest("softmax", || x.permute::<TwiceTheFirst>().softmax::<0>());
    honest("matmul", || x.permute::<TwiceTheFirst>().matmul(Tensor::<shape![50, 4]>::ones()));
}

/// The expansion of `fuse!`, with results of another shape than the operands have.
#[test]
fn passes_whose_result_has_another_shape() {
    type Four = shape![4];
    let x = Tensor::<Four>::ones();
    honest("more", || fused::<_, shape![4000], f32>((&x, ()), (), |(x, ())| x + x));
    honest("rows", || fused::<_, shape![5, 40], f32>((&x, ()), (), |(x, ())| x * 2.0));
    honest("fewer", || fused::<_, shape![2], f32>((&x, ()), (), |(x, ())| x * x));
    let column = Tensor::<shape![600, 1]>::ones();
    honest("lower", || {
        fused::<_, shape![700, 8], f32>((&column, (&x, ())), (), |(a, (b, ()))| a + b)
    });
    answers::set([3, 4000, 3, 4000], 0);
    honest("of an axis that changes", || {
        fused::<_, (shape![8], Lying), f32>((&x, ()), (), |(x, ())| x + 1.0)
    });

    /// Operands that return other tensors to the pass than before.
    #[derive(Clone, Copy)]
    struct Others<'a>(&'a Tensor<Four>, &'a AtomicUsize);

    impl<'a> Leaves for Others<'a> {
        type Elements = FusedElement<f32>;
        type Tensors = <(&'a Tensor<Four>, ()) as Leaves>::Tensors;

        fn tensors(self) -> Self::Tensors {
            self.1.fetch_add(1, Ordering::Relaxed);
            (self.0, ()).tensors()
        }

        fn elements(self, elements: (FusedElement<f32>, ())) -> FusedElement<f32> {
            let (first, ()) = elements;
            if self.1.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
                first
            } else {
                first + first
            }
        }
    }

    let calls = AtomicUsize::new(0);
    honest("other elements", || fused::<_, Four, f32>(Others(&x, &calls), (), |x| x + 1.0));
    honest("other sizes", || fused::<_, shape![3000, 4], f32>(Others(&x, &calls), (), |x| x + 1.0));
}

axis!(N);

/// Elements that a closure has not written are never read or dropped.
#[test]
fn closures_that_panic() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    std::panic::set_hook(Box::new(|_| {}));
    for stop in [0, 1, 15, 16, 255, 256, 700] {
        let shape = shape![N(30), 30];
        let mut x = Tensor::full_shaped(shape, 1.0_f32);
        let seen = AtomicUsize::new(0);
        let f = |x: f32| {
            assert!(seen.fetch_add(1, Ordering::Relaxed) != stop, "stop");
            x + 1.0
        };
        honest("map", || x.map(f));
        seen.store(0, Ordering::Relaxed);
        honest("zip_with", || {
            zip_with(&x, x.transpose().expand_shaped(shape![30, N(30)]).transpose(), |a, _| f(a))
        });
        seen.store(0, Ordering::Relaxed);
        honest("from_fn", || Tensor::from_fn_shaped(shape, |[_, _]| f(1.0)));
        seen.store(0, Ordering::Relaxed);
        // In place: some elements are replaced, the others are as before.
        assert!(catch_unwind(AssertUnwindSafe(|| x.map_assign(f))).is_err());
        assert!(x.iter().all(|&x| x == 1.0 || x == 2.0));
        CALLS.fetch_add(1, Ordering::Relaxed);
    }
    let _ = std::panic::take_hook();
    assert_eq!(CALLS.load(Ordering::Relaxed), 7);
}

/// Closures that use the tensors that they are called for.
#[test]
fn closures_that_compute() {
    let x = Tensor::<shape![30, 30]>::ones();
    let y = x.map(|element| element + (&x + &x).sum().item());
    assert!(y.iter().all(|&y| y == 1801.0));
    let z = zip_with(&x, &y, |a, b| a + b + x.map(|x| x * 2.0)[[0, 0]]);
    assert_eq!(z[[29, 29]], 1804.0);
}
