//! Methods that return a `Result` do not panic, whatever their arguments are: numbers at the ends of their
//! types, ranges in reverse, NaN, indices out of range, shapes that do not fit, patterns that cannot be read, and tensors that
//! are empty or have huge sizes. What they return has its elements, and their errors have a message.

use std::error::Error;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tensor_core::random::Generator;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};
use tensor_core::{DynTensor, Element, Padding, QuantileMethod, Tensor, shape, slice};

type Floats = DynTensor<f64>;

/// What is wrong with a message, if anything is.
type Outcome = Result<(), String>;

/// Numbers that are small, or larger than the number of `f64` that memory can hold.
const SIGNED: [isize; 14] = [
    isize::MIN,
    isize::MIN + 1,
    -(1 << 62),
    -4,
    -2,
    -1,
    0,
    1,
    2,
    3,
    5,
    1 << 62,
    isize::MAX - 1,
    isize::MAX,
];
const COUNTS: [usize; 10] =
    [0, 1, 2, 3, 5, 1 << 61, 1 << 62, isize::MAX as usize, isize::MAX as usize + 1, usize::MAX];
const FLOATS: [f64; 10] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0, -1.0, 0.5, f64::MAX, f64::MIN];

const HUGE: usize = 1 << 61;

/// Shapes of tensors: empty, single, ordinary and of a high rank.
const SHAPES: [&[usize]; 14] = [
    &[],
    &[0],
    &[1],
    &[3],
    &[2, 3],
    &[3, 5],
    &[3, 0],
    &[0, 3],
    &[1, 4, 5],
    &[2, 1, 3, 3],
    &[2, 3, 4, 5],
    &[2, 2, 0, 3],
    &[1, 2, 3, 3, 3],
    &[2, 1, 2, 1, 2, 2],
];

/// Shapes without elements, whose other sizes multiply to more than memory holds.
const HUGE_SHAPES: [&[usize]; 4] =
    [&[0, HUGE, HUGE], &[HUGE, 0, HUGE], &[HUGE, HUGE, 0], &[0, usize::MAX]];

fn tensor(sizes: &[usize]) -> Floats {
    let mut next = 0;
    Floats::from_fn(sizes, |_| {
        next += 1;
        FLOATS[next % FLOATS.len()]
    })
}

fn is_huge(x: &Floats) -> bool {
    x.sizes().iter().any(|&size| size >= HUGE)
}

/// What a method returns: its elements are read.
trait Used {
    fn read(&self);
}

impl<T: Element> Used for DynTensor<T> {
    fn read(&self) {
        assert_eq!(self.to_vec().len(), self.len());
    }
}

impl<R: Used> Used for Vec<R> {
    fn read(&self) {
        self.iter().for_each(R::read);
    }
}

impl<A: Used, B: Used> Used for (A, B) {
    fn read(&self) {
        self.0.read();
        self.1.read();
    }
}

/// A result of another kind.
impl Used for () {
    fn read(&self) {}
}

/// Reads what a method returned, or its message, which has one of these numbers if there are any.
fn used<R: Used, E: Error>(result: Result<R, E>, numbers: &[usize]) -> Outcome {
    let text = match result {
        Ok(result) => {
            result.read();
            return Ok(());
        }
        Err(error) => error.to_string(),
    };
    let mut names = numbers.iter().map(|&number| (number as isize).to_string());
    let is_named = numbers.is_empty() || names.any(|name| text.contains(&name));
    if text.len() < 20 || !is_named { Err(format!("`{text}`")) } else { Ok(()) }
}

/// Reads what some calls returned, or their messages. After a tensor and an axis, a message has the axis, the rank or a
/// size, or states that something is empty.
macro_rules! tried {
    ($x:ident, $axis:ident => $($call:expr),* $(,)?) => {{
        let numbers = [&[$axis as usize, $x.rank()][..], $x.sizes()].concat();
        $(match $call {
            Err(error) if ["empty", "no element"].iter().any(|word| error.to_string().contains(word)) => {}
            result => used(result, &numbers)?,
        })*
        Ok(())
    }};
    ($($call:expr),* $(,)?) => {{
        $(used($call, &[])?;)*
        Ok(())
    }};
}

/// Runs each call, and lists those that panic or have no message.
macro_rules! check {
    ($($name:literal $call:expr;)*) => {{
        let mut faults: Vec<String> = Vec::new();
        $({
            let mut count = 0;
            let mut run = |case: String, call: &dyn Fn() -> Outcome| {
                let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err("a panic".to_owned()));
                if let Err(fault) = outcome {
                    count += 1;
                    if count <= 3 {
                        faults.push(format!("{}{case}: {fault}", $name));
                    }
                }
            };
            ($call)(&mut run);
            if count > 3 {
                faults.push(format!("{}: {} more", $name, count - 3));
            }
        })*
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }};
}

type Run<'a> = &'a mut dyn FnMut(String, &dyn Fn() -> Outcome);

/// A call of each tensor and argument.
fn each<N>(arguments: impl Into<Vec<N>>, call: impl Fn(&Floats, N) -> Outcome) -> impl Fn(Run<'_>)
where
    N: Copy + Debug,
{
    let arguments = arguments.into();
    move |run| {
        for x in SHAPES.iter().chain(&HUGE_SHAPES).map(|sizes| tensor(sizes)) {
            for &n in &arguments {
                run(format!("({n:?}) of {:?}", x.sizes()), &|| call(&x, n));
            }
        }
    }
}

/// A call of each tensor and pair of arguments.
fn pairs<N, M>(
    first: &[N],
    second: &[M],
    call: impl Fn(&Floats, N, M) -> Outcome,
) -> impl Fn(Run<'_>)
where
    N: Copy + Debug,
    M: Copy + Debug,
{
    let all: Vec<(N, M)> =
        first.iter().flat_map(|&n| second.iter().map(move |&m| (n, m))).collect();
    each(all, move |x, (n, m)| call(x, n, m))
}

/// Without elements that are read: of what is no tensor, or has more elements than memory.
fn other<R, E>(result: Result<R, E>) -> Result<(), E> {
    result.map(drop)
}

#[test]
fn numbers() {
    const PADDINGS: [Padding<f64>; 5] = [
        Padding::Constant(0.0),
        Padding::Edge,
        Padding::Reflect,
        Padding::Symmetric,
        Padding::Wrap,
    ];
    check! {
        "reshape" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.reshape(&[n, m])));
        "reshape_infer" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.reshape_infer(&[n, m])));
        "expand" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(other(x.expand(&[n, m]))));
        "sum_to" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.sum_to(&[n, m])));
        "permute" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.permute(&[n, m])));
        "flatten_axes" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.flatten_axes(n, m)));
        "unflatten" pairs(&SIGNED, &COUNTS, |x, n, m| {
            tried!(x.unflatten(n, &[m, 2]), x.unflatten(n, &[m, 2, m]), x.unflatten(n, &[]))
        });
        "swap_axes" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.swap_axes(n, m), x.move_axis(n, m), x.flip(&[n, m])));
        "diagonal" pairs(&SIGNED, &SIGNED, |x, n, m| {
            tried!(x.diagonal(n, 0, m), x.diagonal(n, m, -1), x.diagonal(isize::MIN, n, m))
        });
        "windows" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.windows(n, m)));
        "slice_axis" pairs(&COUNTS, &COUNTS, |x, n, m| {
            let bounds = (std::ops::Bound::Excluded(n), std::ops::Bound::Included(m));
            tried!(x.slice_axis(0, n..m), x.slice_axis(0, n..=m), x.slice_axis(-1, bounds), x.slice(slice![n.., m]))
        });
        "slice_axis of an axis" pairs(&SIGNED, &COUNTS, |x, n, m| {
            tried!(x.slice_axis(n, m..), x.slice_axis(n, ..=m), x.slice_axis(n, m..0))
        });
        "assign_slice" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.clone().assign_slice(slice![n..m], x)));
        "slice_axis_step" pairs(&SIGNED, &SIGNED, |x, n, m| {
            for step in SIGNED {
                used(x.slice_axis_step(0, n, Some(m), step), &[])?;
                used(x.slice_axis_step(-1, n, None, step), &[])?;
            }
            Ok(())
        });
        "index" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.index(n, m)));
        "split" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.split(n, &[m, m]), x.split(n, &[])));
        "split into two" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.split(0, &[n, m])));
        "chunk" pairs(&SIGNED, &COUNTS, |x, n, m| {
            // One chunk for each index would not fit into memory.
            if is_huge(x) { Ok(()) } else { tried!(x.chunk(n, m)) }
        });
        "chunks_axis" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.chunks_axis(n, m).map(|it| it.take(3).collect::<Vec<_>>())));
        "pad" pairs(&SIGNED, &SIGNED, |x, n, m| {
            for padding in PADDINGS {
                used(x.pad(&vec![[n, m]; x.rank()], padding), &[])?;
                used(x.pad(&[[n, m], [m, n]], padding), &[])?;
            }
            Ok(())
        });
        "roll" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.roll(n, m)));
        "repeat" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.repeat(n, m), x.repeat_each(n, &[m, m, m])));
        "repeat_each" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.repeat_each(0, &[n, m, 1])));
        "tile" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(x.tile(&[n, m]), x.tile(&[n])));
        "tril" each(SIGNED, |x, n| tried!(x.tril(n), x.triu(n)));
        "tensordot" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(x.tensordot(x, &[n], &[m]), x.tensordot(x, &[n, m], &[n, m])));
        "reductions along axes" pairs(&SIGNED, &SIGNED, |x, n, m| tried!(
            x.sum_axes(&[n, m]), x.mean_axes(&[n, m]), x.max_axes(&[n, m]), x.prod_axes_keepdims(&[n, m]),
            x.var_axes_corrected(&[n, m], 1),
        ));
        "an axis" each(SIGNED, |x, n| tried!(x, n =>
            x.sum_axis(n), x.sum_axis_keepdims(n), x.prod_axis(n), x.prod_axis_keepdims(n), x.mean_axis(n),
            x.mean_axis_keepdims(n), x.max_axis(n), x.max_axis_keepdims(n), x.min_axis(n), x.min_axis_keepdims(n),
            x.var_axis(n), x.var_axis_corrected(n, usize::MAX), x.std_axis(n), x.norm_axis(n), x.norm_l1_axis(n),
            x.norm_max_axis(n), x.logsumexp_axis(n), x.median_axis(n), x.quantile_axis(n, 0.3), x.argmax_axis(n),
            x.argmin_axis(n), x.count_nonzero_axis(n), x.cumsum(n), x.cumsum_exclusive(n), x.cumsum_reverse(n), x.cumprod(n),
            x.cummax(n), x.cummin(n), x.logcumsumexp(n), x.softmax(n), x.log_softmax(n), x.standardize(n),
            x.standardize_corrected(n, usize::MAX), x.layer_norm(n, f64::NAN), x.rms_norm(n, f64::NAN),
            x.batch_norm_training(n, f64::NEG_INFINITY), x.instance_norm(n, f64::NAN), x.sort(n), x.sort_descending(n),
            x.argsort(n), x.argsort_descending(n), x.diff(n), x.unsqueeze(n), x.squeeze(n), x.flip(&[n]), x.slice_axis(n, ..),
            x.iter_axis(n).map(|it| it.take(3).collect::<Vec<_>>()), x.swap_axes(n, -1), x.move_axis(n, -1), x.permute(&[n]),
            x.concat(x, n), DynTensor::stack([x, x], n), x.compress(n, &DynTensor::full(&[3], true)),
        ));
        "unique_axis" each(SIGNED, |x, n| {
            if is_huge(x) { Ok(()) } else { tried!(x, n => x.unique_axis(n), other(x.unique_all_axis(n))) }
        });
        "topk" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.topk(n, m), x.topk_smallest(n, m), x.kthvalue(n, m)));
        "corrections" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(x.var_axis_corrected(n, m), x.std_axis_corrected(n, m)));
        "quantile_axis" pairs(&SIGNED, &FLOATS, |x, n, q| {
            tried!(x.quantile_axis_with(n, q, QuantileMethod::Midpoint), x.quantile_axis(n, q))
        });
        "histogram" pairs(&FLOATS, &FLOATS, |x, low, high| tried!(x.histogram(3, low..=high), x.histogram(0, low..=high)));
        "histogram of bins" each(COUNTS, |x, n| tried!(x.histogram(n, 0.0..=1.0)));
        "bincount" each(COUNTS, |x, n| tried!(x.cast::<i64>().bincount(n)));
        "one_hot" each(COUNTS, |x, n| tried!(x.cast::<i64>().one_hot::<f64>(n)));
        "integers" pairs(&SIGNED, &COUNTS, |_, n, m| {
            let integers = DynTensor::full(&[2], n as i64);
            tried!(integers.one_hot::<f64>(m), integers.bincount(m))
        });
        "take" pairs(&SIGNED, &SIGNED, |x, n, m| {
            let indices = DynTensor::full(&[2], m as i64);
            for everywhere in [DynTensor::full(x.sizes(), m as i64), DynTensor::full(&[2, 3], m as i64)] {
                used(x.take_along_axis(n, &everywhere), &[])?;
                used(x.scatter(n, &everywhere, x), &[])?;
                used(x.scatter_add(n, &everywhere, x), &[])?;
            }
            tried!(
                x.take(n, &indices), x.embedding(&indices), x.take(0, &indices.cast::<u64>()), x.index_add(n, &indices, x),
                x.index_copy(n, &indices, x),
            )
        });
        "normalization" pairs(&SIGNED, &COUNTS, |x, n, m| tried!(
            x.group_norm(n, m, 1e-5), x.instance_norm(n, 0.0), x.batch_norm(n, x, x, 0.0), x.batch_norm_training(n, 1e-5),
        ));
        "from_vec" pairs(&COUNTS, &COUNTS, |_, n, m| tried!(DynTensor::from_vec(&[n, m], vec![0.0_f64; 3])));
    }
}

/// Options near the limits of `usize`.
#[test]
fn windows() {
    let tiny = |options: ConvOptions| {
        move |x: &Floats| {
            let weights = [tensor(&[3, 3, 1]), tensor(&[3, 3, 2])];
            weights
                .iter()
                .try_for_each(|w| tried!(x.conv(w, &options), x.conv_transpose(w, &options)))
        }
    };
    check! {
        "conv of stride" pairs(&COUNTS, &COUNTS, |x, n, m| {
            tiny(ConvOptions::new().stride(&[n]).dilation(&[m]))(x)?;
            conv(x, &ConvOptions::new().stride(&[n]).dilation(&[m]))
        });
        "conv of padding" pairs(&COUNTS, &COUNTS, |x, n, m| {
            tiny(ConvOptions::new().padding_sides(&[(n, m)]))(x)?;
            conv(x, &ConvOptions::new().padding_sides(&[(n, m)]))
        });
        "conv of both" pairs(&COUNTS, &COUNTS, |x, n, m| conv(x, &ConvOptions::new().padding(&[n]).stride(&[m])));
        "conv of groups" pairs(&COUNTS, &COUNTS, |x, n, m| {
            tiny(ConvOptions::new().groups(n).output_padding(&[m]))(x)?;
            conv(x, &ConvOptions::new().groups(n).output_padding(&[m]))
        });
        "conv of two strides" each(COUNTS, |x, n| tiny(ConvOptions::new().stride(&[1, n]))(x));
        "pool" pairs(&COUNTS, &COUNTS, |x, n, m| {
            for third in COUNTS {
                pool(x, &PoolOptions::new(&[n]).stride(&[m]).padding(&[third]))?;
                pool(x, &PoolOptions::new(&[2]).dilation(&[n]).stride(&[m]).padding(&[third]).ceil_mode(true))?;
                pool(x, &PoolOptions::new(&[n, 2]).stride(&[m]).padding(&[third]).ceil_mode(true))?;
            }
            pool(x, &PoolOptions::new(&[2]).padding_sides(&[(n, m)]))?;
            pool(x, &PoolOptions::new(&[]).stride(&[n]))
        });
        "interpolate" pairs(&COUNTS, &COUNTS, |x, n, m| tried!(
            x.interpolate(&[n, m], Interpolation::Bilinear), x.interpolate(&[n, m], Interpolation::Nearest),
            x.interpolate(&[n], Interpolation::BilinearAlignCorners), x.interpolate(&[n], Interpolation::Bilinear),
            x.adaptive_avg_pool(&[n, m]), x.adaptive_avg_pool(&[n]),
        ));
    }
}

/// Two shapes, which mostly do not fit.
#[test]
fn shapes() {
    check! {
        "two shapes" each(SHAPES, |x, sizes| {
            let y = &tensor(sizes);
            let (zeros, all) = (DynTensor::full(sizes, 0_i64), DynTensor::full(sizes, true));
            tried!(
                x + y, x.minimum(y), x.pow(y), x.less(y), x.clamp(y, x), all.select(x, x), x.zip_with(y, |x, y| x - y),
                x.expand(sizes), x.reshape(sizes), x.sum_to(sizes), x.tile(sizes), x.matmul(y), x.dot(y), x.outer(y),
                x.tensordot(y, &[], &[]), x.concat(y, 0), DynTensor::concat_all([x, y], -1), DynTensor::stack([x, y], 0),
                x.meshgrid(y), x.meshgrid_xy(y), x.masked_select(&all), x.compress(0, &all), x.searchsorted(y),
                x.searchsorted_right(y), x.take(0, &zeros), x.take_along_axis(0, &zeros), x.scatter_mul(0, &zeros, y),
                x.scatter_max(-1, &(&zeros - 1), y), x.index_add(0, &DynTensor::full(&[1], 0_i64), y), x.embedding(&zeros),
                x.batch_norm(0, y, x, f64::NAN), x.conv(y, &ConvOptions::new()), x.conv1d(y, &ConvOptions::new()),
                x.conv2d(y, &ConvOptions::new().same()), x.conv_transpose(y, &ConvOptions::new()),
                x.conv_transpose1d(y, &ConvOptions::new()), x.max_pool(&PoolOptions::new(sizes)),
                x.avg_pool(&PoolOptions::new(sizes)), x.adaptive_avg_pool(sizes), x.interpolate(sizes, Interpolation::Nearest),
                x.interpolate(sizes, Interpolation::BilinearAlignCorners), x.histogram(sizes.len(), -1.0..=1.0),
                Ok::<_, std::fmt::Error>(x.isin(y)),
            )
        });
        "one shape" each([0], |x, _| {
            let bytes = || x.cast::<u8>();
            tried!(
                x.transpose(), x.diag_embed(), x.trace(), other(x.item()), x.max(), x.argmax(), x.argmin(), x.matmul(x), x.dot(x),
                x.outer(x), x.meshgrid(x), x.searchsorted(x), x.masked_select(&x.is_nan()), Generator::seed(1).categorical_dyn(x),
                other(Tensor::<shape![2, 3], f64>::try_from(x.clone())), DynTensor::<f64>::concat_all([], 0),
                DynTensor::<f64>::stack([], -1), other(image::RgbImage::try_from(bytes())),
                other(image::GrayImage::try_from(bytes())),
            )
        });
    }
}

#[test]
fn patterns() {
    check! {
        "einsum" each([
            "...->...", "i...->...i", "...ij->...ji", "ij->", "ii->i", "iij->j", "ij,jk->ik", "...i,...i->...", "i,i,i->i",
            "", "->", ",->", "...", "i->ii", "é->é", "ij->k", "i j", "..->..", "i->...", ",", "ij", "ij->ii", "i->ij", "ij,jk",
            "ii", "iii->i", "...->", "......", "...i...", "..i", "i..", "i...j->j...i", "a->b", "A->a", "1->1", "ij->ji->ij",
            " i j -> j i ", "ij,->ij", "ij→ji", "...ij,...jk->...ik", ",,,", "i,i", "i...->...", "...->i", "-", ">", "-->",
        ], |x, equation| {
            for operands in [&[x][..], &[x, x], &[x, x, x], &[]] {
                used(DynTensor::einsum(equation, operands), &[])?;
            }
            Ok(())
        });
        "rearrange" each([
            "...->...", "a ... -> (... a)", "... -> (...)", "(a b) ... -> a b ...", "a->a a", "(->a", ")->", "()->()", "a b->(b a)",
            "->", "(...) -> ...", "é->é", "1 ... -> ...", "a -> ... a", "", "a", "a->", "->a", "a b -> b a", "a b -> a", "a -> a b",
            "(a b) -> a b", "a a -> a", "(a (b c)) -> a b c", "... ... -> ...", "a ... -> ... a", "a) -> a", "1 -> ", "a -> a 1",
            "a -> 1 a 1", "2 -> 2", "a () -> a", "a -> a ()", "a - b", "... c -> (...) c", "a b -> b (a)", "_ -> _", "a -> -> a",
            "(a b) c -> a (b c)",
        ], |x, pattern| {
            for count in COUNTS {
                used(x.rearrange(pattern, &[("a", count)]), &[])?;
                used(x.rearrange(pattern, &[("b", count)]), &[])?;
            }
            tried!(x.rearrange(pattern, &[]), x.rearrange(pattern, &[("z", 2)]), x.rearrange(pattern, &[("a", 2), ("a", 3)]))
        });
    }
}

/// Convolutions by windows of 2 elements, and their gradients.
fn conv(x: &Floats, options: &ConvOptions) -> Outcome {
    let x = x.requires_grad();
    for axes in 1..=2 {
        let channels = x.rank().checked_sub(axes + 1).map_or(1, |axis| x.sizes()[axis].min(4));
        let weights =
            Floats::ones(&[vec![channels, channels], vec![2; axes]].concat()).requires_grad();
        for result in [x.conv(&weights, options), x.conv_transpose(&weights, options)] {
            used(result.map(|y| y.gradients(&[&x, &weights])), &[])?;
        }
    }
    Ok(())
}

/// Pooling, and its gradient.
fn pool(x: &Floats, options: &PoolOptions) -> Outcome {
    let x = x.requires_grad();
    let gradients = |y: Floats| y.gradients(&[&x]);
    tried!(x.max_pool(options).map(gradients), x.avg_pool(options).map(gradients))
}

/// Weights that are no weights, and numbers that are no probabilities, are errors.
#[test]
fn weights_that_are_none() {
    for weight in [f64::NAN, f64::INFINITY, -1.0] {
        let weights = DynTensor::from_vec(&[1, 2], vec![1.0, weight]).unwrap();
        assert!(Generator::seed(1).categorical_dyn(&weights).is_err(), "{weight}");
    }
}
