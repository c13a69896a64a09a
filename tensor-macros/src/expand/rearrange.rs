//! `rearrange!`: destructures a shape by a pattern, splits and merges its axes by traits, and builds the
//! shape of the result.
//!
//! `b s (h d) -> b h s d; &x, h = 8` becomes
//!
//! ```text
//! match operand(&(&x)) {
//!     __x => {
//!         let ((((), b), s), hd) = NamedAxes::<3, _>::axes(__x.shape());
//!         let h = Dim::<8>;
//!         let d = RestOfAxis::rest(AxisToSplit::split(((hd,),)), ((), StaticPart::part(((h,),))));
//!         let __sizes = [size(b), size(s), size(h), size(d)];
//!         let __result = rearrange(__x, 3, &__sizes, &[0, 2, 1, 3], after(d, ((((), b), h), s), d)));
//!         __result
//!     }
//! }
//! ```
//!
//! The result is bound to a variable, so that a wrong type annotation is one error about the whole, not one
//! for each axis. Its shape depends on the axes that are split: if one of them is refused, there is no shape,
//! and a mistake is one error. Each variable has the span of its axis name, for messages.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::mixed_site_at;
use super::size::size;
use crate::check::rearrange::{Axis, LEADING, Moves, Name, NameSize};

/// The expansion of the macro.
pub fn rearrange(moves: &Moves) -> TokenStream {
    let private = quote!(::tensor_core::__private);
    let operand = &moves.operand;
    let value = quote_spanned! {mixed_site_at(operand.span())=>
        ::tensor_core::__private::operand(&(#operand))
    };
    let x = Ident::new("__x", mixed_site_at(moves.span));
    let apart = apart(moves, &x);
    let split = moves.from.iter().enumerate().map(|(place, axis)| split(place, axis, &moves.names));
    let numbers = moves.names.iter().enumerate().map(|(number, name)| variable(number, name.span));
    let sizes = numbers.map(|axis| quote!(#private::size(#axis)));
    let order = moves.to.iter().flat_map(|axis| match axis {
        Axis::One(_) => Vec::new(),
        Axis::Whole(number, _) => vec![*number],
        Axis::Parts { parts, .. } => parts.iter().map(|&(number, _)| number).collect(),
    });
    let order = order.map(|number| match number {
        LEADING => leading_number(),
        number => number.to_token_stream(),
    });
    let merged = moves.to.iter().enumerate().filter_map(|(place, axis)| merged(place, axis));
    let leading = leading();
    let lead = if moves.leading_in_front { leading.to_token_stream() } else { quote!(()) };
    let shape = moves.to.iter().enumerate().fold(lead, |lead, (place, axis)| {
        let axis = match axis {
            Axis::One(span) => quote_spanned!(mixed_site_at(*span)=> ::tensor_core::One),
            Axis::Whole(number, span) => variable(*number, *span).to_token_stream(),
            Axis::Parts { span, .. } => result(place, *span).to_token_stream(),
        };
        quote!((#lead, #axis))
    });
    let shape = moves.from.iter().enumerate().fold(shape, |shape, (place, axis)| {
        match compared(place, axis, &moves.names) {
            Some(axis) => quote!(#private::after(#axis, #shape)),
            None => shape,
        }
    });
    let count = moves.from.len();
    quote! {
        match #value {
            #x => {
                #apart
                #(#split)*
                #(#merged)*
                let __sizes = [#(#sizes),*];
                let __result =
                    #private::rearrange(#x, #count, &__sizes, &[#(#order),*], #shape);
                __result
            }
        }
    }
}

/// The statement that destructures the shape of the operand.
fn apart(moves: &Moves, x: &Ident) -> TokenStream {
    let span = mixed_site_at(moves.span);
    let count = moves.from.len();
    let leading = leading();
    let (lead, function) = match moves.leading {
        true => (
            leading.to_token_stream(),
            quote_spanned!(span=> ::tensor_core::__private::NamedLastAxes::<#count, _>::last_axes),
        ),
        false => (
            quote!(()),
            quote_spanned!(span=> ::tensor_core::__private::NamedAxes::<#count, _>::axes),
        ),
    };
    let pattern = moves.from.iter().enumerate().fold(lead, |lead, (place, axis)| {
        let axis = match axis {
            Axis::Whole(number, span) => variable(*number, *span),
            Axis::One(span) | Axis::Parts { span, .. } => whole(place, *span),
        };
        quote!((#lead, #axis))
    });
    let call = match (moves.leading, count) {
        (true, 0) => quote!(#x.shape()),
        _ => quote_spanned!(span=> #function(#x.shape())),
    };
    quote! {
        #[allow(unused_variables)]
        let #pattern = #call;
    }
}

/// The variable with the result of the compile-time check of a split axis of the operand. The shape of the
/// result depends on it.
fn compared(place: usize, axis: &Axis, names: &[Name]) -> Option<Ident> {
    let (parts, span) = match axis {
        Axis::Whole(..) => return None,
        Axis::One(span) => return Some(whole(place, *span)),
        Axis::Parts { parts, span, .. } => (parts, *span),
    };
    if parts.iter().any(|&(number, _)| names[number].size.is_run_time()) {
        return None;
    }
    let follows = |number: usize| matches!(names[number].size, NameSize::Follows);
    Some(match parts.iter().find(|&&(number, _)| follows(number)) {
        Some(&(number, at)) => variable(number, at),
        None => whole(place, span),
    })
}

/// Statements that compute the parts of an axis of the operand.
fn split(place: usize, axis: &Axis, names: &[Name]) -> TokenStream {
    let (parts, span) = match axis {
        Axis::Whole(..) => return TokenStream::new(),
        Axis::One(span) => {
            let whole = whole(place, *span);
            return quote_spanned! {mixed_site_at(*span)=>
                let #whole = ::tensor_core::__private::AxisOfOne::check(#whole);
            };
        }
        Axis::Parts { parts, span, .. } => (parts, *span),
    };
    let whole = whole(place, span);
    let mut statements = TokenStream::new();
    let mut open = None;
    let mut known = quote!(());
    let is_run_time = parts.iter().any(|&(number, _)| names[number].size.is_run_time());
    for &(number, at) in parts {
        let variable = variable(number, at);
        let value = match &names[number].size {
            NameSize::Follows => {
                open = Some((variable, None));
                continue;
            }
            NameSize::LeftOut(axis) => {
                open = Some((variable, Some(axis)));
                continue;
            }
            NameSize::Size(written) => size(written),
            NameSize::Written { axis, .. } => axis.clone(),
        };
        let at = mixed_site_at(value.span());
        statements.extend(quote_spanned!(at=> let #variable = #value;));
        known = match is_run_time {
            true => quote!((#known, #variable)),
            false => {
                let part = quote_spanned! {at=>
                    ::tensor_core::__private::StaticPart::part(((#variable,),))
                };
                quote!((#known, #part))
            }
        };
    }
    let at = mixed_site_at(span);
    statements.extend(match open {
        Some((variable, None)) => {
            let split = quote_spanned! {at=>
                ::tensor_core::__private::AxisToSplit::split(((#whole,),))
            };
            quote_spanned! {at=>
                let #variable = ::tensor_core::__private::RestOfAxis::rest(#split, #known);
            }
        }
        Some((variable, Some(axis))) => {
            let rest = quote_spanned!(at=> ::tensor_core::__private::left_out::<#axis, _, _>);
            quote_spanned!(at=> let #variable = #rest(#whole, #known);)
        }
        None if is_run_time => {
            quote_spanned!(at=> ::tensor_core::__private::all_parts(#whole, #known);)
        }
        None => {
            let split = quote_spanned! {at=>
                ::tensor_core::__private::AxisToSplit::split(((#whole,),))
            };
            quote_spanned! {at=>
                let #whole = ::tensor_core::__private::AllOfAxis::check(#split, #known);
            }
        }
    });
    statements
}

/// The statement that merges several axes into an axis of the result.
fn merged(place: usize, axis: &Axis) -> Option<TokenStream> {
    let Axis::Parts { parts, named, span } = axis else { return None };
    let result = result(place, *span);
    let at = mixed_site_at(*span);
    // The order of the factors does not affect their product.
    let lead = match parts.iter().any(|&(number, _)| number == LEADING) {
        true => leading().to_token_stream(),
        false => quote_spanned!(at=> ()),
    };
    let parts = || parts.iter().filter(|&&(number, _)| number != LEADING);
    Some(match named {
        Some(named) => {
            let parts = parts().fold(lead, |parts, &(number, span)| {
                let part = variable(number, span);
                quote_spanned!(at=> (#parts, #part))
            });
            let merge = quote_spanned! {mixed_site_at(named.span())=>
                ::tensor_core::__private::merged_as::<#named, _>
            };
            quote_spanned!(at=> let #result = #merge(#parts);)
        }
        None => {
            let parts = parts().fold(lead, |parts, &(number, span)| {
                let part = variable(number, span);
                let part = quote_spanned! {mixed_site_at(span)=>
                    ::tensor_core::__private::MergedAxis::part(((#part,),))
                };
                quote_spanned!(at=> (#parts, #part))
            });
            quote_spanned!(at=> let #result = ::tensor_core::__private::MergedParts::merged((#parts,));)
        }
    })
}

/// The number that means all leading axes.
pub(super) fn leading_number() -> TokenStream {
    quote!(::core::primitive::usize::MAX)
}

/// The variable of a name.
fn variable(number: usize, at: Span) -> Ident {
    Ident::new(&format!("__axis_{number}"), mixed_site_at(at))
}

/// The variable of an axis of the operand that is split.
fn whole(place: usize, at: Span) -> Ident {
    Ident::new(&format!("__whole_{place}"), mixed_site_at(at))
}

/// The variable of an axis of the result that was merged.
fn result(place: usize, at: Span) -> Ident {
    Ident::new(&format!("__merged_{place}"), mixed_site_at(at))
}

/// The variable of all leading axes.
fn leading() -> Ident {
    format_ident!("__leading", span = Span::mixed_site())
}
