//! Operations that take a part of a tensor, split it, or turn axes around.

use crate::Results;
use crate::computed::Written;
use crate::operands::{Operands, one};

pub fn elements<T: Written>(x: &Operands<'_, T>) -> Results {
    let axis = |name| x.case.integer(name).expect("an axis");
    match x.op() {
        "slice" => slice(x),
        "split" => {
            let sizes = x.case.list("sizes").expect("sizes");
            let sizes: Vec<usize> = sizes.into_iter().map(isize::unsigned_abs).collect();
            let parts = x.get("x").split(axis("axis"), &sizes)?;
            Ok(Some(parts.into_iter().map(Into::into).collect()))
        }
        "flip" => one(x.get("x").flip(&x.case.list("axes").expect("axes"))),
        "swap_axes" => one(x.get("x").swap_axes(axis("axis0"), axis("axis1"))),
        "diagonal" => one(x.get("x").diagonal(axis("k"), axis("axis0"), axis("axis1"))),
        _ => Ok(None),
    }
}

/// The slices of all axes, as NumPy resolves them: this library refuses bounds beyond the axis.
fn slice<T: Written>(x: &Operands<'_, T>) -> Results {
    let Some(resolved) = x.case.attrs.get("resolved").and_then(|parts| parts.as_array()) else {
        return refused(x);
    };
    let mut result = x.get("x");
    for (axis, part) in (0..).zip(resolved) {
        let number = |place: usize| part[place].as_i64().expect("a number") as isize;
        let (start, len, step) = (number(0), number(1), number(2));
        let size = result.sizes()[axis as usize] as isize;
        let (first, end) = match (len, step) {
            (0, _) => (start.clamp(0, size), start.clamp(0, size)),
            (_, 1..) => (start, (start + len * step).min(size)),
            // The same indices from the last to the first.
            _ => (start + (len - 1) * step, start + 1),
        };
        result = result.slice_axis_step(axis, first, Some(end), step)?;
    }
    one(Ok(result))
}

/// A slice that NumPy refuses, as it is written.
fn refused<T: Written>(x: &Operands<'_, T>) -> Results {
    let list = |name| x.case.list(name).expect("a list");
    let (starts, ends) = (list("starts"), list("ends"));
    let axes = x.case.list("axes").unwrap_or_else(|| (0..starts.len() as isize).collect());
    let steps = x.case.list("steps").unwrap_or_else(|| vec![1; starts.len()]);
    let mut result = x.get("x");
    for (place, axis) in axes.into_iter().enumerate() {
        result = result.slice_axis_step(axis, starts[place], Some(ends[place]), steps[place])?;
    }
    one(Ok(result))
}
