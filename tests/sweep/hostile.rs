//! Methods with a `Result` on arguments that no program should pass: an error, or a result, and no panic.

#![allow(unused_variables, reason = "not every method takes every argument of its list")]

use std::cell::Cell;
use std::error::Error;

use tensor_core::{DynTensor, Padding, slice};

type Tensor = DynTensor<f64>;
type Attempt = Result<(), Box<dyn Error>>;

/// Sizes of tensors: empty, single, ordinary and of a high rank.
const SHAPES: [&[usize]; 10] = [
    &[],
    &[0],
    &[1],
    &[3],
    &[2, 3],
    &[3, 5],
    &[0, 3],
    &[2, 0, 4],
    &[2, 3, 4, 5],
    &[1, 1, 1, 1, 1, 1],
];

const AXES: [isize; 12] =
    [isize::MIN, isize::MIN + 1, -7, -3, -2, -1, 0, 1, 2, 6, isize::MAX - 1, isize::MAX];

/// Sizes that either are small or make every result of `f64` too large for memory.
const SIZES: [usize; 8] = [0, 1, 2, 7, 1 << 60, 1 << 62, isize::MAX as usize, usize::MAX];

thread_local! {
    static ATTEMPTS: Cell<usize> = const { Cell::new(0) };
}

/// Tries an operation: the error must say something, and name one of `numbers` if there are any.
fn attempt(
    what: String,
    numbers: &[String],
    operation: impl FnOnce() -> Attempt,
) -> Option<String> {
    ATTEMPTS.set(ATTEMPTS.get() + 1);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(operation)) {
        Err(_) => Some(format!("{what} panics")),
        Ok(Ok(())) => None,
        Ok(Err(error)) => {
            let text = error.to_string();
            let names = numbers.is_empty() || numbers.iter().any(|number| text.contains(number));
            (text.len() < 20 || !names).then(|| format!("{what}: `{text}`"))
        }
    }
}

/// Fails with all faults.
fn expect_none(faults: impl Iterator<Item = String>) {
    let faults: Vec<_> = faults.collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(ATTEMPTS.get() > 100, "{} attempts", ATTEMPTS.get());
}

fn tensor(sizes: &[usize]) -> Tensor {
    let len = sizes.iter().product::<usize>();
    DynTensor::from_vec(sizes, (0..len).map(|x| x as f64).collect()).unwrap()
}

/// The elements of a tensor, a copy of a view, and what a gradient needs.
fn used(x: Tensor) -> Attempt {
    assert_eq!(x.to_vec().len(), x.len());
    Ok(())
}

fn all_used(parts: impl IntoIterator<Item = Tensor>) -> Attempt {
    parts.into_iter().try_for_each(used)
}

/// Methods by name, as functions of a tensor and further arguments.
macro_rules! methods {
    ($args:pat, $Args:ty; $($name:expr => $body:expr;)+) => {
        [$(($name, (|$args: $Args| -> Attempt { $body }) as fn($Args) -> Attempt)),+]
    };
}

/// `"name" => x.name(axis)`, of methods with floats and with integers.
macro_rules! along {
    ($($name:ident)+; $($index:ident)+) => {
        methods! { (x, axis), (&Tensor, isize);
            $(stringify!($name) => used(x.$name(axis)?);)+
            $(stringify!($index) => x.$index(axis).map(drop).map_err(Into::into);)+
        }
    };
}

mod sizes;

#[test]
fn one_axis() {
    let methods = along! {
        sum_axis sum_axis_keepdims prod_axis prod_axis_keepdims mean_axis mean_axis_keepdims max_axis max_axis_keepdims
        min_axis min_axis_keepdims var_axis std_axis norm_axis norm_l1_axis norm_max_axis logsumexp_axis
        median_axis cumsum cumsum_exclusive cumsum_reverse cumprod cummax cummin logcumsumexp softmax
        log_softmax standardize sort sort_descending diff unsqueeze squeeze unique_axis;
        argmax_axis argmin_axis count_nonzero_axis argsort argsort_descending unique_all_axis
    };
    let more = methods! { (x, axis), (&Tensor, isize);
        "var_axis_corrected" => used(x.var_axis_corrected(axis, usize::MAX)?);
        "standardize_corrected" => used(x.standardize_corrected(axis, usize::MAX)?);
        "layer_norm" => used(x.layer_norm(axis, f64::NAN)?);
        "rms_norm" => used(x.rms_norm(axis, f64::NAN)?);
        "batch_norm_training" => used(x.batch_norm_training(axis, f64::NEG_INFINITY)?);
        "instance_norm" => used(x.instance_norm(axis, f64::NAN)?);
        "flip" => used(x.flip(&[axis])?);
        "slice_axis" => used(x.slice_axis(axis, ..)?);
        "iter_axis" => all_used(x.iter_axis(axis)?);
        "quantile_axis" => used(x.quantile_axis(axis, 0.3)?);
        "swap_axes" => used(x.swap_axes(axis, -1)?);
        "move_axis" => used(x.move_axis(axis, -1)?);
        "concat" => used(x.concat(x, axis)?);
        "stack" => used(DynTensor::stack([x, x], axis)?);
        "permute" => used(x.permute(&[axis])?);
    };
    let attempts = methods.into_iter().chain(more).flat_map(|(name, method)| {
        SHAPES.iter().flat_map(move |sizes| {
            AXES.iter().map(move |&axis| {
                // Whether the axis, the rank or a size is at fault, the message has one of them.
                let rank = sizes.len().to_string();
                let mut numbers = vec![axis.to_string(), rank, "empty".into(), "no element".into()];
                numbers.extend(sizes.iter().map(usize::to_string));
                attempt(format!("{name}({axis}) of {sizes:?}"), &numbers, || {
                    method((&tensor(sizes), axis))
                })
            })
        })
    });
    expect_none(attempts.flatten());
}

#[test]
fn an_axis_and_a_size() {
    let methods = methods! { (x, axis, size), (&Tensor, isize, usize);
        "index" => used(x.index(axis, size)?);
        "windows" => used(x.windows(axis, size)?);
        "repeat" => used(x.repeat(axis, size)?);
        "repeat_each" => used(x.repeat_each(axis, &[size, size, size])?);
        "topk" => used(x.topk(axis, size)?.0);
        "topk_smallest" => used(x.topk_smallest(axis, size)?.0);
        "kthvalue" => used(x.kthvalue(axis, size)?.0);
        "chunk" => all_used(x.chunk(axis, size)?.into_iter().take(9));
        "chunks_axis" => all_used(x.chunks_axis(axis, size)?);
        "split" => all_used(x.split(axis, &[size, size])?);
        "split into none" => all_used(x.split(axis, &[])?);
        "unflatten" => used(x.unflatten(axis, &[size, size])?);
        "unflatten into none" => used(x.unflatten(axis, &[])?);
        "slice_axis from" => used(x.slice_axis(axis, size..)?);
        "slice_axis through" => used(x.slice_axis(axis, ..=size)?);
        "slice_axis backwards" => used(x.slice_axis(axis, size..0)?);
        "group_norm" => used(x.group_norm(axis, size, 1e-5)?);
        "var_axis_corrected" => used(x.var_axis_corrected(axis, size)?);
        "std_axis_corrected" => used(x.std_axis_corrected(axis, size)?);
    };
    let attempts = methods.into_iter().flat_map(|(name, method)| {
        SHAPES.iter().flat_map(move |sizes| {
            AXES.iter().flat_map(move |&axis| {
                SIZES.iter().map(move |&size| {
                    attempt(format!("{name}({axis}, {size}) of {sizes:?}"), &[], || {
                        method((&tensor(sizes), axis, size))
                    })
                })
            })
        })
    });
    expect_none(attempts.flatten());
}

#[test]
fn two_axes_and_signed_numbers() {
    let methods = methods! { (x, first, second), (&Tensor, isize, isize);
        "swap_axes" => used(x.swap_axes(first, second)?);
        "move_axis" => used(x.move_axis(first, second)?);
        "flatten_axes" => used(x.flatten_axes(first, second)?);
        "diagonal" => used(x.diagonal(first, second, -1)?);
        "diagonal of axes" => used(x.diagonal(isize::MIN, first, second)?);
        "flip" => used(x.flip(&[first, second])?);
        "permute" => used(x.permute(&[first, second])?);
        "sum_axes" => used(x.sum_axes(&[first, second])?);
        "mean_axes" => used(x.mean_axes(&[first, second])?);
        "max_axes" => used(x.max_axes(&[first, second])?);
        "prod_axes_keepdims" => used(x.prod_axes_keepdims(&[first, second])?);
        "var_axes_corrected" => used(x.var_axes_corrected(&[first, second], 1)?);
        "tensordot" => used(x.tensordot(x, &[first], &[second])?);
        "tensordot of two" => used(x.tensordot(x, &[first, second], &[first, second])?);
        "roll" => used(x.roll(first, second)?);
        "tril" => used(x.tril(first)?);
        "triu" => used(x.triu(second)?);
        "pad" => used(x.pad(&[[first, second]], Padding::Constant(0.0))?);
        "pad by edges" => used(x.pad(&[[first, second]], Padding::Edge)?);
        "pad by mirrors" => used(x.pad(&[[first.min(3), second.min(3)]], Padding::Reflect)?);
        "pad by symmetry" => used(x.pad(&[[first.min(3), second.min(3)]], Padding::Symmetric)?);
        "pad around" => used(x.pad(&[[first.min(3), second.min(3)]], Padding::Wrap)?);
        "pad twice" => used(x.pad(&[[first, second], [second, first]], Padding::Constant(0.0))?);
        "slice_axis_step" => used(x.slice_axis_step(-1, first, Some(second), 1)?);
        "slice_axis_step by" => used(x.slice_axis_step(0, 0, Some(first), second)?);
        "slice_axis_step from" => used(x.slice_axis_step(0, first, None, second)?);
        "reshape_infer" => used(x.reshape_infer(&[first, second])?);
        "slice" => used(x.slice(slice![first.unsigned_abs().., second.unsigned_abs()])?);
        "assign_slice" => x.clone().assign_slice(slice![first.unsigned_abs()..second.unsigned_abs()], x)
            .map_err(Into::into);
        "take" => used(x.take(first, &DynTensor::full(&[2], second as i64))?);
        "take_along_axis" => used(x.take_along_axis(first, &DynTensor::full(&[2, 3], second as i64))?);
        "scatter" => used(x.scatter(first, &DynTensor::full(&[2, 3], second as i64), x)?);
        "scatter_add" => used(x.scatter_add(first, &DynTensor::full(&[2, 3], second as i64), x)?);
        "index_add" => used(x.index_add(first, &DynTensor::full(&[2], second as i64), x)?);
        "index_copy" => used(x.index_copy(first, &DynTensor::full(&[2], second as i64), x)?);
        "embedding" => used(x.embedding(&DynTensor::full(&[2], first as i64))?);
        "one_hot" => used(DynTensor::full(&[2], first as i64).one_hot(second.unsigned_abs())?);
        "bincount" => DynTensor::full(&[2], first as i64).bincount(second.unsigned_abs())
            .map(drop).map_err(Into::into);
    };
    let attempts = methods.into_iter().flat_map(|(name, method)| {
        SHAPES.iter().flat_map(move |sizes| {
            AXES.iter().flat_map(move |&first| {
                AXES.iter().map(move |&second| {
                    attempt(format!("{name}({first}, {second}) of {sizes:?}"), &[], || {
                        method((&tensor(sizes), first, second))
                    })
                })
            })
        })
    });
    expect_none(attempts.flatten());
}
