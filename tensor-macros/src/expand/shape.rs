//! Shapes and axes: `(((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<2000, 48>)`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::shown_at;
use super::size::{constant, size};
use crate::check::shape::{Axis, Shape};
use crate::check::size::Size;

/// The shape as tuples; the same tokens are a type and a value, where every entry is both.
pub fn shape(shape: &Shape) -> TokenStream {
    let lead = match &shape.lead {
        Some(lead) => lead.clone(),
        None => quote!(()),
    };
    shape.axes.iter().fold(lead, |lead, last| {
        let last = axis(last, shape.is_value);
        quote!((#lead, #last))
    })
}

/// One axis; as a value only, where `is_value`.
pub fn axis(axis: &Axis, is_value: bool) -> TokenStream {
    match axis {
        Axis::Written(written) => written.clone(),
        Axis::Size(Size::Constant { expression, written }) if is_value => {
            let constant = constant(expression, written.span());
            quote_spanned! {shown_at(written.span())=>
                <#constant as ::tensor_core::StaticAxis>::VALUE
            }
        }
        Axis::Size(written) => size(written),
    }
}
