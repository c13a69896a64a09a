//! The broadcast of many shapes, as a tree of pairs.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::shape::shape;
use crate::check::broadcast::{Kind, Operand};

/// `L ⊕ R` of two halves, so that the types of 100 operands nest seven deep.
///
/// A type is shown where its first and its last token stand: here, at the last shape of the right
/// half, as if the user had written it there, so that no message speaks of a macro.
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
                <#left as ::tensor_core::broadcast::ElementWise<#right>>::Output
            }
        }
    }
}
