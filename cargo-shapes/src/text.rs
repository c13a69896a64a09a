//! Translates texts that contain types.

use crate::diagnostic::entry;
use crate::shapes::{Evidence, Target, is_of_shapes, translate, translated};
use crate::types;

/// Translates a message: every type that can be parsed is written in short notation, with shapes in brackets
/// and sizes as numbers. Types are in backticks; other code is not changed.
pub fn message(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut result = String::with_capacity(text.len());
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            result.push('`');
        }
        // An unmatched backtick is an ordinary character.
        let is_code = number % 2 == 1 && number + 1 < parts.len();
        let evidence =
            if is_code && is_shape(&parts, number) { Evidence::Position } else { Evidence::Axes };
        match is_code.then(|| bound(part)).flatten() {
            // A bound that the user is to write in a program.
            Some(bound) => result.push_str(&bound),
            None if is_code => result.push_str(&translate(part, Target::Message, evidence)),
            None => result.push_str(part),
        }
    }
    result
}

/// Whether the surrounding words show that a part of a message is a shape.
fn is_shape(parts: &[&str], number: usize) -> bool {
    let (before, after) = (parts[number - 1], parts.get(number + 1).copied().unwrap_or_default());
    // Notes of the entries about shapes contain no other tuples.
    let is_note = entry(parts.last().copied().unwrap_or_default()).is_some_and(|code| {
        ["T1", "T2", "T3", "T4", "T8"].iter().any(|topic| code.starts_with(topic))
    });
    let of_shapes = |part: Option<&&str>| part.is_some_and(|bound| is_of_shapes(bound));
    (is_note && parts[number].starts_with('('))
        || before.ends_with("shape ")
        || before.ends_with("shapes ")
        || (after == " to implement " && of_shapes(parts.get(number + 2)))
        || (before == " is not implemented for " && of_shapes(parts.get(number - 2)))
}

/// A bound in the notation of programs, `shape![Lead.., 3]: HasAxis<0>`; `None` if this is not a bound.
fn bound(text: &str) -> Option<String> {
    let ty = types::parse(text, 0)?;
    let target = Target::Code { imports_shape: true };
    text[ty.range.end..].starts_with(": ").then(|| translate(text, target, Evidence::Axes))
}

/// Translates a label: a message, or a type alone, as the operands of an operator have.
pub fn label(text: &str) -> String {
    match types::parse(text, 0) {
        Some(ty) if ty.range.end == text.len() => translated(text),
        _ => message(text),
    }
}

/// Translates a part of a program: `shape![…]` replaces the tuples that rustc writes.
pub fn code(text: &str, imports_shape: bool) -> String {
    translate(text, Target::Code { imports_shape }, Evidence::Axes)
}
