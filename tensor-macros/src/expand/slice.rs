//! Slices: a pair of the parts of the first axes and those of the last, `((a, (b, ())), (((), y), z))`.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::mixed_site_at;
use super::size::size;
use crate::check::slice::{Kind, Len, Part, Slice};

/// The slice; if every part is static, the same tokens work as a type and as a value.
pub fn slice(slice: &Slice) -> TokenStream {
    let front = slice.front.iter().rev().fold(quote!(()), |rest, entry| {
        let entry = part(entry);
        quote!((#entry, #rest))
    });
    let back = slice.back.iter().fold(quote!(()), |lead, entry| {
        let entry = part(entry);
        quote!((#lead, #entry))
    });
    quote!((#front, #back))
}

fn part(part: &Part) -> TokenStream {
    let span = mixed_site_at(part.written.span());
    let axis = signed(part.axis as i64, span);
    match &part.kind {
        Kind::All => quote_spanned!(span=> ::tensor_core::slicing::WholeAxis),
        Kind::Index { index, needs } => {
            let (index, needs) = (index.signed(), size(needs));
            quote_spanned!(span=> (::tensor_core::slicing::IndexAlong::<#axis, #index>, (), #needs))
        }
        Kind::Range { start, end, step, len } => {
            let (start, step) = (start.signed(), signed(*step, span));
            let bounds = match end {
                Some(end) => {
                    let end = end.signed();
                    quote_spanned!(span=> ::tensor_core::slicing::Between::<#start, #end>)
                }
                None => quote_spanned!(span=> ::tensor_core::slicing::StartingAt::<#start>),
            };
            let len = self::len(len, span);
            quote_spanned! {span=>
                (::tensor_core::slicing::RangeAlong::<#axis, #step>, #bounds, #len)
            }
        }
        // The variable gives the expression its type, so that a mistake is reported at the user's tokens.
        Kind::RunTimeIndex(index) => quote_spanned! {span=>
            ::tensor_core::slicing::RunTimeIndex({ let __index: usize = #index; __index })
        },
        Kind::RunTimeRange { range, step } => {
            let step = signed(*step, span);
            quote_spanned!(span=> ::tensor_core::slicing::unnamed(#range, #step))
        }
        Kind::Named { name, range, step } => {
            let step = signed(*step, span);
            quote_spanned!(span=> ::tensor_core::slicing::named::<#name>(#range, #step))
        }
    }
}

fn len(len: &Len, span: Span) -> TokenStream {
    match len {
        Len::Fixed { needs, len } => {
            let (needs, len) = (size(needs), size(len));
            quote_spanned!(span=> (::tensor_core::slicing::FixedLen, #needs, #len))
        }
        Len::Trimmed { needs } => {
            let needs = size(needs);
            quote_spanned!(span=> (::tensor_core::slicing::TrimmedLen, #needs))
        }
        Len::Stepped { needs, less, step } => {
            let (needs, less, step) = (size(needs), size(less), size(step));
            quote_spanned!(span=> (::tensor_core::slicing::SteppedLen, #needs, #less, #step))
        }
    }
}

/// A number as a generic argument.
fn signed(number: i64, span: Span) -> TokenStream {
    let sign = (number < 0).then(|| quote_spanned!(span=> -));
    let mut number = Literal::u64_unsuffixed(number.unsigned_abs());
    number.set_span(span);
    quote_spanned!(span=> #sign #number)
}
