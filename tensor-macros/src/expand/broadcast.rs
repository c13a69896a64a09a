//! The broadcast of many shapes, as a tree of pairs.

use proc_macro2::TokenStream;
use quote::quote;

use super::shape::shape;
use crate::check::broadcast::Operand;

/// `L ⊕ R` of two halves, so that the types of 100 operands nest seven deep.
pub fn broadcasted(operands: &[Operand]) -> TokenStream {
    match operands {
        [] => quote!(()),
        [Operand::Sizes(written)] => shape(written),
        [Operand::Written(written)] => written.clone(),
        _ => {
            let (left, right) = operands.split_at(operands.len() / 2);
            let (left, right) = (broadcasted(left), broadcasted(right));
            quote!(::tensor_core::broadcast::Broadcasted::<#left, #right>)
        }
    }
}
