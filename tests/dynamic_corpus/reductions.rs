//! Reductions, and operations along an axis.

use tensor_core::element::Number;
use tensor_core::{DynTensor, Float, ShapeError};

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one};

/// The axes of a reduction; all if the case names none.
fn axes<T: Written>(x: &Operands<'_, T>) -> Vec<isize> {
    let all = || (0..x.rank() as isize).collect();
    match x.op() {
        "global_avg_pool" | "global_max_pool" => (2..x.rank() as isize).collect(),
        _ => x.case.list("axes").unwrap_or_else(all),
    }
}

pub fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let axes = &axes(x)[..];
    let keepdims = x.case.flag("keepdims");
    let sum = |x: DynTensor<T>| match keepdims {
        true => x.sum_axes_keepdims(axes),
        false => x.sum_axes(axes),
    };
    match (x.op(), keepdims) {
        ("reduce_sum", _) => one(sum(x.get("x"))),
        ("reduce_l1", _) => one(sum(x.get("x").abs())),
        ("reduce_sum_square", _) => one(sum(x.get("x").square())),
        ("reduce_prod", false) => one(x.get("x").prod_axes(axes)),
        ("reduce_prod", true) => one(x.get("x").prod_axes_keepdims(axes)),
        ("reduce_max", false) => one(x.get("x").max_axes(axes)),
        ("reduce_max", true) => one(x.get("x").max_axes_keepdims(axes)),
        ("reduce_min", false) => one(x.get("x").min_axes(axes)),
        ("reduce_min", true) => one(x.get("x").min_axes_keepdims(axes)),
        ("global_max_pool", _) => one(x.get("x").max_axes_keepdims(axes)),
        ("argmax" | "argmin", _) => chosen(x, keepdims),
        _ => Ok(None),
    }
}

/// Indices of the largest and the smallest elements.
fn chosen<T: Written + Number>(x: &Operands<'_, T>, keepdims: bool) -> Results {
    let mut tensor = x.get("x");
    if x.case.flag("select_last") {
        // The last of equal elements: the first from the other end.
        let axis = x.case.integer("axis").expect("an axis");
        tensor = tensor.flip(&[axis])?;
        let last = tensor.sizes()[axis.rem_euclid(tensor.rank() as isize) as usize] as i64 - 1;
        let index = match (x.op(), keepdims) {
            ("argmax", false) => tensor.argmax_axis(axis),
            ("argmax", true) => tensor.argmax_axis_keepdims(axis),
            ("argmin", false) => tensor.argmin_axis(axis),
            _ => tensor.argmin_axis_keepdims(axis),
        }?;
        return one(Ok(-index + last));
    }
    match (x.op(), x.case.integer("axis"), keepdims) {
        ("argmax", Some(axis), false) => one(tensor.argmax_axis(axis)),
        ("argmax", Some(axis), true) => one(tensor.argmax_axis_keepdims(axis)),
        ("argmin", Some(axis), false) => one(tensor.argmin_axis(axis)),
        ("argmin", Some(axis), true) => one(tensor.argmin_axis_keepdims(axis)),
        (op, None, _) => {
            let chosen = if op == "argmax" { tensor.argmax()? } else { tensor.argmin()? };
            match keepdims {
                true => one(chosen.reshape(&vec![1; x.rank()])),
                false => one(Ok(chosen)),
            }
        }
        _ => Ok(None),
    }
}

pub fn floats<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    let axes = &axes(x)[..];
    let keepdims = x.case.flag("keepdims");
    let correction = x.case.integer("correction").unwrap_or(0).unsigned_abs();
    let sum = |x: DynTensor<T>| match keepdims {
        true => x.sum_axes_keepdims(axes),
        false => x.sum_axes(axes),
    };
    match (x.op(), keepdims) {
        ("reduce_l2", _) => one(sum(x.get("x").square()).map(|sum| sum.sqrt())),
        ("reduce_log_sum", _) => one(sum(x.get("x")).map(|sum| sum.ln())),
        ("reduce_mean", false) => one(x.get("x").mean_axes(axes)),
        ("reduce_mean", true) => one(x.get("x").mean_axes_keepdims(axes)),
        ("global_avg_pool", _) => one(x.get("x").mean_axes_keepdims(axes)),
        ("reduce_log_sum_exp", false) => one(x.get("x").logsumexp_axes(axes)),
        ("reduce_log_sum_exp", true) => one(x.get("x").logsumexp_axes_keepdims(axes)),
        ("reduce_var", false) => one(x.get("x").var_axes_corrected(axes, correction)),
        ("reduce_var", true) => one(x.get("x").var_axes_keepdims_corrected(axes, correction)),
        ("reduce_std", false) => one(x.get("x").std_axes_corrected(axes, correction)),
        ("reduce_std", true) => one(x.get("x").std_axes_keepdims_corrected(axes, correction)),
        ("softmax", _) => one(x.get("x").softmax(x.case.integer("axis").expect("an axis"))),
        ("log_softmax", _) => one(x.get("x").log_softmax(x.case.integer("axis").expect("an axis"))),
        ("soft_cross_entropy", _) => {
            let axis = x.case.integer("axis").expect("an axis");
            let products = (&x.get("labels") * &x.get("x").log_softmax(axis)?)?;
            one(products.sum_axis(axis).map(|sum| sum * T::from_f64(-1.0)))
        }
        ("layer_norm", _) => layer_norm(x),
        ("rms_norm", _) => {
            let (joined, eps) = joined(x)?;
            one(scaled(x, joined.rms_norm(-1, eps.to_f64())?))
        }
        ("batch_norm", _) => {
            let (mean, variance) = (x.get("mean"), x.get("var"));
            one(by_channels(x, x.get("x").batch_norm(1, &mean, &variance, eps(x).to_f64())?))
        }
        ("instance_norm" | "group_norm", _) => {
            let (values, eps) = (x.get("x"), eps(x).to_f64());
            one(by_channels(
                x,
                match x.case.integer("groups") {
                    Some(groups) => values.group_norm(1, groups.unsigned_abs(), eps)?,
                    None => values.instance_norm(1, eps)?,
                },
            ))
        }
        _ => Ok(None),
    }
}

fn eps<T: Written>(x: &Operands<'_, T>) -> T {
    x.scalar("eps").expect("eps")
}

/// Lines along the last axis with mean 0 and variance 1.
fn standardized<T: Written + Float>(x: &DynTensor<T>, eps: T) -> Result<DynTensor<T>, ShapeError> {
    let centred = (x - &x.mean_axis_keepdims(-1)?)?;
    &centred * &(x.var_axis_keepdims(-1)? + eps).rsqrt()
}

/// The operand with the axes that are normalised as one.
fn joined<T: Written>(x: &Operands<'_, T>) -> Result<(DynTensor<T>, T), ShapeError> {
    let axis = x.case.integer("axis").expect("an axis");
    Ok((x.get("x").flatten_axes(axis, -1)?, eps(x)))
}

/// The result in the sizes of the operand, times `scale` plus `bias` where the case has them.
fn scaled<T: Written + Float>(
    x: &Operands<'_, T>,
    result: DynTensor<T>,
) -> Result<DynTensor<T>, ShapeError> {
    let mut result = result.reshape(x.get("x").sizes())?;
    if x.has("scale") {
        result = in_place_of(&result, &result * &x.get("scale"))?;
    }
    if x.has("bias") {
        result = in_place_of(&result, &result + &x.get("bias"))?;
    }
    Ok(result)
}

/// A result that has the sizes of what it comes from: `scale` and `bias` do not stretch it.
fn in_place_of<T: Written>(
    before: &DynTensor<T>,
    result: Result<DynTensor<T>, ShapeError>,
) -> Result<DynTensor<T>, ShapeError> {
    let result = result?;
    result.expand(before.sizes())
}

/// One number for each channel, with axes of size 1 for what follows the channels.
fn channels<T: Written>(x: DynTensor<T>, rank: usize) -> Result<DynTensor<T>, ShapeError> {
    (2..rank).try_fold(x, |x, _| x.unsqueeze(-1))
}

fn by_channels<T: Written + Float>(
    x: &Operands<'_, T>,
    result: DynTensor<T>,
) -> Result<DynTensor<T>, ShapeError> {
    let channel = |name| channels(x.get(name), x.rank());
    &(&result * &channel("scale")?)? + &channel("bias")?
}

fn layer_norm<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    let (joined, eps) = joined(x)?;
    let mut results = vec![scaled(x, standardized(&joined, eps)?)?.into()];
    let outputs = x.case.outputs();
    if let [_, mean, deviation] = outputs {
        let found = joined.mean_axis_keepdims(-1)?;
        results.push(found.reshape(&mean.shape)?.into());
        let found = (joined.var_axis_keepdims(-1)? + eps).rsqrt();
        results.push(found.reshape(&deviation.shape)?.into());
    }
    Ok(Some(results))
}

pub fn booleans(x: &Operands<'_, bool>) -> Results {
    let axes = &axes(x)[..];
    match (x.op(), x.case.flag("keepdims")) {
        ("reduce_all", false) => one(x.get("x").all_axes(axes)),
        ("reduce_all", true) => one(x.get("x").all_axes_keepdims(axes)),
        ("reduce_any", false) => one(x.get("x").any_axes(axes)),
        ("reduce_any", true) => one(x.get("x").any_axes_keepdims(axes)),
        _ => Ok(None),
    }
}
