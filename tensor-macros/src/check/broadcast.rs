//! Checks of the shapes that are broadcast.

use proc_macro2::{Span, TokenStream};
use syn::Result;

use super::shape::{Shape, shape};
use crate::parse::broadcast;

/// A shape, and its span.
pub struct Operand {
    pub span: Span,
    pub kind: Kind,
}

/// The kinds of operands.
pub enum Kind {
    Sizes(Shape),
    /// A type written by the user.
    Written(TokenStream),
}

/// Checks the operands.
///
/// # Errors
///
/// At the first invalid operand: mistaking sizes for shapes affects all of them.
pub fn operands(operands: Vec<Result<broadcast::Operand>>) -> Result<Vec<Operand>> {
    let checked = operands.into_iter().map(|operand| {
        let broadcast::Operand { span, kind } = operand?;
        let kind = match kind {
            broadcast::Kind::Sizes(entries) => Kind::Sizes(shape(entries)?),
            broadcast::Kind::Type(written) => Kind::Written(written),
        };
        Ok(Operand { span, kind })
    });
    checked.collect()
}
