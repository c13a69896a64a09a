//! Shapes and axes: `(((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<2000, 48>)`.

use proc_macro2::TokenStream;
use quote::quote;

use super::size::size;
use crate::check::shape::{Axis, Shape};

/// The shape as tuples; the same tokens are a type and a value, where every entry is both.
pub fn shape(shape: &Shape) -> TokenStream {
    let lead = match &shape.lead {
        Some(lead) => lead.clone(),
        None => quote!(()),
    };
    shape.axes.iter().fold(lead, |lead, last| {
        let last = axis(last);
        quote!((#lead, #last))
    })
}

/// One axis.
pub fn axis(axis: &Axis) -> TokenStream {
    match axis {
        Axis::Written(written) => written.clone(),
        Axis::Size(written) => size(written),
    }
}
