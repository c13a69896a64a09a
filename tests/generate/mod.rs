//! Writes the files of `tests/generated`: the cases of the corpus as Rust, with every shape a type.
//!
//! The tables hold data; the macros that give them their meaning are in the test that includes
//! them. Every test compares what it has checked with the corpus, so that a mistake here cannot
//! leave a case out.

mod broadcast;
mod in_place;
mod laws;
mod operations;

use std::fmt::{Display, Write};

/// The name and the text of every generated file.
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("broadcast_pairs.rs", broadcast::pairs()),
        ("broadcast_nary.rs", broadcast::nary()),
        ("in_place.rs", in_place::table()),
        ("laws.rs", laws::table()),
        ("operations.rs", operations::table()),
    ]
}

/// The first lines of a generated file.
fn head(title: &str) -> String {
    format!(
        "//! {title}\n//!\n\
         //! Written by `tests/generate`: `BLESS=1 cargo test --workspace --test generated_files` writes it anew.\n\n\
         use super::*;\n"
    )
}

/// A call of the macro `name` with one line for each of `rows`.
fn rows<R: Display>(text: &mut String, name: &str, lines: impl IntoIterator<Item = R>) {
    writeln!(text, "\n{name}! {{").unwrap();
    for line in lines {
        writeln!(text, "    {line};").unwrap();
    }
    text.push_str("}\n");
}

/// `[2, 3]`
fn sizes(sizes: &[usize]) -> String {
    format!("{sizes:?}")
}
