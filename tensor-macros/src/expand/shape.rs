//! Shapes and axes: `(((), ::tensor_core::Dim::<2>), ::tensor_core::Dim::<2048>)`.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::size::{dim, size};
use crate::check::shape::{Axis, Shape, fits_into_memory};
use crate::check::size::LARGEST;

/// The shape as nested tuples; if every entry is both a type and a value, so are these tokens.
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

/// Fast path for lists of literal sizes, `2, 3, 768`, with the same expansion as the pipeline; `None`
/// for everything else, and for errors.
pub fn literal_sizes(input: &TokenStream) -> Option<TokenStream> {
    let mut shape = quote!(());
    let mut sizes = Vec::new();
    let mut is_size_next = true;
    for token in input.clone() {
        match token {
            TokenTree::Literal(literal) if is_size_next => {
                let size = literal.to_string().parse().ok().filter(|size| *size <= LARGEST)?;
                sizes.push(size);
                let axis = dim(size, literal.span());
                shape = quote!((#shape, #axis));
            }
            TokenTree::Punct(comma) if !is_size_next && comma.as_char() == ',' => {}
            _ => return None,
        }
        is_size_next = !is_size_next;
    }
    fits_into_memory(&sizes).then_some(shape)
}

/// One axis.
pub fn axis(axis: &Axis) -> TokenStream {
    match axis {
        Axis::Written(written) => written.clone(),
        Axis::Size(written) => size(written),
    }
}
