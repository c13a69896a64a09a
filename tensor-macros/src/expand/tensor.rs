//! Tensor literals: calls of the functions that make them.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::shape::shape;
use super::size::dim;
use crate::check::tensor::Tensor;

/// The tensor as a call.
pub fn tensor(tensor: &Tensor) -> TokenStream {
    match tensor {
        Tensor::Nested { sizes, elements } => {
            let shape = sizes.iter().fold(quote!(()), |lead, &size| {
                let last = dim(size as u64, Span::call_site());
                quote!((#lead, #last))
            });
            let length = Literal::usize_unsuffixed(elements.len());
            quote!(::tensor_core::__private::tensor::<#shape, _, #length>([#(#elements),*]))
        }
        Tensor::Repeat { value, shape: written } => {
            let shape = shape(written);
            quote!(::tensor_core::Tensor::full_shaped(#shape, #value))
        }
    }
}
