//! The table of two shapes that do not broadcast, aligned at their last axes.

use serde_json::{Value, json};

use crate::diagnostic::{covered, list, list_mut, primary, quoted, requirement, text};
use crate::shapes::{self, Axis, Evidence, List};
use crate::types;

/// The rule by which two shapes are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Broadcasting: either may stretch.
    Broadcast,
    /// Assignment: the first stretches to the second, which is the target.
    Assign,
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
    let required = list(diagnostic, "children").iter().filter_map(|child| {
        let (left, bound) = requirement(text(child, "message"))?;
        let rule = match bound.split('<').next()? {
            "BroadcastOf" => Rule::Broadcast,
            "AssignTo" => Rule::Assign,
            _ => return None,
        };
        let bound_type = types::parse(bound, 0)?;
        // `BroadcastOf<L, R>`, `AssignTo<R>`
        let right = bound_type.path()?.1.last()?;
        let shape = |text, ty: &types::Type| match shapes::list(text, ty, Evidence::Position)? {
            List::Shape(axes) => Some(axes),
            List::Indices(_) => None,
        };
        Some((rule, shape(left, &types::parse(left, 0)?)?, shape(bound, right)?))
    });
    let (rule, left, right) = required.into_iter().next()?;
    let from_end = fails_at(rule, &left, &right)?;
    let pair = [&left, &right].map(|axes| &axes[axes.len() - from_end]);
    // The first line names the two axes; the table must be about the same mismatch.
    let named = quoted(text(diagnostic, "message"));
    let is_named =
        |axis: &Axis| named.iter().any(|part| shapes::translated(part) == axis.to_string());
    pair.iter().all(|axis| is_named(axis)).then(|| {
        let names = primary(diagnostic).and_then(covered).and_then(|code| names(rule, &code));
        let reason = reason(rule, pair, names);
        match rule {
            Rule::Broadcast => drawn(names, [&left, &right], from_end, &reason),
            // The target is shown first.
            Rule::Assign => drawn(names.map(|[a, b]| [b, a]), [&right, &left], from_end, &reason),
        }
    })
}

/// The names of the operands of an operator; other calls may have their operands in any order.
fn names(rule: Rule, code: &str) -> Option<[&'static str; 2]> {
    let is_operator = !code.is_empty() && code.chars().all(|c| "+-*/%&|^=<>".contains(c));
    match (rule, is_operator) {
        (Rule::Broadcast, true) => Some(["left", "right"]),
        (Rule::Assign, true) => Some(["right", "left"]),
        _ => None,
    }
}

/// The last axis at which two shapes do not match, counted from 1 at the end.
fn fails_at(rule: Rule, left: &[Axis], right: &[Axis]) -> Option<usize> {
    let pairs = left.iter().rev().zip(right.iter().rev());
    for (number, (left, right)) in pairs.enumerate() {
        if !left.is_known() || !right.is_known() {
            return None;
        }
        let meets =
            left == right || left.stretches() || (rule == Rule::Broadcast && right.stretches());
        if !meets {
            return Some(number + 1);
        }
    }
    None
}

/// Describes an axis: "the last", "the 2nd from the end" and so on.
fn place(from_end: usize) -> String {
    let ending = match from_end {
        1 => return "the last".to_owned(),
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("the {from_end}{ending} from the end")
}

fn reason(rule: Rule, [left, right]: [&Axis; 2], names: Option<[&str; 2]>) -> String {
    let why = match (left, right) {
        _ if rule == Rule::Assign => {
            let stretches = "and only an axis of size 1 stretches";
            return match names {
                Some([value, target]) => {
                    format!("{target} has {right} and {value} has {left}, {stretches}")
                }
                None => format!("{left} does not fit into {right}, {stretches}"),
            };
        }
        (Axis::Size(_), Axis::Size(_)) => "which differ, and neither is 1",
        (Axis::Named(_), Axis::Named(_)) => "and two names are two axes, whatever their sizes",
        _ => "and a named axis fits to itself and to an axis of size 1 without a name only",
    };
    match names {
        Some([a, b]) => format!("{a} has {left} and {b} has {right}, {why}"),
        None => format!("{left} meets {right}, {why}"),
    }
}

/// Both shapes, aligned at their ends, with a mark below the mismatched axis.
fn drawn(names: Option<[&str; 2]>, shapes: [&Vec<Axis>; 2], from_end: usize, why: &str) -> String {
    let rank = shapes[0].len().max(shapes[1].len());
    let cells = shapes.map(|axes| -> Vec<String> {
        let missing = rank - axes.len();
        (0..rank)
            .map(|at| at.checked_sub(missing).map_or(String::new(), |at| axes[at].to_string()))
            .collect()
    });
    let width = |at: usize| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let row = |row: &Vec<String>| {
        let first = row.iter().position(|cell| !cell.is_empty()).unwrap_or(rank);
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let separator = match at {
                _ if at == first => "[",
                0 => " ",
                _ if at < first => "  ",
                _ => ", ",
            };
            // The bracket replaces the space before a cell.
            if at == first && at > 0 {
                line.push(' ');
            }
            line.push_str(separator);
            let padding = " ".repeat(width(at) - cell.chars().count());
            // In a shape, the padding is before the bracket.
            if at == first && line.ends_with('[') {
                line.pop();
                line.push_str(&padding);
                line.push('[');
            } else {
                line.push_str(&padding);
            }
            line.push_str(cell);
        }
        line + "]"
    };
    let label = names.map_or(0, |names| names.iter().map(|name| name.len()).max().unwrap_or(0) + 2);
    let mut lines: Vec<String> = Vec::new();
    for (number, cells) in cells.iter().enumerate() {
        let name = names.map_or("", |names| names[number]);
        lines.push(format!("{name:label$}{}", row(cells)));
    }
    let failing = rank - from_end;
    let start = label + 1 + (0..failing).map(|at| width(at) + 2).sum::<usize>();
    let marks = "^".repeat(width(failing));
    lines.push(format!("{}{marks} axis {failing}, {}: {why}", " ".repeat(start), place(from_end)));
    lines.join("\n")
}
