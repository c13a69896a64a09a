//! Third stage: from what was meant to Rust, with every name by its absolute path.

pub mod axes;
pub mod axis;
pub mod broadcast;
pub mod fuse;
pub mod refusal;
pub mod shape;
pub mod show_shape;
pub mod size;
pub mod strict;
pub mod tensor;

use proc_macro2::Span;

/// Where errors about generated code are shown: at `span`, which is something the user wrote.
///
/// Variables of the macro stay apart from variables of the user; a constant of the user is in
/// scope even so, and would turn a variable of its name into a pattern.
fn shown_at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
