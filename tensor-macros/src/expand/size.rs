//! Sizes: `::tensor_core::One`, `::tensor_core::Dim::<2048>`, `::tensor_core::Dim::<50000, 257>`.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::mixed_site_at;
use crate::check::size::{LARGEST, Size};

/// The size; the same tokens work as a type and as a value.
pub fn size(size: &Size) -> TokenStream {
    match size {
        Size::Number { number, written } => dim(*number, written.span()),
        Size::Constant { expression, written } => constant(expression, written.span()),
    }
}

/// Sizes below this one consist of one part: the table in `tensor-sizes` contains them.
const WHOLE: u64 = 10_000;

/// `One`, or `Dim` with the size, or with its parts that are not zero.
pub fn dim(size: u64, span: Span) -> TokenStream {
    let span = mixed_site_at(span);
    let literal = |part| {
        let mut literal = Literal::u64_unsuffixed(part);
        literal.set_span(span);
        literal
    };
    let parts = match size {
        1 => return quote_spanned!(span=> ::tensor_core::One),
        0..WHOLE => vec![literal(size)],
        _ => [size / 1_000_000 * 1_000_000, size / 1_000 % 1_000 * 1_000, size % 1_000]
            .into_iter()
            .filter(|&part| part != 0)
            .map(literal)
            .collect(),
    };
    quote_spanned!(span=> ::tensor_core::Dim::<#(#parts),*>)
}

/// The axis whose size is a constant expression.
pub fn constant(expression: &TokenStream, span: Span) -> TokenStream {
    let span = mixed_site_at(span);
    // The variable gives the expression its type, so that a mistake is reported once, at the user's tokens.
    // Its name differs from all constants of the user: a constant would be a pattern here.
    let part =
        |part: TokenStream| quote_spanned!(span=> { let __size: usize = #expression; #part });
    let message = format!("an axis has at most {LARGEST} elements");
    let largest = Literal::u64_unsuffixed(LARGEST);
    let millions = part(quote_spanned!(span=> __size / 1_000_000 * 1_000_000));
    let thousands = part(quote_spanned!(span=> __size / 1_000 % 1_000 * 1_000));
    let units = part(quote_spanned!(span=> __size % 1_000));
    // Reports an invalid or out-of-range expression; no part is then looked up in the table.
    let is_valid = part(quote_spanned! {span=>
        ::core::assert!(__size <= #largest, #message);
        true
    });
    quote_spanned! {span=>
        <::tensor_core::__private::Table::<#is_valid>
            as ::tensor_core::__private::Constant<#millions, #thousands, #units>>::Size
    }
}
