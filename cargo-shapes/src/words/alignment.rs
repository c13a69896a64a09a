//! The table of two shapes that do not broadcast, aligned at their last axes.

use serde_json::{Value, json};
use tensor_explain::internal::{Columns, place, why};

use crate::diagnostic::{covered, list, list_mut, primary, quoted, requirement, text};
use crate::shapes::{self, Axis, Evidence, List};
use crate::types::{self, Kind};

/// The rule by which two shapes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Broadcasting: either may stretch.
    Broadcast,
    /// Assignment: the first stretches to the second, which is the target.
    Assign,
    /// The leading axes of matrix products: all but the last two.
    Matmul,
}

/// The shapes that an operation combines.
struct Operands {
    rule: Rule,
    shapes: Vec<Vec<Axis>>,
    /// Whether these are all axes of the operands; further axes may be missing at the end.
    are_whole: bool,
}

/// Adds the table, if the unmet requirement is about two shapes and the axis at which it fails is found.
pub fn add_table(diagnostic: &mut Value) {
    if let Some(table) = table(diagnostic)
        && let Some(children) = list_mut(diagnostic, "children")
    {
        let note = json!({
            "children": [], "code": null, "level": "note", "message": table, "rendered": null, "spans": [],
        });
        // The table is inserted after the rule and before the requirements.
        let is_requirement = |child: &Value| requirement(text(child, "message")).is_some();
        let at = children.iter().position(is_requirement).unwrap_or(children.len());
        children.insert(at, note);
    }
}

/// The table, with the reason below the mismatched axis.
pub fn table(diagnostic: &Value) -> Option<String> {
    let required: Vec<_> = list(diagnostic, "children")
        .iter()
        .filter_map(|child| requirement(text(child, "message")))
        .collect();
    let code = primary(diagnostic).and_then(covered).unwrap_or_default();
    let Operands { rule, shapes, are_whole } = match required.last().copied().and_then(whole) {
        Some(whole) => whole,
        // In other calls, these may be the shapes of results in between.
        None if is_operator(&code) => required.iter().copied().find_map(incomplete)?,
        None => return None,
    };
    // The first line names the two axes; the table must be about the same mismatch.
    let named = quoted(text(diagnostic, "message"));
    let is_named =
        |axis: &Axis| named.iter().any(|part| shapes::translated(part) == axis.to_string());
    let pairs = (1..shapes.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
    let (left, right, from_end) = pairs.into_iter().find_map(|(left, right)| {
        let (left, right) = (&shapes[left], &shapes[right]);
        let from_end = fails_at(rule, left, right)?;
        let pair = [left, right].map(|axes| &axes[axes.len() - from_end]);
        pair.into_iter().all(is_named).then_some((left, right, from_end))
    })?;
    let pair = [left, right].map(|axes| &axes[axes.len() - from_end]);
    let names = names(rule, &code);
    let reason = reason(rule, pair, names);
    Some(match rule {
        // The target is shown first.
        Rule::Assign => {
            drawn(names.map(|[a, b]| [b, a]), [right, left], from_end, are_whole, &reason)
        }
        _ => drawn(names, [left, right], from_end, are_whole, &reason),
    })
}

fn shape(text: &str, ty: &types::Type) -> Option<Vec<Axis>> {
    match shapes::list(text, ty, Evidence::Position)? {
        List::Shape(axes) => Some(axes),
        List::Indices(_) => None,
    }
}

/// The shape of a tensor, or of a reference to one.
fn shape_of_tensor(text: &str, ty: &types::Type) -> Option<Vec<Axis>> {
    match (&ty.kind, ty.path()) {
        (Kind::Around(inner), _) => shape_of_tensor(text, inner.first()?),
        (_, Some(("Tensor", [of, ..]))) => shape(text, of),
        _ => None,
    }
}

/// The operands, if this is a requirement on all of them.
fn whole((left, bound): (&str, &str)) -> Option<Operands> {
    let (of, bound_type) = (types::parse(left, 0)?, types::parse(bound, 0)?);
    let (name, arguments) = bound_type.path()?;
    let right = arguments.last()?;
    let (rule, shapes) = match name {
        "Broadcast" => (Rule::Broadcast, vec![shape(left, &of)?, shape(bound, right)?]),
        "Matmul" => (Rule::Matmul, vec![shape(left, &of)?, shape(bound, right)?]),
        "InPlace" => (Rule::Assign, vec![shape(left, &of)?, shape(bound, right)?]),
        "ElementWise3" | "ElementWise4" => {
            let first = arguments.iter().map(|argument| shape(bound, argument));
            (Rule::Broadcast, first.chain([shape(left, &of)]).collect::<Option<_>>()?)
        }
        _ => {
            let shapes = [shape_of_tensor(left, &of)?, shape_of_tensor(bound, right)?];
            let [of_left, of_right] = shapes;
            match name.strip_suffix("Assign").unwrap_or(name) {
                "Add" | "Sub" | "Mul" | "Div" | "Rem" | "BitAnd" | "BitOr" | "BitXor" | "Shl"
                | "Shr" => {}
                _ => return None,
            }
            match name.ends_with("Assign") {
                true => (Rule::Assign, vec![of_right, of_left]),
                false => (Rule::Broadcast, vec![of_left, of_right]),
            }
        }
    };
    Some(Operands { rule, shapes, are_whole: true })
}

/// The shapes of a requirement that holds for the leading axes of the operands, too: rustc 1.95 names only the
/// innermost one of an operator.
fn incomplete((left, bound): (&str, &str)) -> Option<Operands> {
    let bound_type = types::parse(bound, 0)?;
    let (name, arguments) = bound_type.path()?;
    let rule = match name {
        "BroadcastOf" => Rule::Broadcast,
        "AssignTo" => Rule::Assign,
        _ => return None,
    };
    // `BroadcastOf<L, R>`, `AssignTo<R>`
    let right = shape(bound, arguments.last()?)?;
    Some(Operands {
        rule,
        shapes: vec![shape(left, &types::parse(left, 0)?)?, right],
        are_whole: false,
    })
}

fn is_operator(code: &str) -> bool {
    !code.is_empty() && code.chars().all(|c| "+-*/%&|^=<>".contains(c))
}

/// The names of the operands of an operator; other calls may have their operands in any order.
fn names(rule: Rule, code: &str) -> Option<[&'static str; 2]> {
    match (rule, is_operator(code)) {
        (Rule::Broadcast, true) => Some(["left", "right"]),
        (Rule::Assign, true) => Some(["right", "left"]),
        _ => None,
    }
}

/// The last axis at which two shapes do not match, counted from 1 at the end.
fn fails_at(rule: Rule, left: &[Axis], right: &[Axis]) -> Option<usize> {
    let skipped = if rule == Rule::Matmul { 2 } else { 0 };
    let pairs = left.iter().rev().zip(right.iter().rev()).enumerate().skip(skipped);
    for (number, (left, right)) in pairs {
        if !left.is_known() || !right.is_known() {
            return None;
        }
        let meets =
            left == right || left.stretches() || (rule != Rule::Assign && right.stretches());
        if !meets {
            return Some(number + 1);
        }
    }
    None
}

fn reason(rule: Rule, [left, right]: [&Axis; 2], names: Option<[&str; 2]>) -> String {
    if rule == Rule::Assign {
        let stretches = "and only an axis of size 1 stretches";
        return match names {
            Some([value, target]) => {
                format!("{target} has {right} and {value} has {left}, {stretches}")
            }
            None => format!("{left} does not fit into {right}, {stretches}"),
        };
    }
    let why = why([left, right].map(|axis| match axis {
        Axis::Named(name) => Some(name.as_str()),
        _ => None,
    }));
    match names {
        Some([a, b]) => format!("{a} has {left} and {b} has {right}, {why}"),
        None => format!("{left} meets {right}, {why}"),
    }
}

/// Both shapes, aligned at their ends, with a mark below the mismatched axis.
fn drawn(
    names: Option<[&str; 2]>,
    shapes: [&Vec<Axis>; 2],
    from_end: usize,
    are_whole: bool,
    why: &str,
) -> String {
    let columns = Columns::aligned(shapes.map(|axes| &axes[..]));
    let end = if are_whole { "]" } else { ", ..]" };
    let label = names.map_or(0, |names| names.iter().map(|name| name.len()).max().unwrap_or(0) + 2);
    let row = |shape: usize| {
        format!("{:label$}{}", names.map_or("", |names| names[shape]), columns.row(shape, end))
    };
    let rank = shapes[0].len().max(shapes[1].len());
    let (axis, marks) = (rank - from_end, columns.marks(rank - from_end));
    let has_rest = shapes.iter().any(|axes| axes.iter().any(|axis| matches!(axis, Axis::Rest(_))));
    let place = match (are_whole, has_rest) {
        (false, _) => String::new(),
        (true, true) => format!("{}: ", place(axis, rank)),
        (true, false) => format!("axis {axis}, {}: ", place(axis, rank)),
    };
    [row(0), row(1), format!("{:label$}{marks} {place}{why}", "")].join("\n")
}
