//! Reductions, along one axis, several axes, or all of them.

use super::{Attributes, rank, shape};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    if let Some(op) = case.op.strip_prefix("reduce_") {
        return Some(Ok(reduce(case, op)));
    }
    let axis = case.integer("axis");
    Some(match case.op.as_str() {
        op @ ("argmax" | "argmin") if case.flag("select_last") => Ok(last(case, op)),
        op @ ("argmax" | "argmin") => Ok(match (axis, case.flag("keepdims")) {
            (Some(axis), true) => format!("x.{op}_axis_keepdims::<{axis}>()"),
            (Some(axis), false) => format!("x.{op}_axis::<{axis}>()"),
            (None, false) => format!("x.{op}()"),
            (None, true) => return Some(Err("the index of the largest of all has no axes")),
        }),
        op @ ("softmax" | "log_softmax") => Ok(format!("x.{op}::<{}>()", axis.unwrap())),
        "cumsum" => {
            let exclusive = if case.flag("exclusive") { "_exclusive" } else { "" };
            let reverse = if case.flag("reverse") { "_reverse" } else { "" };
            Ok(format!("x.cumsum{exclusive}{reverse}::<{}>()", axis.unwrap()))
        }
        "global_avg_pool" => Ok(along("x", "mean", &axes_from(2, rank(case)), true)),
        "global_max_pool" => Ok(along("x", "max", &axes_from(2, rank(case)), true)),
        "soft_cross_entropy" => {
            let axis = axis.unwrap();
            Ok(format!("-(&labels * x.log_softmax::<{axis}>()).sum_axis::<{axis}>()"))
        }
        _ => return None,
    })
}

/// The last of equal elements: the first from the other end.
fn last(case: &Case, op: &str) -> String {
    let axis = case.integer("axis").unwrap();
    let size = shape(case, "x")[axis.rem_euclid(rank(case)).unsigned_abs()];
    let form = if case.flag("keepdims") { "_keepdims" } else { "" };
    format!("{}_i64 - x.flip::<axes![{axis}]>().{op}_axis{form}::<{axis}>()", size - 1)
}

/// The axes from `first` to the last one.
pub fn axes_from(first: isize, rank: isize) -> Vec<isize> {
    (first..rank).collect()
}

fn reduce(case: &Case, op: &str) -> String {
    let keepdims = case.flag("keepdims");
    let axes = case.list("axes");
    let is_float = case.inputs[0].dtype.starts_with('f');
    let (x, method, after) = match op {
        "l1" if is_float => ("x", "norm_l1", ""),
        "l1" => ("x.abs()", "sum", ""),
        "l2" => ("x", "norm", ""),
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

/// The reduction along some axes.
fn along(x: &str, method: &str, axes: &[isize], keepdims: bool) -> String {
    let form = if keepdims { "_keepdims" } else { "" };
    match axes {
        [axis] => format!("{x}.{method}_axis{form}::<{axis}>()"),
        axes => format!("{x}.{method}_axes{form}::<axes!{axes:?}>()"),
    }
}

/// Variance and standard deviation.
fn deviation(case: &Case, op: &str, axes: Option<&[isize]>, keepdims: bool) -> String {
    let correction = case.integer("correction").unwrap();
    let all = axes_from(0, rank(case));
    let form = if keepdims { "_keepdims" } else { "" };
    match axes {
        None if !keepdims => format!("x.{op}_corrected({correction})"),
        Some([axis]) => format!("x.{op}_axis{form}_corrected::<{axis}>({correction})"),
        axes => {
            let axes = axes.unwrap_or(&all);
            format!("x.{op}_axes{form}_corrected::<axes!{axes:?}>({correction})")
        }
    }
}
