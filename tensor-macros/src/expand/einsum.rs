//! `einsum!`: destructures shapes by patterns, compares axes name by name, and builds the result's shape.
//!
//! `i k, k j -> i j; &a, b` becomes
//!
//! ```text
//! match (operand(&(&a)), operand(&(b))) {
//!     (__x0, __x1) => {
//!         let (((), i), k) = NamedAxes::<2, _>::axes(__x0.shape());
//!         let (((), __k), j) = NamedAxes::<2, _>::axes(__x1.shape());
//!         let k = StretchedName::stretched((__k,), __k, k);
//!         let __result = einsum(
//!             [untyped(__x0), untyped_as(__x1, __x0)], [&[0, 1], &[1, 2]], &[0, 2],
//!             after(k, (((), i), j)),
//!         );
//!         __result
//!     }
//! }
//! ```
//!
//! The result is bound to a variable, so that a wrong type annotation is one error about the whole, not one
//! for each axis. Its shape depends on the compared axes: if one of them is refused, the result has no shape,
//! and a mistake is one error. Each variable has the span of its axis name, for messages.

use core::mem::replace;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use super::mixed_site_at;
use super::rearrange::leading_number;
use crate::check::einsum::{Axis, Operand, SumOfProducts};

/// The expansion of the macro.
pub fn einsum(sum: &SumOfProducts) -> TokenStream {
    let private = quote!(::tensor_core::__private);
    let xs: Vec<Ident> = (0..).map(operand).take(sum.operands.len()).collect();
    let values = sum.operands.iter().map(|Operand { value, .. }| {
        quote_spanned!(mixed_site_at(value.span())=> ::tensor_core::__private::operand(&(#value)))
    });
    let mut has_leading = false;
    let apart = sum
        .operands
        .iter()
        .zip(&xs)
        .enumerate()
        .map(|(place, (operand, x))| apart(place, operand, x, &mut has_leading));
    let apart: Vec<TokenStream> = apart.collect();
    let labels =
        sum.operands.iter().map(|operand| numbers(operand.leading.is_some(), &operand.axes));
    let result = numbers(sum.leading, &sum.result);
    let lead = if sum.leading { leading_variable("").into_token_stream() } else { quote!(()) };
    let shape = sum.result.iter().fold(lead, |lead, axis| {
        let variable = variable(axis, axis.name.span());
        quote!((#lead, #variable))
    });
    let mut compared: Vec<usize> = Vec::new();
    let all = sum.operands.iter().flat_map(|operand| &operand.axes);
    let shape = all.filter(|axis| axis.again).fold(shape, |shape, axis| {
        if compared.contains(&axis.number) {
            return shape;
        }
        compared.push(axis.number);
        let variable = variable(axis, axis.name.span());
        quote!(#private::after(#variable, #shape))
    });
    let first = &xs[0];
    let untyped = xs.iter().zip(&sum.operands).enumerate().map(|(place, (x, operand))| {
        let span = mixed_site_at(operand.value.span());
        let x = Ident::new(&x.to_string(), span);
        match place {
            0 => quote_spanned!(span=> ::tensor_core::__private::untyped(#x)),
            _ => quote_spanned!(span=> ::tensor_core::__private::UntypedAs::untyped_as(#x, #first)),
        }
    });
    quote! {
        match (#(#values,)*) {
            (#(#xs,)*) => {
                #(#apart)*
                let __result =
                    #private::einsum([#(#untyped),*], [#(&#labels),*], &#result, #shape);
                __result
            }
        }
    }
}

/// Statements that destructure the shape of an operand, and compare its axes with earlier ones: each depends
/// on the one before it, so that two axes in the wrong order are one error.
fn apart(place: usize, operand: &Operand, x: &Ident, has_leading: &mut bool) -> TokenStream {
    let span = mixed_site_at(operand.span);
    let count = operand.axes.len();
    let (leading, again) = (leading_variable(""), leading_variable("_again"));
    let (lead, function) = match operand.leading {
        Some(_) => (
            again.to_token_stream(),
            quote_spanned!(span=> ::tensor_core::__private::NamedLastAxes::<#count, _>::last_axes),
        ),
        None => (
            quote!(()),
            quote_spanned!(span=> ::tensor_core::__private::NamedAxes::<#count, _>::axes),
        ),
    };
    let x = Ident::new(&x.to_string(), span);
    let mut compared = TokenStream::new();
    let mut before: Option<Ident> = None;
    let pattern = operand.axes.iter().enumerate().fold(lead, |lead, (axis_place, axis)| {
        let at = axis.name.span();
        let first = variable(axis, at);
        if !axis.again {
            return quote!((#lead, #first));
        }
        let again = again_variable(place, axis_place, at);
        if let Some(before) = before.replace(first.clone()) {
            compared.extend(quote_spanned!(mixed_site_at(at)=>
                let #again = ::tensor_core::__private::after(#before, #again);
            ));
        }
        // Axes with the same name in one operand are its diagonal; those of two operands broadcast.
        let within = operand.axes[..axis_place].iter().position(|other| other.number == axis.number);
        compared.extend(match within {
            None => quote_spanned!(mixed_site_at(at)=>
                let #first = ::tensor_core::__private::StretchedName::stretched((#again,), #again, #first);
            ),
            Some(within) if operand.axes[within].again => {
                let within = again_variable(place, within, at);
                quote_spanned!(mixed_site_at(at)=>
                    let #again = ::tensor_core::__private::SameName::same((#again,), #again, #within);
                    let #first = ::tensor_core::__private::after(#again, #first);
                )
            }
            Some(_) => quote_spanned!(mixed_site_at(at)=>
                let #first = ::tensor_core::__private::SameName::same((#again,), #again, #first);
            ),
        });
        quote!((#lead, #again))
    });
    let joined = operand.leading.map(|at| match replace(has_leading, true) {
        false => quote!(let #leading = #again;),
        true => quote_spanned!(mixed_site_at(at)=>
            let #leading = ::tensor_core::__private::leading(#leading, #again);
        ),
    });
    let call = match (operand.leading, count) {
        (Some(_), 0) => quote!(#x.shape()),
        _ => quote_spanned!(span=> #function(#x.shape())),
    };
    quote! {
        #[allow(unused_variables)]
        let #pattern = #call;
        #joined
        #compared
    }
}

/// The numbers of a list of axes.
fn numbers(leading: bool, axes: &[Axis]) -> TokenStream {
    let lead = leading.then(leading_number);
    let numbers = axes.iter().map(|axis| {
        let number = axis.number;
        quote!(#number)
    });
    let numbers = lead.into_iter().chain(numbers);
    quote!([#(#numbers),*])
}

/// The variable of an axis whose name has occurred before.
fn again_variable(operand: usize, axis: usize, at: Span) -> Ident {
    Ident::new(&format!("__again_{operand}_{axis}"), mixed_site_at(at))
}

/// The variable of an axis.
fn variable(axis: &Axis, at: Span) -> Ident {
    Ident::new(&format!("__axis_{}", axis.number), mixed_site_at(at))
}

/// The variable of all leading axes.
fn leading_variable(which: &str) -> Ident {
    Ident::new(&format!("__leading{which}"), Span::mixed_site())
}

/// The variable of an operand.
fn operand(index: usize) -> Ident {
    Ident::new(&format!("__x{index}"), Span::mixed_site())
}
