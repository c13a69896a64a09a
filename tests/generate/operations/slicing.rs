//! Operations that take a part of a tensor, split it, or turn axes around.

use super::{Attributes, rank, shape, shape_type};
use crate::corpus::Case;

pub fn expressions(case: &Case) -> Option<Vec<String>> {
    Some(match case.op.as_str() {
        "slice" => vec![format!("x.slice(slice![{}])", parts(case))],
        "split" => split(case),
        "flip" => vec![format!("x.flip::<axes!{:?}>()", case.list("axes").unwrap())],
        "swap_axes" => {
            let axis = |name: &str| case.integer(name).unwrap();
            vec![format!("x.swap_axes::<{}, {}>()", axis("axis0"), axis("axis1"))]
        }
        "diagonal" => vec![diagonal(case)],
        _ => return None,
    })
}

/// The part of each axis: as it is written where it is within the axis, else as NumPy resolves it.
fn parts(case: &Case) -> String {
    let sizes = shape(case, "x");
    let resolved = case.attrs["resolved"].as_array().unwrap();
    let mut parts: Vec<String> = resolved
        .iter()
        .zip(sizes)
        .map(|(part, &size)| {
            let number = |place: usize| part[place].as_i64().unwrap();
            let (first, len, step) = (number(0), number(1), number(2));
            match (first, len, step) {
                (0, len, 1) if len == size as i64 => "..".to_owned(),
                (first, 0, _) => format!("{first}..{first}"),
                (first, len, 1) => format!("{first}..{}", first + len),
                (first, len, step) => format!("{first}..{}; {step}", first + (len - 1) * step + 1),
            }
        })
        .collect();
    let (starts, ends) = (case.list("starts").unwrap(), case.list("ends").unwrap());
    let in_order = || (0..starts.len() as isize).collect();
    let axes: Vec<isize> = case.list("axes").unwrap_or_else(in_order);
    let steps = case.list("steps").unwrap_or_else(|| vec![1; starts.len()]);
    for (place, axis) in axes.into_iter().enumerate() {
        let axis = axis.rem_euclid(rank(case)).unsigned_abs();
        let size = sizes[axis] as isize;
        let within = |bound: isize| (-size..=size).contains(&bound);
        if within(starts[place]) && within(ends[place]) && steps[place] == 1 {
            parts[axis] = format!("{}..{}", starts[place], ends[place]);
        }
    }
    parts.join(", ")
}

/// The parts as the fields of one tuple.
fn split(case: &Case) -> Vec<String> {
    let sizes: Vec<usize> =
        case.list("sizes").unwrap().into_iter().map(isize::unsigned_abs).collect();
    let split = format!("x.split::<{}, {}>()", case.integer("axis").unwrap(), shape_type(&sizes));
    (0..sizes.len()).map(|place| format!("{split}.{place}")).collect()
}

/// An off-diagonal is the main diagonal of a slice.
fn diagonal(case: &Case) -> String {
    let axis = |name: &str| case.integer(name).unwrap();
    let (k, first, second) = (axis("k"), axis("axis0"), axis("axis1"));
    let slice = match (k, first, second) {
        (0, ..) => String::new(),
        (1.., 0, 1) => format!(".slice(slice![.., {k}..])"),
        (_, 0, 1) => format!(".slice(slice![{}..])", -k),
        _ => panic!("{}: axes {first} and {second}", case.id),
    };
    format!("x{slice}.diagonal::<{first}, {second}>()")
}
