//! The statement of a refused case about types: which two of them are not related.

use super::views::{asked, ends};
use super::{Attributes, indexing, products, rank, shape, shape_type, windows};
use crate::corpus::Case;

/// Why a refused case is left out, although its operation exists.
pub fn reason(case: &Case) -> Option<&'static str> {
    if let Some(reason) = windows::reason(case) {
        return Some(reason);
    }
    let negative =
        |name: &str| case.list(name).is_some_and(|list| list.iter().any(|&size| size < 0));
    match case.op.as_str() {
        "expand" if negative("shape") => {
            Some("a size that stays as it is cannot be written in `shape!`")
        }
        "pad" if case.attrs["mode"] == "constant" => {
            Some("amounts of padding are those of the last axes")
        }
        "pad" => Some("padding goes on mirroring, as NumPy's does"),
        "unsqueeze" => Some("axes are added one at a time, so that none can be added twice"),
        _ => None,
    }
}

/// The relation that decides about the case, in the name of `tests/table`, for an operation whose
/// refusals are checked.
pub fn relation(case: &Case) -> Option<String> {
    let typed = |name: &str| shape_type(shape(case, name));
    let has_axis = |axis: isize| format!("HasAxisAt<{}, {axis}>", typed("x"));
    Some(match case.op.as_str() {
        "add" | "sub" | "mul" | "div" | "pow" | "min" | "max" | "eq" => {
            format!("Broadcasts<{}, {}>", typed("a"), typed("b"))
        }
        "where" => format!("Selects<{}, {}, {}>", typed("cond"), typed("x"), typed("y")),
        "matmul" => format!("Matmuls<{}, {}>", typed("a"), typed("b")),
        "vecdot" => format!("Matmuls<{}, {}>", ones(case, "a", 1), ones(case, "b", 0)),
        "dot" => format!("Dots<{}, {}>", typed("a"), typed("b")),
        "linear" => format!("Dots<{}, {}>", typed("x"), products::transposed(case, "w")),
        "gemm" => gemm(case),
        "layer_norm" => {
            format!("Broadcasts<{}, {}>", typed("x"), shape_type(&case.input("scale")?.shape))
        }
        "soft_cross_entropy" => format!("Broadcasts<{}, {}>", typed("labels"), typed("x")),
        "expand" => format!("Expands<{}, {}>", typed("x"), asked(case)?),
        "reshape" => format!("Reshapes<{}, {}>", typed("x"), asked(case)?),
        "transpose" => format!("Permutes<{}, {}>", typed("x"), positions(&case.list("perm")?)),
        "squeeze" => format!("Squeezes<{}, {}>", typed("x"), *case.list("axes")?.first()?),
        "swap_axes" => has_axis(case.integer("axis0")?),
        "diagonal" => {
            let (first, second) = (case.integer("axis0")?, case.integer("axis1")?);
            format!("HasDiagonal<{}, {first}, {second}>", typed("x"))
        }
        "split" => {
            let sizes: Vec<usize> =
                case.list("sizes")?.into_iter().map(isize::unsigned_abs).collect();
            format!("Splits<{}, {}, {}>", typed("x"), case.integer("axis")?, shape_type(&sizes))
        }
        "flatten" if rank(case) > 0 => {
            let (start, end) = ends(case);
            format!("Flattens<{}, {start}, {end}>", typed("x"))
        }
        "cumsum" | "softmax" | "log_softmax" | "argmax" | "argmin" => {
            has_axis(case.integer("axis")?)
        }
        "concat" => concat(case),
        "stack" => {
            let shape = |input: usize| {
                let input = case.inputs.get(input).or(case.inputs.first());
                input.map(|input| shape_type(&input.shape))
            };
            format!("Stacks<{}, {}, {}>", shape(0)?, case.integer("axis")?, shape(1)?)
        }
        "conv" | "max_pool" | "avg_pool" => windows::relation(case)?,
        // That an axis has no element to choose is not seen in the types.
        "reduce_max" | "reduce_min" if !case.ok => return None,
        "reduce_max" | "reduce_min" | "reduce_sum" => match case.list("axes")?.as_slice() {
            &[axis] => has_axis(axis),
            _ => return None,
        },
        _ => return indexing::relation(case),
    })
}

/// The axis of the only tensor, or the first two that cannot be concatenated.
fn concat(case: &Case) -> String {
    let axis = case.integer("axis").unwrap();
    let shapes: Vec<_> = case.inputs.iter().map(|input| &input.shape[..]).collect();
    let [first, rest @ ..] = &shapes[..] else { panic!("{}: no input", case.id) };
    let without = |shape: &[usize]| {
        let axis = usize::try_from(axis.rem_euclid(shape.len().max(1) as isize)).unwrap();
        let sizes = shape.iter().enumerate().filter(|&(number, _)| number != axis);
        sizes.map(|(_, &size)| size).collect::<Vec<_>>()
    };
    let differs = rest.iter().find(|shape| without(shape) != without(first));
    match differs.or(rest.first()) {
        Some(other) => {
            format!("Concats<{}, {axis}, {}>", shape_type(first), shape_type(other))
        }
        None => format!("HasAxisAt<{}, {axis}>", shape_type(first)),
    }
}

/// The expansion of `axes!`; the macro itself rejects some of the lists that are refused here.
fn positions(axes: &[isize]) -> String {
    axes.iter().fold("()".to_owned(), |lead, axis| format!("({lead}, AxisIndex<{axis}>)"))
}

/// The shape of an operand of `vecdot` with an axis of size 1 at its end or before it.
fn ones(case: &Case, name: &str, from_the_end: usize) -> String {
    let mut shape = shape(case, name).to_vec();
    shape.insert(shape.len() - from_the_end, 1);
    shape_type(&shape)
}

/// The product, and where that is not at fault, the tensor that is added to it.
fn gemm(case: &Case) -> String {
    let side = |name: &str, flag: &str| match case.flag(flag) {
        true => products::transposed(case, name),
        false => shape_type(shape(case, name)),
    };
    let (a, b) = (side("a", "trans_a"), side("b", "trans_b"));
    match case.input("c") {
        Some(c) => format!("Expands<{}, Product<{a}, {b}>>", shape_type(&c.shape)),
        None => format!("Dots<{a}, {b}>"),
    }
}
