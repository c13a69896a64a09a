//! The cases of the corpus as Rust, with every shape a type: files that tests include.
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

/// The first line of a file.
const HEAD: &str = "use super::*;\n";

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
