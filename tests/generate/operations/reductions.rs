//! Reductions, along one axis, several axes one after the other, or all of them.

use super::{Attributes, rank, shape, shape_type};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    if let Some(op) = case.op.strip_prefix("reduce_") {
        return Some(Ok(reduce(case, op)));
    }
    let axis = case.integer("axis");
    Some(match case.op.as_str() {
        "argmax" | "argmin" if case.flag("select_last") => Err("the first of equal elements wins"),
        op @ ("argmax" | "argmin") => Ok(match (axis, case.flag("keepdims")) {
            (Some(axis), true) => format!("x.{op}_axis_keepdims::<{axis}>()"),
            (Some(axis), false) => format!("x.{op}_axis::<{axis}>()"),
            (None, false) => format!("x.{op}()"),
            (None, true) => return Some(Err("the index of the largest of all has no axes")),
        }),
        op @ ("softmax" | "log_softmax") => Ok(format!("x.{op}::<{}>()", axis.unwrap())),
        "cumsum" if case.flag("exclusive") || case.flag("reverse") => {
            Err("no exclusive and no reversed running sum")
        }
        "cumsum" => Ok(format!("x.cumsum::<{}>()", axis.unwrap())),
        "global_avg_pool" => Ok(along("x", "mean", &axes_from(2, rank(case)), true)),
        "global_max_pool" => Ok(along("x", "max", &axes_from(2, rank(case)), true)),
        "soft_cross_entropy" => {
            let axis = axis.unwrap();
            Ok(format!("-(&labels * x.log_softmax::<{axis}>()).sum_axis::<{axis}>()"))
        }
        _ => return None,
    })
}

/// The axes from `first` to the last one.
pub fn axes_from(first: isize, rank: isize) -> Vec<isize> {
    (first..rank).collect()
}

fn reduce(case: &Case, op: &str) -> String {
    let keepdims = case.flag("keepdims");
    let axes = case.list("axes");
    let (x, method, after) = match op {
        "l1" => ("x.abs()", "sum", ""),
        "l2" => ("x.square()", "sum", ".sqrt()"),
        "sum_square" => ("x.square()", "sum", ""),
        "log_sum" => ("x", "sum", ".ln()"),
        "log_sum_exp" => ("x", "logsumexp", ""),
        "var" | "std" => return deviation(case, op, axes.as_deref(), keepdims),
        method => ("x", method, ""),
    };
    let reduced = match (&axes, keepdims) {
        (None, false) => format!("{x}.{method}()"),
        (None, true) => along(x, method, &axes_from(0, rank(case)), true),
        (Some(axes), _) => along(x, method, axes, keepdims),
    };
    format!("{reduced}{after}")
}

/// The reduction along one axis after the other, from the last one on, so that the numbers of the
/// others stay.
fn along(x: &str, method: &str, axes: &[isize], keepdims: bool) -> String {
    let form = if keepdims { "axis_keepdims" } else { "axis" };
    let mut axes = axes.to_vec();
    // Negative axes count from the end: those nearest to the front come last.
    axes.sort_unstable_by_key(|&axis| (axis < 0, std::cmp::Reverse(axis)));
    if axes.len() > 1 && axes.iter().any(|&axis| axis < 0) && !keepdims {
        assert!(axes.iter().any(|&axis| axis >= 0) || axes.len() == 1, "several negative axes");
        // The only negative axis here is -1, which is behind all others.
        axes.sort_unstable_by_key(|&axis| (axis >= 0, std::cmp::Reverse(axis)));
    }
    match axes.as_slice() {
        [] => format!("{x}.clone()"),
        _ => axes.iter().fold(x.to_owned(), |x, axis| format!("{x}.{method}_{form}::<{axis}>()")),
    }
}

/// Variance and standard deviation, which are no reductions one axis after the other: several axes
/// are moved to the end and made one.
fn deviation(case: &Case, op: &str, axes: Option<&[isize]>, keepdims: bool) -> String {
    let correction = case.integer("correction").unwrap();
    let result = shape_type(&case.outputs()[0].shape);
    match (axes, keepdims) {
        (None, false) => format!("x.{op}_corrected({correction})"),
        (None, true) => format!("x.{op}_corrected({correction}).reshape::<{result}>()"),
        (Some([axis]), false) => format!("x.{op}_axis_corrected::<{axis}>({correction})"),
        (Some([axis]), true) if correction == 0 => format!("x.{op}_axis_keepdims::<{axis}>()"),
        (Some([axis]), true) => {
            format!("x.{op}_axis_corrected::<{axis}>({correction}).unsqueeze::<{axis}>()")
        }
        (Some(axes), _) => {
            let reduced = |axis: &isize| axes.iter().any(|&a| a.rem_euclid(rank(case)) == *axis);
            let (last, first): (Vec<_>, Vec<_>) =
                axes_from(0, rank(case)).into_iter().partition(reduced);
            let sizes = shape(case, "x");
            let size = |axis: &isize| sizes[axis.unsigned_abs()];
            let mut joined: Vec<_> = first.iter().map(size).collect();
            joined.push(last.iter().map(size).product());
            let order = [first, last].concat();
            let joined = shape_type(&joined);
            format!(
                "x.permute::<axes!{order:?}>().reshape::<{joined}>().{op}_axis_corrected::<-1>({correction}).reshape::<{result}>()"
            )
        }
    }
}
