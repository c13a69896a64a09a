//! Joins of tensors, padding, repeats and triangles.

use super::{Attributes, literal, shape, shape_type};
use crate::corpus::Case;
use serde_json::Value;

pub fn expression(case: &Case) -> Option<String> {
    let axis = || case.integer("axis").unwrap();
    Some(match case.op.as_str() {
        "concat" => concat(case, axis()),
        "stack" => format!("Tensor::stack::<{}, _>([{}])", axis(), operands(case).join(", ")),
        "tile" => format!("x.tile::<shape!{:?}>()", case.list("repeats").unwrap()),
        "repeat_interleave" => match case.list("repeats") {
            Some(counts) => {
                let sum: isize = counts.iter().sum();
                format!("x.repeat_each::<{}, dim!({sum})>(&{counts:?})", axis())
            }
            None => format!("x.repeat::<{}, {}>()", axis(), case.integer("repeats").unwrap()),
        },
        "roll" => {
            let shifts = case.list("shifts").unwrap();
            let rolls = case.list("axes").unwrap().into_iter().zip(shifts);
            rolls.fold("x".to_owned(), |x, (axis, shift)| format!("{x}.roll::<{axis}>({shift})"))
        }
        op @ ("tril" | "triu") => format!("x.{op}({})", case.integer("k").unwrap()),
        "pad" => pad(case),
        _ => return None,
    })
}

/// `&x0`, `&x1` …
fn operands(case: &Case) -> Vec<String> {
    case.inputs.iter().map(|input| format!("&{}", input.name)).collect()
}

/// Two tensors concatenated.
fn concat(case: &Case, axis: isize) -> String {
    let operands = operands(case);
    let [first, rest @ ..] = &operands[..] else { panic!("{}: no input", case.id) };
    if rest.is_empty() {
        let sizes = shape(case, &case.inputs[0].name);
        let size = sizes[axis.rem_euclid(sizes.len() as isize).unsigned_abs()];
        return format!("Tensor::concat_all::<{axis}, dim!({size})>([{first}])");
    }
    rest.iter().fold(first.trim_start_matches('&').to_owned(), |lead, operand| {
        format!("{lead}.concat::<{axis}, _>({operand})")
    })
}

fn pad(case: &Case) -> String {
    let pads = case.attrs["pads"].as_array().unwrap();
    let amount = |pair: &Value, side: usize| pair[side].as_i64().expect("an amount") as isize;
    let amounts = |side: usize| {
        let amounts = pads.iter().map(|pair| amount(pair, side).max(0).unsigned_abs());
        amounts.collect::<Vec<usize>>()
    };
    let padding = match case.attrs["mode"].as_str().unwrap() {
        "constant" => {
            let value = case.number("value").unwrap_or_default();
            format!("Constant({})", literal(value, &case.inputs[0].dtype))
        }
        "edge" => "Edge".to_owned(),
        "reflect" => "Reflect".to_owned(),
        "symmetric" => "Symmetric".to_owned(),
        "wrap" => "Wrap".to_owned(),
        other => panic!("{}: padding `{other}`", case.id),
    };
    // A negative amount is a slice.
    let x = match pads.iter().any(|pair| amount(pair, 0) < 0 || amount(pair, 1) < 0) {
        false => "x".to_owned(),
        true => {
            let parts = pads.iter().map(|pair| match (amount(pair, 0), amount(pair, 1)) {
                (before, behind @ ..0) => format!("{}..{behind}", -before.min(0)),
                (before, _) => format!("{}..", -before.min(0)),
            });
            format!("x.slice(slice![{}])", parts.collect::<Vec<_>>().join(", "))
        }
    };
    let (before, behind) = (shape_type(&amounts(0)), shape_type(&amounts(1)));
    format!("{x}.pad::<{before}, {behind}>(Padding::{padding})")
}
