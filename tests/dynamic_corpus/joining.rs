//! Joins of tensors, padding, repeats, triangles, and shapes of which a size is left out.

use serde_json::Value;
use tensor_core::{DynTensor, Element, Padding};

use crate::Results;
use crate::computed::Written;
use crate::corpus::Case;
use crate::operands::{Operands, one};

/// Why a case of these operations is left out.
pub fn left_out(case: &Case) -> Option<&'static str> {
    match case.op.as_str() {
        "pad" if !case.ok && case.attrs["mode"] != "constant" => {
            Some("padding goes on mirroring, as NumPy's does")
        }
        _ => None,
    }
}

pub fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    let axis = || x.case.integer("axis").expect("an axis");
    let parts =
        || x.case.inputs.iter().map(|input| x.get(&input.name)).collect::<Vec<DynTensor<T>>>();
    match x.op() {
        "concat" => one(DynTensor::concat_all(&parts(), axis())),
        "stack" => one(DynTensor::stack(&parts(), axis())),
        "tile" => {
            let counts = x.case.list("repeats").expect("counts");
            let counts: Vec<usize> = counts.iter().map(|&count| count.unsigned_abs()).collect();
            one(x.get("x").tile(&counts))
        }
        "repeat_interleave" => match x.case.list("repeats") {
            Some(counts) => {
                let counts: Vec<usize> = counts.iter().map(|&count| count.unsigned_abs()).collect();
                one(x.get("x").repeat_each(axis(), &counts))
            }
            None => {
                let count = x.case.integer("repeats").expect("a count");
                one(x.get("x").repeat(axis(), count.unsigned_abs()))
            }
        },
        "roll" => {
            let (shifts, axes) = (x.case.list("shifts"), x.case.list("axes"));
            let mut tensor = x.get("x");
            for (&shift, &axis) in shifts.iter().flatten().zip(axes.iter().flatten()) {
                tensor = tensor.roll(axis, shift)?;
            }
            one(Ok(tensor))
        }
        "tril" => one(x.get("x").tril(x.case.integer("k").expect("a diagonal"))),
        "triu" => one(x.get("x").triu(x.case.integer("k").expect("a diagonal"))),
        "pad" => pad(x),
        "reshape" => match x.case.list("shape") {
            Some(sizes) if sizes.iter().any(|&size| size < 0) && !x.case.ok => {
                one(x.get("x").reshape_infer(&sizes))
            }
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

fn pad<T: Written>(x: &Operands<'_, T>) -> Results {
    let padding = match x.case.attrs["mode"].as_str().expect("a mode") {
        "constant" => Padding::Constant(match &x.case.attrs["value"] {
            Value::Null => <T as Element>::ZERO,
            value => T::read(value),
        }),
        "edge" => Padding::Edge,
        "reflect" => Padding::Reflect,
        "symmetric" => Padding::Symmetric,
        "wrap" => Padding::Wrap,
        other => panic!("padding `{other}`"),
    };
    let pads = x.case.attrs["pads"].as_array().expect("pairs");
    let amount = |pair: &Value, side: usize| pair[side].as_i64().expect("an amount") as isize;
    let pads: Vec<[isize; 2]> =
        pads.iter().map(|pair| [amount(pair, 0), amount(pair, 1)]).collect();
    one(x.get("x").pad(&pads, padding))
}
