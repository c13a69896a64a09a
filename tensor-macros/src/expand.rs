//! Third stage: code generation. Every name is an absolute path.

pub mod axes;
pub mod axis;
pub mod broadcast;
pub mod einsum;
pub mod fallback;
pub mod fuse;
pub mod module;
pub mod rearrange;
pub mod shape;
pub mod shapes;
pub mod show_shape;
pub mod size;
pub mod slice;
pub mod strict;
pub mod tensor;
#[cfg(feature = "weights")]
pub mod weights;

use proc_macro2::Span;

/// Mixed-site hygiene, with errors shown at `span`, the span of a user's token.
///
/// The macro's variables are hygienic; constants of the user are not, and would turn a variable of the
/// same name into a pattern.
fn mixed_site_at(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
