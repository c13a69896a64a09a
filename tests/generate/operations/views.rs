//! Operations that move and stretch axes.

use super::{Attributes, rank, shape, shape_type, sizes};
use crate::corpus::Case;

pub fn expression(case: &Case) -> Option<Result<String, &'static str>> {
    Some(Ok(match case.op.as_str() {
        "transpose" => format!("x.permute::<axes!{:?}>()", case.list("perm").unwrap()),
        "reshape" | "flatten2d" => {
            format!("x.reshape::<{}>()", shape_type(&case.outputs()[0].shape))
        }
        "expand" => format!("x.expand::<{}>()", shape_type(&case.outputs()[0].shape)),
        "flatten" if rank(case) == 0 => "x.flatten()".to_owned(),
        "flatten" => match ends(case) {
            (0, -1) => "x.flatten()".to_owned(),
            (start, end) => format!("x.flatten_axes::<{start}, {end}>()"),
        },
        "squeeze" => squeeze(case),
        "unsqueeze" => unsqueeze(case),
        _ => return None,
    }))
}

pub fn ends(case: &Case) -> (isize, isize) {
    (case.integer("start_axis").unwrap(), case.integer("end_axis").unwrap())
}

/// One axis after the other, from the last one on, so that the numbers of the others stay.
fn squeeze(case: &Case) -> String {
    let ones = || {
        let sizes = shape(case, "x").iter().enumerate();
        sizes.filter(|&(_, &size)| size == 1).map(|(axis, _)| axis as isize).collect()
    };
    let mut axes: Vec<_> = case.list("axes").unwrap_or_else(ones);
    if let [axis] = axes[..] {
        return format!("x.squeeze::<{axis}>()");
    }
    axes.iter_mut().for_each(|axis| *axis = axis.rem_euclid(rank(case)));
    axes.sort_unstable_by(|a, b| b.cmp(a));
    axes.iter().fold("x".to_owned(), |x, axis| format!("{x}.squeeze::<{axis}>()"))
        + if axes.is_empty() { ".clone()" } else { "" }
}

/// One axis after the other, from the first one on, so that each gets the number that it has in
/// the result.
fn unsqueeze(case: &Case) -> String {
    let mut axes = case.list("axes").unwrap();
    if let [axis] = axes[..] {
        return format!("x.unsqueeze::<{axis}>()");
    }
    let rank = rank(case) + axes.len() as isize;
    axes.iter_mut().for_each(|axis| *axis = axis.rem_euclid(rank));
    axes.sort_unstable();
    axes.iter().fold("x".to_owned(), |x, axis| format!("{x}.unsqueeze::<{axis}>()"))
}

/// The sizes of `shape`; `None` if one of them is negative.
pub fn asked(case: &Case) -> Option<String> {
    let asked: Option<Vec<usize>> =
        case.list("shape")?.into_iter().map(|size| size.try_into().ok()).collect();
    Some(format!("shape!{}", sizes(&asked?)))
}

/// A reshape in which sizes of -1 are inferred at run time.
pub fn left_out(case: &Case) -> Option<Result<String, &'static str>> {
    let asked = case.list("shape").filter(|asked| case.op == "reshape" && asked.contains(&-1))?;
    let mut names = ["Left", "Rest"].into_iter();
    let sizes = asked.iter().map(|&size| match size {
        -1 => names.next().expect("at most two sizes of -1").to_owned(),
        size => size.to_string(),
    });
    let sizes = sizes.collect::<Vec<_>>().join(", ");
    Some(Ok(format!("x.reshape_infer::<shape![{sizes}]>()")))
}
