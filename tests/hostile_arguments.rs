//! Methods that return a `Result` do not panic, whatever their arguments are: numbers at the ends of their
//! types, ranges in reverse, NaN, indices out of range, and tensors that are empty or have huge sizes.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tensor_core::random::Generator;
use tensor_core::windows::{ConvOptions, Interpolation, PoolOptions};
use tensor_core::{DynTensor, Padding, QuantileMethod, Tensor, shape};

type Floats = DynTensor<f64>;
type Outcome = Result<(), Box<dyn Error>>;

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

fn operands() -> Vec<Floats> {
    let sizes: [&[usize]; 15] = [
        &[],
        &[0],
        &[1],
        &[3],
        &[2, 3],
        &[3, 0],
        &[0, 3],
        &[1, 4, 5],
        &[2, 1, 3, 3],
        &[2, 2, 0, 3],
        &[1, 2, 3, 3, 3],
        &[0, HUGE, HUGE],
        &[HUGE, 0, HUGE],
        &[HUGE, HUGE, 0],
        &[0, usize::MAX],
    ];
    let hostile = |sizes: &&[usize]| {
        let mut next = 0;
        Floats::from_fn(sizes, |_| {
            next += 1;
            FLOATS[next % FLOATS.len()]
        })
    };
    sizes
        .iter()
        .filter(|sizes| !sizes.contains(&0))
        .map(hostile)
        .chain(sizes.iter().filter(|sizes| sizes.contains(&0)).map(|sizes| Floats::zeros(sizes)))
        .collect()
}

thread_local! {
    /// The last panic of this thread.
    static PANIC: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Runs each call, and lists those that panic.
macro_rules! check {
    ($($name:literal $call:expr;)*) => {{
        let mut panics: Vec<String> = Vec::new();
        $({
            let mut count = 0;
            let mut run = |case: String, call: &dyn Fn() -> Outcome| {
                if catch_unwind(AssertUnwindSafe(call)).is_err() {
                    count += 1;
                    if count <= 3 {
                        panics.push(format!("{}{case}: {}", $name, PANIC.take()));
                    }
                }
            };
            ($call)(&mut run);
            if count > 3 {
                panics.push(format!("{}: {} more", $name, count - 3));
            }
        })*
        panics
    }};
}

type Run<'a> = &'a mut dyn FnMut(String, &dyn Fn() -> Outcome);

/// A call of each operand and number.
fn each<N>(numbers: impl Into<Vec<N>>, call: impl Fn(&Floats, N) -> Outcome) -> impl Fn(Run<'_>)
where
    N: Copy + std::fmt::Debug,
{
    let numbers = numbers.into();
    move |run| {
        for x in operands() {
            for &n in &numbers {
                run(format!("({n:?}) of {:?}", x.sizes()), &|| call(&x, n));
            }
        }
    }
}

/// A call of each operand and pair of numbers.
fn pairs<N, M>(
    first: &[N],
    second: &[M],
    call: impl Fn(&Floats, N, M) -> Outcome,
) -> impl Fn(Run<'_>)
where
    N: Copy + std::fmt::Debug,
    M: Copy + std::fmt::Debug,
{
    let all: Vec<(N, M)> =
        first.iter().flat_map(|&n| second.iter().map(move |&m| (n, m))).collect();
    each(all, move |x, (n, m)| call(x, n, m))
}

fn ok<T, E: Error + 'static>(result: Result<T, E>) -> Outcome {
    result?;
    Ok(())
}

#[test]
fn no_argument_panics() {
    std::panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
    let panics = check! {
        "reshape" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.reshape(&[n, m])));
        "reshape_infer" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.reshape_infer(&[n, m])));
        "expand" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.expand(&[n, m])));
        "sum_to" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.sum_to(&[n, m])));
        "permute" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.permute(&[n, m])));
        "unsqueeze" each(SIGNED, |x, n| ok(x.unsqueeze(n)));
        "squeeze" each(SIGNED, |x, n| ok(x.squeeze(n)));
        "flatten_axes" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.flatten_axes(n, m)));
        "unflatten" pairs(&SIGNED, &COUNTS, |x, n, m| ok(x.unflatten(n, &[m, 2])));
        "swap_axes" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.swap_axes(n, m)));
        "move_axis" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.move_axis(n, m)));
        "flip" each(SIGNED, |x, n| ok(x.flip(&[n])));
        "diagonal" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.diagonal(n, 0, m)));
        "windows" pairs(&SIGNED, &COUNTS, |x, n, m| ok(x.windows(n, m)));
        "slice_axis" pairs(&COUNTS, &COUNTS, |x, n, m| {
            ok(x.slice_axis(0, n..m))?;
            ok(x.slice_axis(0, n..=m))?;
            ok(x.slice_axis(-1, (std::ops::Bound::Excluded(n), std::ops::Bound::Included(m))))
        });
        "slice_axis_step" pairs(&SIGNED, &SIGNED, |x, n, m| {
            for step in SIGNED {
                _ = x.slice_axis_step(0, n, Some(m), step);
                _ = x.slice_axis_step(-1, n, None, step);
            }
            Ok(())
        });
        "index" pairs(&SIGNED, &COUNTS, |x, n, m| ok(x.index(n, m)));
        "split" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.split(0, &[n, m])));
        "chunk" pairs(&SIGNED, &COUNTS, |x, n, m| {
            // One chunk for each index would not fit into memory.
            if x.sizes().iter().any(|&size| size >= HUGE) { Ok(()) } else { ok(x.chunk(n, m)) }
        });
        "chunks_axis" pairs(&SIGNED, &COUNTS, |x, n, m| {
            x.chunks_axis(n, m)?.take(3).for_each(drop);
            Ok(())
        });
        "iter_axis" each(SIGNED, |x, n| {
            x.iter_axis(n)?.take(3).for_each(drop);
            Ok(())
        });
        "pad" pairs(&SIGNED, &SIGNED, |x, n, m| {
            for padding in [Padding::Constant(0.0), Padding::Edge, Padding::Reflect, Padding::Symmetric, Padding::Wrap] {
                _ = x.pad(&vec![[n, m]; x.rank()], padding);
            }
            Ok(())
        });
        "roll" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.roll(n, m)));
        "repeat" pairs(&SIGNED, &COUNTS, |x, n, m| ok(x.repeat(n, m)));
        "repeat_each" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.repeat_each(0, &[n, m, 1])));
        "tile" pairs(&COUNTS, &COUNTS, |x, n, m| ok(x.tile(&[n, m])));
        "tril" each(SIGNED, |x, n| { ok(x.tril(n))?; ok(x.triu(n)) });
        "diag_embed" each([0], |x, _| ok(x.diag_embed()));
        "stack" each(SIGNED, |x, n| { ok(DynTensor::stack([x, x], n))?; ok(x.concat(x, n)) });
        "meshgrid" each([0], |x, _| ok(x.meshgrid(x)));
        "outer" each([0], |x, _| { _ = x.outer(x); _ = x.dot(x); ok(x.matmul(x)) });
        "tensordot" pairs(&SIGNED, &SIGNED, |x, n, m| ok(x.tensordot(x, &[n], &[m])));
        "reductions" each(SIGNED, |x, n| {
            _ = (x.sum_axis(n), x.max_axis(n), x.argmin_axis(n), x.var_axis(n), x.var_axis_corrected(n, usize::MAX));
            _ = (x.logsumexp_axis(n), x.cumsum(n), x.softmax(n), x.median_axis(n), x.sort(n), x.argsort(n));
            _ = (x.sum_axes(&[n, 0]), x.max(), x.argmax(), x.cummax(n), x.logcumsumexp(n));
            _ = (x.layer_norm(n, f64::NAN), x.diff(n));
            if x.sizes().iter().any(|&size| size >= HUGE) {
                return Ok(());
            }
            _ = x.unique_axis(n);
            ok(x.unique_all_axis(n))
        });
        "topk" pairs(&SIGNED, &COUNTS, |x, n, m| { _ = x.kthvalue(n, m); _ = x.topk_smallest(n, m); ok(x.topk(n, m)) });
        "quantile_axis" pairs(&SIGNED, &FLOATS, |x, n, q| {
            _ = x.quantile_axis_with(n, q, QuantileMethod::Midpoint);
            ok(x.quantile_axis(n, q))
        });
        "searchsorted" each([0], |x, _| { _ = x.searchsorted_right(x); ok(x.searchsorted(x)) });
        "histogram" pairs(&FLOATS, &FLOATS, |x, low, high| {
            ok(x.histogram(3, low..=high))?;
            ok(x.histogram(0, low..=high))
        });
        "histogram of bins" each(COUNTS, |x, n| ok(x.histogram(n, 0.0..=1.0)));
        "bincount" each(COUNTS, |x, n| ok(x.cast::<i64>().bincount(n)));
        "one_hot" each(COUNTS, |x, n| ok(x.cast::<i64>().one_hot::<f64>(n)));
        "take" pairs(&SIGNED, &SIGNED, |x, n, m| {
            let index = DynTensor::from_vec(&[1], vec![m as i64])?;
            _ = (x.take(n, &index), x.embedding(&index), x.take(0, &index.cast::<u64>()));
            _ = x.index_add(n, &index, x);
            _ = x.index_copy(n, &index, x);
            let everywhere = DynTensor::full(x.sizes(), m as i64);
            _ = (x.take_along_axis(n, &everywhere), x.scatter(n, &everywhere, x), x.scatter_add(n, &everywhere, x));
            Ok(())
        });
        "masks" each(SIGNED, |x, n| {
            _ = x.compress(n, &DynTensor::full(&[3], true));
            ok(x.masked_select(&x.is_nan()))
        });
        "conv of stride" pairs(&COUNTS, &COUNTS, |x, n, m| conv(x, &ConvOptions::new().stride(&[n]).dilation(&[m])));
        "conv of padding" pairs(&COUNTS, &COUNTS, |x, n, m| conv(x, &ConvOptions::new().padding_sides(&[(n, m)])));
        "conv of both" pairs(&COUNTS, &COUNTS, |x, n, m| conv(x, &ConvOptions::new().padding(&[n]).stride(&[m])));
        "conv of groups" pairs(&COUNTS, &COUNTS, |x, n, m| conv(x, &ConvOptions::new().groups(n).output_padding(&[m])));
        "pool" pairs(&COUNTS, &COUNTS, |x, n, m| {
            // Larger windows that fit would be walked element by element.
            let window = if n >= 1 << 61 { usize::MAX } else { n };
            for third in COUNTS {
                pool(x, &PoolOptions::new(&[window]).stride(&[m]).padding(&[third]));
                pool(x, &PoolOptions::new(&[2]).dilation(&[n]).stride(&[m]).padding(&[third]).ceil_mode(true));
                pool(x, &PoolOptions::new(&[window, 2]).stride(&[m]).padding(&[third]).ceil_mode(true));
            }
            Ok(())
        });
        "interpolate" pairs(&COUNTS, &COUNTS, |x, n, m| {
            _ = (x.interpolate(&[n, m], Interpolation::Bilinear), x.interpolate(&[n, m], Interpolation::Nearest));
            _ = x.interpolate(&[n], Interpolation::BilinearAlignCorners);
            ok(x.adaptive_avg_pool(&[n, m]))
        });
        "normalization" pairs(&SIGNED, &COUNTS, |x, n, m| {
            _ = (x.group_norm(n, m, 1e-5), x.instance_norm(n, 0.0), x.rms_norm(n, f64::NAN), x.batch_norm(n, x, x, 0.0));
            ok(x.batch_norm_training(n, 1e-5))
        });
        "einsum" each([
            "...->...", "i...->...i", "...ij->...ji", "ij->", "ii->i", "iij->j", "ij,jk->ik", "...i,...i->...", "i,i,i->i",
            "", "->", ",->", "...", "i->ii", "é->é", "ij->k", "i j", "..->..", "i->...",
        ], |x, equation| {
            for operands in [&[x][..], &[x, x], &[x, x, x], &[]] {
                _ = DynTensor::einsum(equation, operands);
            }
            Ok(())
        });
        "rearrange" each([
            "...->...", "a ... -> (... a)", "... -> (...)", "(a b) ... -> a b ...", "a->a a", "(->a", ")->", "()->()", "a b->(b a)",
            "->", "(...) -> ...", "é->é", "1 ... -> ...", "a -> ... a",
        ], |x, pattern| {
            for count in COUNTS {
                _ = x.rearrange(pattern, &[("a", count)]);
                _ = x.rearrange(pattern, &[("b", count)]);
            }
            ok(x.rearrange(pattern, &[]))
        });
        "categorical" each([0], |x, _| ok(Generator::seed(1).categorical_dyn(x)));
        "from_vec" pairs(&COUNTS, &COUNTS, |_, n, m| {
            ok(DynTensor::from_vec(&[n, m], vec![0.0_f64; 3]).map_err(|error| error.to_string()).map_err(std::io::Error::other))
        });
        "into_tensor" each([0], |x, _| {
            let typed: Result<Tensor<shape![2, 3], f64>, _> = x.clone().try_into();
            ok(typed.map_err(|error| std::io::Error::other(error.to_string())))
        });
        "interop" each([0], |x, _| {
            _ = tensor_interop(x);
            Ok(())
        });
    };
    _ = std::panic::take_hook();
    assert!(panics.is_empty(), "{}", panics.join("\n"));
}

/// Convolutions by windows of 2 elements, and their gradients.
fn conv(x: &Floats, options: &ConvOptions) -> Outcome {
    let x = x.requires_grad();
    for axes in 1..=2 {
        let channels = x.rank().checked_sub(axes + 1).map_or(1, |axis| x.sizes()[axis].min(4));
        let weights =
            Floats::ones(&[vec![channels, channels], vec![2; axes]].concat()).requires_grad();
        let results = [x.conv(&weights, options), x.conv_transpose(&weights, options)];
        for result in results.into_iter().flatten() {
            result.gradients(&[&x, &weights]);
        }
    }
    Ok(())
}

/// Pooling, and its gradient.
fn pool(x: &Floats, options: &PoolOptions) {
    let x = x.requires_grad();
    for result in [x.max_pool(options), x.avg_pool(options)].into_iter().flatten() {
        result.gradients(&[&x]);
    }
}

/// Pictures and matrices of other crates, which have other limits.
fn tensor_interop(x: &Floats) -> Outcome {
    let bytes = x.cast::<u8>();
    _ = image::RgbImage::try_from(bytes.clone());
    _ = image::GrayImage::try_from(bytes);
    Ok(())
}

/// Weights that are no weights, and numbers that are no probabilities, are errors.
#[test]
fn weights_that_are_none() {
    for weight in [f64::NAN, f64::INFINITY, -1.0] {
        let weights = DynTensor::from_vec(&[1, 2], vec![1.0, weight]).unwrap();
        assert!(Generator::seed(1).categorical_dyn(&weights).is_err(), "{weight}");
    }
}
