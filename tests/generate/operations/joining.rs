//! Joins of tensors, padding, repeats and triangles.

use super::{Attributes, literal, shape, shape_type};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    let axis = || case.integer("axis").unwrap();
    Some(Ok(match case.op.as_str() {
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
        "pad" => return Some(pad(case)),
        _ => return None,
    }))
}

/// `&x0`, `&x1` …
fn operands(case: &Case) -> Vec<String> {
    case.inputs.iter().map(|input| format!("&{}", input.name)).collect()
}

/// One tensor behind the other.
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

fn pad(case: &Case) -> Result<String, &'static str> {
    let pads = case.attrs["pads"].as_array().unwrap();
    let amounts = |side: usize| -> Result<Vec<usize>, _> {
        pads.iter()
            .map(|pair| pair[side].as_u64().and_then(|amount| usize::try_from(amount).ok()))
            .collect::<Option<_>>()
            .ok_or("a negative amount of padding is a slice")
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
    let (before, behind) = (shape_type(&amounts(0)?), shape_type(&amounts(1)?));
    Ok(format!("x.pad::<{before}, {behind}>(Padding::{padding})"))
}
