//! Rewrites a message: shapes in short notation, the axis at which two shapes differ, and no parts that merely
//! follow from it.

mod alignment;
mod bound;
mod brief;
mod fold;
mod mismatch;
mod refusals;

use serde_json::Value;

use crate::diagnostic::{change, entry, list, list_mut, text};
use crate::library::PACKAGES;
use crate::text;

pub use alignment::table;
pub use bound::{BoundToWrite, bounds_to_write, is_right, restricts};
pub use brief::brief;
pub use fold::{Folded, explains, may_be_explained};

/// Information about the program that a message is about.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folders of the library's packages, whose source lines are not shown.
    pub library: Vec<String>,
}

impl Surroundings {
    /// Whether a file belongs to the library.
    pub fn is_library(&self, file: &str) -> bool {
        let mut folders = file.split(['/', '\\']);
        // In the registry, the folder name of a package contains its version.
        let in_registry = folders.any(|folder| {
            let is_package = |name| folder == name || folder.starts_with(&format!("{name}-0."));
            PACKAGES.into_iter().any(is_package)
        });
        in_registry || self.library.iter().any(|folder| file.starts_with(folder.as_str()))
    }
}

/// Rewrites a message, and returns whether it has changed. The field `rendered` is kept.
pub fn reword(diagnostic: &mut Value, surroundings: &Surroundings) -> bool {
    let before = diagnostic.clone();
    alignment::add_table(diagnostic);
    mismatch::align(diagnostic);
    fold::fold(diagnostic, surroundings);
    translate(diagnostic);
    *diagnostic != before
}

/// Translates the types in all texts of a message.
fn translate(diagnostic: &mut Value) {
    // This entry is about the encoding of sizes as types, which is therefore kept.
    if entry(text(diagnostic, "message")) != Some("T702") {
        change(diagnostic, "message", text::message);
    }
    let imports_shape = list(diagnostic, "spans")
        .iter()
        .any(|span| list(span, "text").iter().any(|line| imports_shape(text(line, "text"))));
    for span in list_mut(diagnostic, "spans").into_iter().flatten() {
        change(span, "label", text::label);
        change(span, "suggested_replacement", |code| text::code(code, imports_shape));
    }
    for child in list_mut(diagnostic, "children").into_iter().flatten() {
        translate(child);
    }
}

/// Whether a line of a program uses `shape!` without a path to it.
fn imports_shape(line: &str) -> bool {
    line.match_indices("shape![").any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c == ':' || c == '_' || c.is_alphanumeric())
    })
}
