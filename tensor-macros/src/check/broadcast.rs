//! The shapes that are broadcast.

use proc_macro2::TokenStream;
use syn::Result;

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
/// At the first operand that is mistaken: who takes sizes for shapes does so with all of them.
pub fn operands(operands: Vec<Result<broadcast::Operand>>) -> Result<Vec<Operand>> {
    let checked = operands.into_iter().map(|operand| match operand? {
        broadcast::Operand::Sizes(entries) => Ok(Operand::Sizes(shape(entries)?)),
        broadcast::Operand::Type(written) => Ok(Operand::Written(written)),
    });
    checked.collect()
}
