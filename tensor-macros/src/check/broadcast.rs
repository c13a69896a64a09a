//! The shapes that are broadcast.

use proc_macro2::TokenStream;
use syn::Result;

use super::all;
use super::shape::{Shape, shape};
use crate::parse::broadcast;

/// One shape.
pub enum Operand {
    Sizes(Shape),
    /// A type of the user.
    Written(TokenStream),
}

/// The shapes of these operands.
///
/// # Errors
///
/// One for each operand that is mistaken.
pub fn operands(operands: Vec<Result<broadcast::Operand>>) -> Result<Vec<Operand>> {
    all(operands.into_iter().map(|operand| match operand? {
        broadcast::Operand::Sizes(entries) => Ok(Operand::Sizes(shape(entries)?)),
        broadcast::Operand::Type(written) => Ok(Operand::Written(written)),
    }))
}
