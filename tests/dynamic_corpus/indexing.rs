//! Operations by indices and of order, and losses that are written with them.

use tensor_core::element::Number;
use tensor_core::{DynTensor, Float, IndexingError};

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one, scalar};

fn taken<T: Written>(result: Result<DynTensor<T>, IndexingError>) -> Results {
    Ok(Some(vec![result?.into()]))
}

pub fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    let axis = || x.case.integer("axis").expect("an axis");
    let indices = || x.of::<i64>("indices");
    match x.op() {
        "gather" => taken(x.get("x").take(axis(), &indices())),
        "embedding" => taken(x.get("weight").embedding(&indices())),
        "gather_elements" => {
            let (mut tensor, indices) = (x.get("x"), indices());
            if x.case.ok {
                // PyTorch cuts the tensor to the indices.
                for (other, &size) in
                    (0..).zip(indices.sizes()).filter(|(other, _)| *other != axis())
                {
                    tensor = tensor.slice_axis(other, ..size)?;
                }
            }
            taken(tensor.take_along_axis(axis(), &indices))
        }
        "scatter_elements" if x.case.attrs["reduction"] == "none" => {
            taken(x.get("x").scatter(axis(), &indices(), &x.get("updates")))
        }
        "compress" => match (x.case.integer("axis"), x.of("cond")) {
            (Some(axis), mask) => one(x.get("x").compress(axis, &mask)),
            // The elements as a vector of the mask's length.
            (None, mask) => {
                one(x.get("x").flatten().slice_axis(0, ..mask.len())?.compress(0, &mask))
            }
        },
        "sort" => {
            let x = x.get("x");
            let (values, indices) = (x.sort_descending(axis())?, x.argsort_descending(axis())?);
            Ok(Some(vec![values.into(), indices.into()]))
        }
        "top_k" => {
            let k = x.case.integer("k").expect("a number") as usize;
            let (values, indices) = x.get("x").topk(axis(), k)?;
            Ok(Some(vec![values.into(), indices.into()]))
        }
        "unique" if x.case.integer("axis").is_some() => {
            let (slices, first, inverse, counts) = x.get("x").unique_all_axis(axis())?;
            Ok(Some(vec![slices.into(), first.into(), inverse.into(), counts.into()]))
        }
        "unique" => {
            let (values, first, inverse, counts) = x.get("x").unique_all();
            if x.case.flag("sorted") {
                return Ok(Some(vec![values.into(), first.into(), inverse.into(), counts.into()]));
            }
            // In the order of their first occurrence.
            let order = first.argsort(0)?;
            Ok(Some(vec![
                values.take(0, &order)?.into(),
                first.take(0, &order)?.into(),
                order.argsort(0)?.take(0, &inverse)?.into(),
                counts.take(0, &order)?.into(),
            ]))
        }
        "one_hot" => match x.case.outputs()[0].dtype.as_str() {
            "f32" => one_hot::<f32, T>(x),
            _ => one_hot::<i32, T>(x),
        },
        _ => Ok(None),
    }
}

fn one_hot<O: Written + Number, T: Written>(x: &Operands<'_, T>) -> Results {
    let number = |name| x.case.number(name).expect("a number");
    let depth = x.case.integer("depth").expect("a depth") as usize;
    let hot = x.of::<i64>("indices").one_hot::<O>(depth)?;
    let scale = scalar(O::from_f64(number("on") - number("off")));
    one((hot * scale)? + scalar(O::from_f64(number("off"))))
}

pub fn numbers<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let axis = || x.case.integer("axis").expect("an axis");
    match x.op() {
        "scatter_elements" if x.case.attrs["reduction"] == "max" => {
            taken(x.get("x").scatter_max(axis(), &x.of::<i64>("indices"), &x.get("updates")))
        }
        "cumsum" => one(match (x.case.flag("exclusive"), x.case.flag("reverse")) {
            (false, false) => x.get("x").cumsum(axis()),
            (true, false) => x.get("x").cumsum_exclusive(axis()),
            (false, true) => x.get("x").cumsum_reverse(axis()),
            (true, true) => x.get("x").cumsum_exclusive_reverse(axis()),
        }),
        "hardmax" => hardmax(x),
        _ => elements(x),
    }
}

/// 1 at the largest element of each lane.
fn hardmax<T: Written + Number>(x: &Operands<'_, T>) -> Results {
    let (tensor, rank) = (x.get("x"), x.rank() as isize);
    let axis = x.case.integer("axis").expect("an axis").rem_euclid(rank);
    let hot = tensor.argmax_axis(axis)?.one_hot::<T>(tensor.sizes()[axis as usize])?;
    // The new axis is the last one.
    let mut order: Vec<_> = (0..rank - 1).collect();
    order.insert(axis as usize, rank - 1);
    one(hot.permute(&order))
}

/// The loss of the targets, which are indices of the classes along axis 1, and the logarithms of the
/// probabilities where the case has them.
pub fn floats<T: Written + Float>(x: &Operands<'_, T>) -> Results {
    let log_prob = match x.op() {
        "cross_entropy" => x.get("x").log_softmax(1)?,
        "nll_loss" => x.get("x"),
        _ => return numbers(x),
    };
    let targets = x.of::<i64>("target");
    let kept = match x.case.integer("ignore_index") {
        Some(ignored) => targets.not_equal(&scalar(ignored as i64))?,
        None => DynTensor::full(targets.sizes(), true),
    };
    let targets = (targets * kept.cast::<i64>())?;
    let mut weights = kept.select(&scalar(T::ONE), &scalar(T::ZERO))?;
    if x.has("weight") {
        weights = (weights * x.get("weight").take(0, &targets)?)?;
    }
    let losses = log_prob.take_along_axis(1, &targets.unsqueeze(1)?)?.squeeze(1)?;
    let losses = (losses * &weights)?;
    let loss = match x.case.attrs["reduction"].as_str() {
        Some("none") => losses,
        Some("sum") => losses.sum(),
        _ => (losses.sum() / weights.sum())?,
    };
    let mut results = vec![(-loss).into()];
    if x.case.outputs().len() > 1 {
        results.push(log_prob.into());
    }
    Ok(Some(results))
}
