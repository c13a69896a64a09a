//! The broadcast of many shapes, as a tree of pairs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::shape::shape;
use crate::check::broadcast::{Kind, Operand};

/// `L ⊕ R` of two halves, so that the types of 100 operands are nested only seven levels deep.
///
/// The span of a type joins those of its first and last token; here both are at the last shape of the right
/// half, so that no message mentions a macro.
pub fn broadcasted(operands: &[Operand]) -> TokenStream {
    match operands {
        [] => quote!(()),
        [operand] => match &operand.kind {
            Kind::Sizes(written) => shape(written),
            Kind::Written(written) => written.clone(),
        },
        [.., last] => {
            let (left, right) = operands.split_at(operands.len() / 2);
            let (left, right) = (broadcasted(left), broadcasted(right));
            quote_spanned! {last.span=>
                ::tensor_core::broadcast::Broadcasted<#left, #right>
            }
        }
    }
}
