//! Aligns the expected and the found type, axis by axis.

use serde_json::Value;
use tensor_explain::internal::Columns;

use crate::diagnostic::{change, list_mut, text};
use crate::shapes::{self, Axis, Evidence, List, brackets, translated};
use crate::text::message;
use crate::types::{self, Kind, Type};

/// The difference between the expected and the found shape.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Difference {
    /// The axis in this column.
    Axis(usize),
    /// The axis in this column is missing in the found shape.
    Missing(usize),
    /// The axis in this column is missing in the expected shape.
    Extra(usize),
    /// More than one axis.
    Axes,
}

/// Aligns the shapes of "expected `A`, found `B`" in the notes of a message, and names the axis in its label.
pub fn align(diagnostic: &mut Value) {
    let mut label = None;
    for child in list_mut(diagnostic, "children").into_iter().flatten() {
        if let Some((note, named)) = aligned(text(child, "message")) {
            child["message"] = Value::String(note);
            label = named;
        }
    }
    let Some(label) = label else { return };
    for span in list_mut(diagnostic, "spans").into_iter().flatten() {
        if span["is_primary"] == true {
            let is_pair = |old: &str| {
                old.strip_prefix("expected `").is_some_and(|rest| rest.contains("`, found `"))
            };
            change(span, "label", |old| if is_pair(old) { label.clone() } else { old.to_owned() });
        } else if text(span, "label").starts_with("arguments to this ") {
            // The label with the axis is already at the wrong argument.
            span["label"] = Value::Null;
        }
    }
}

/// The note with aligned shapes, and a label with the axis.
fn aligned(note: &str) -> Option<(String, Option<String>)> {
    let (first, second) = note.split_once('\n')?;
    let (expected, found) = (side(first, "expected ")?, side(second, "found ")?);
    let types = [types::parse(expected.1, 0)?, types::parse(found.1, 0)?];
    if types[0].range.end != expected.1.len() || types[1].range.end != found.1.len() {
        return None;
    }
    let mut pairs = Vec::new();
    differing((expected.1, &types[0]), (found.1, &types[1]), &mut pairs)?;
    let [(left, right)] = &pairs[..] else { return None };
    if expected.1[left.range.clone()] == found.1[right.range.clone()] {
        // They differ in their element types alone.
        return None;
    }
    let axes = [axes(expected.1, left)?, axes(found.1, right)?];
    let (columns, difference) = columns(&axes);

    // The texts before the shapes, padded to equal width.
    let mut lines = Vec::new();
    let around = [(expected, left), (found, right)].map(|((kind, text), ty)| {
        let open = translated(&text[..ty.range.start]);
        (format!("{kind}`{open}"), format!("{}`", translated(&text[ty.range.end..])))
    });
    let width = around.iter().map(|(before, _)| before.chars().count()).max()?;
    let layout = Columns::new(columns.iter().map(|column| column.each_ref().map(Option::as_ref)));
    for (shape, (before, after)) in around.iter().enumerate() {
        lines.push(format!("{before:>width$}{}{after}", layout.row(shape, "]")));
    }
    let label = described(&difference, &columns, &axes);
    if let Difference::Axis(at) | Difference::Missing(at) | Difference::Extra(at) = difference {
        let named = label.split(": expected").next().unwrap_or(&label);
        lines.push(format!("{:width$}{} {named}", "", layout.marks(at)));
    }
    Some((lines.join("\n"), Some(label)))
}

/// Splits a line into the words before its type, such as `reference`, and the type.
fn side<'a>(line: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let line = line.trim_start();
    let (kind, rest) = line.strip_prefix(word).and(line.split_once('`'))?;
    Some((kind, rest.strip_suffix('`')?))
}

/// The innermost shapes in which two types differ; `None` if they also differ in something else.
fn differing<'a>(
    left: (&str, &'a Type),
    right: (&str, &'a Type),
    pairs: &mut Vec<(&'a Type, &'a Type)>,
) -> Option<()> {
    if left.0[left.1.range.clone()] == right.0[right.1.range.clone()] {
        return Some(());
    }
    let (a, b) = (left.1.parts(), right.1.parts());
    let is_tensor = |ty: &Type| matches!(ty.path(), Some(("Tensor", [_, ..])));
    let same_kind = match (&left.1.kind, &right.1.kind) {
        (Kind::Path { name: a, .. }, Kind::Path { name: b, .. }) => a == b,
        (Kind::Around(_), Kind::Around(_)) => true,
        (Kind::Tuple(_), Kind::Tuple(_)) => false,
        _ => false,
    };
    if is_tensor(left.1) && is_tensor(right.1) {
        pairs.push((&a[0], &b[0]));
        // Different element types are visible after the shapes.
        return Some(());
    }
    (same_kind && a.len() == b.len()).then_some(())?;
    a.iter().zip(b).try_for_each(|(a, b)| differing((left.0, a), (right.0, b), pairs))
}

fn axes(text: &str, ty: &Type) -> Option<Vec<Axis>> {
    match shapes::list(text, ty, Evidence::Position)? {
        List::Shape(axes) => Some(axes),
        List::Indices(_) => None,
    }
}

type Column = [Option<Axis>; 2];

/// The axes as columns, and the difference.
fn columns([expected, found]: &[Vec<Axis>; 2]) -> (Vec<Column>, Difference) {
    if let Some(at) = inserted(expected, found) {
        let columns = expected.iter().enumerate().map(|(column, axis)| {
            let found = if column < at {
                found.get(column)
            } else {
                column.checked_sub(1).and_then(|c| found.get(c))
            };
            [Some(axis.clone()), found.filter(|_| column != at).cloned()]
        });
        return (columns.collect(), Difference::Missing(at));
    }
    if let Some(at) = inserted(found, expected) {
        let (columns, _) = columns(&[found.clone(), expected.clone()]);
        return (columns.into_iter().map(|[a, b]| [b, a]).collect(), Difference::Extra(at));
    }
    let rank = expected.len().max(found.len());
    let cell =
        |axes: &[Axis], at: usize| (at + axes.len()).checked_sub(rank).map(|at| axes[at].clone());
    let columns: Vec<Column> = (0..rank).map(|at| [cell(expected, at), cell(found, at)]).collect();
    let differs = |[a, b]: &Column| match (a, b) {
        (Some(a), Some(b)) => a != b && a.is_known() && b.is_known(),
        _ => false,
    };
    let differing: Vec<usize> = (0..rank).filter(|&at| differs(&columns[at])).collect();
    let has_rest = expected.iter().chain(found).any(|axis| matches!(axis, Axis::Rest(_)));
    match differing[..] {
        [at] if expected.len() == found.len() || has_rest => (columns, Difference::Axis(at)),
        _ => (columns, Difference::Axes),
    }
}

/// The one axis that `long` has and `short` lacks, if it is unambiguous.
fn inserted(long: &[Axis], short: &[Axis]) -> Option<usize> {
    if long.len() != short.len() + 1 || !long.iter().chain(short).all(Axis::is_known) {
        return None;
    }
    let without = |at: &usize| {
        let (front, back) = (&long[..*at], &long[at + 1..]);
        front.iter().chain(back).eq(short)
    };
    let mut places = (0..long.len()).filter(without);
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

/// Describes the difference.
fn described(
    difference: &Difference,
    columns: &[Column],
    [expected, found]: &[Vec<Axis>; 2],
) -> String {
    let has_rest = expected.iter().chain(found).any(|axis| matches!(axis, Axis::Rest(_)));
    let number = |at: usize| match has_rest {
        true => format!("-{}", columns.len() - at),
        false => at.to_string(),
    };
    match *difference {
        Difference::Axis(at) => {
            let [Some(expected), Some(found)] = &columns[at] else { return String::new() };
            format!("axis {}: expected `{expected}`, found `{found}`", number(at))
        }
        Difference::Missing(at) => format!("axis {at}: `{}` is missing", expected[at]),
        Difference::Extra(at) => format!("axis {at}: `{}` is not expected", found[at]),
        Difference::Axes => {
            message(&format!("expected `{}`, found `{}`", brackets(expected), brackets(found)))
        }
    }
}
