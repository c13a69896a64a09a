//! `fuse!`: an expression over tensors, which is only type-checked, and one over elements, which is executed.
//!
//! `&x * w + 1.0` becomes
//!
//! ```text
//! match (&x, &w, 1.0) {
//!     (__x0, __x1, __k0) => if false {
//!         let (__x0, __x1) = (probe(__x0).typed(), probe(__x1).typed());
//!         __x0 * __x1 + __k0
//!     } else {
//!         fused(
//!             (probe(__x0).operand(), (probe(__x1).operand(), ())),
//!             (),
//!             #[inline(always)] |(__x0, (__x1, ()))| __x0 * __x1 + constant(__k0, 1.0),
//!         )
//!     },
//! }
//! ```
//!
//! The first branch is never executed: the compiler infers the type of the result from it, and reports
//! mistakes in shapes and element types in it, at the tokens of the user. The second branch causes no
//! such messages. Numbers are repeated in both, so that they are constants in the loop;
//! type inference in the first branch determines their type in the second.
//!
//! If a macro passes operands on, two operands with the same name may be one variable or two: the macro's
//! and its caller's. The name is bound again, once for each operand, and the compiler's name resolution
//! distinguishes them: `At` in `tensor_core::fuse`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;

use super::{mixed_site_at, strict};
use crate::check::fuse::{Method, Part, Pass};
use crate::check::strict::Mode;

/// The expansion of the macro.
pub fn pass(pass: &Pass) -> TokenStream {
    let Pass { mode, operands, same, numbers, operation } = pass;
    let private = quote!(::tensor_core::__private);
    let values = operands.iter().map(|operand| checked(operand.clone(), *mode));
    let xs: Vec<Ident> = operands.iter().enumerate().map(|(k, at)| operand(k, span(at))).collect();
    let ks: Vec<Ident> = numbers.iter().enumerate().map(|(k, at)| number(k, span(at))).collect();
    let tensors = over_tensors(operation);
    let tensors = match (mode, syn::parse2(tensors.clone())) {
        (Some(_), Ok(expression)) => checked(expression, *mode),
        _ => tensors,
    };
    let elements = over_elements(operation, &Elements { numbers, same });
    let leaves = xs.iter().enumerate().rfold(quote!(()), |rest, (k, x)| {
        let operand = quote!(#private::probe(#x).operand());
        let operand = match first(same, k) {
            Some(first) => quote! {
                #private::first_read(#first, #private::At::<#k>).operand(#operand)
            },
            None => operand,
        };
        quote!((#operand, #rest))
    });
    let numbered = bound_again(same, |k| quote!(#private::At::<#k>));
    let named = bound_again(same, |k| xs[k].to_token_stream());
    let elements = if same.is_empty() { elements } else { quote!({ #named #elements }) };
    let pattern = xs.iter().rfold(quote!(()), |rest, x| quote!((#x, #rest)));
    quote! {
        match (#(&#values,)* #(#numbers,)*) {
            (#(#xs,)* #(#ks,)*) => if false {
                let (#(#xs,)*) = (#(#private::probe(#xs).typed(),)*);
                #tensors
            } else {
                #numbered
                #private::run_fused(
                    #leaves,
                    (),
                    #[inline(always)] |#pattern| #elements,
                    // SAFETY: the expression was checked: it names each temporary once.
                    unsafe { #private::ReadOnce::new() },
                )
            },
        }
    }
}

/// The expression, with the checks of strict code if there is a mode.
fn checked(expression: Expr, mode: Option<Mode>) -> TokenStream {
    match mode {
        Some(mode) => strict::expression(expression, mode),
        None => expression.into_token_stream(),
    }
}

/// Rebinds the name of each operand that may be the same as another, in reverse order, so that if they
/// are the same variable, the binding of the first one shadows the others.
fn bound_again(same: &[Vec<(usize, Ident)>], value: impl Fn(usize) -> TokenStream) -> TokenStream {
    let groups = same.iter().enumerate();
    groups
        .flat_map(|(group, members)| {
            members.iter().rev().map(move |(k, variable)| (*k, first_of(group, variable)))
        })
        .map(|(k, first)| {
            let value = value(k);
            quote!(let #first = #value;)
        })
        .collect()
}

/// The name that an operand is rebound to, if it may be the same as another.
fn first(same: &[Vec<(usize, Ident)>], operand: usize) -> Option<Ident> {
    same.iter().enumerate().find_map(|(group, members)| {
        let (_, variable) = members.iter().find(|(k, _)| *k == operand)?;
        Some(first_of(group, variable))
    })
}

/// The rebound name of a group: equal for all its operands, but with the hygiene of their variables.
fn first_of(group: usize, variable: &Ident) -> Ident {
    Ident::new(&format!("__first{group}"), variable.span())
}

fn span(expression: &Expr) -> Span {
    syn::spanned::Spanned::span(expression)
}

/// The variable of an operand.
fn operand(index: usize, at: Span) -> Ident {
    Ident::new(&format!("__x{index}"), mixed_site_at(at))
}

/// The variable of a number.
fn number(index: usize, at: Span) -> Ident {
    Ident::new(&format!("__k{index}"), mixed_site_at(at))
}

/// The expression over tensors, with variables for the operands.
fn over_tensors(part: &Part) -> TokenStream {
    match part {
        Part::Operand(index, at) => operand(*index, *at).into_token_stream(),
        Part::Number(index, at) => number(*index, *at).into_token_stream(),
        Part::Parentheses(paren, inner) => parentheses(*paren, over_tensors(inner)),
        Part::Reference(and, inner) => {
            let inner = over_tensors(inner);
            quote!(#and #inner)
        }
        Part::Prefix(op, inner) => {
            let inner = over_tensors(inner);
            quote!(#op #inner)
        }
        Part::Infix(left, op, right) => {
            let (left, right) = (over_tensors(left), over_tensors(right));
            quote!(#left #op #right)
        }
        Part::Method(receiver, method, arguments) => {
            call(over_tensors(receiver), method, arguments.iter().map(over_tensors))
        }
        Part::Select(function, paren, arguments) => {
            let arguments = arguments.iter().map(over_tensors);
            let arguments = parentheses(*paren, quote!(#(#arguments),*));
            quote!(#function #arguments)
        }
    }
}

/// The inputs of the expression over elements, in addition to the operands.
struct Elements<'a> {
    numbers: &'a [Expr],
    same: &'a [Vec<(usize, Ident)>],
}

/// The expression over elements, which are values.
fn over_elements(part: &Part, from: &Elements<'_>) -> TokenStream {
    let over_elements = |part: &Part| over_elements(part, from);
    match part {
        Part::Operand(index, at) => {
            let first = first(from.same, *index);
            first.unwrap_or_else(|| operand(*index, *at)).into_token_stream()
        }
        Part::Number(index, at) => {
            let (number, value) = (number(*index, *at), &from.numbers[*index]);
            quote_spanned!(mixed_site_at(*at)=> ::tensor_core::__private::constant(#number, #value))
        }
        Part::Parentheses(paren, inner) => parentheses(*paren, over_elements(inner)),
        Part::Reference(_, inner) => over_elements(inner),
        Part::Prefix(op, inner) => {
            let inner = over_elements(inner);
            quote!(#op #inner)
        }
        Part::Infix(left, op, right) => {
            let (left, right) = (over_elements(left), over_elements(right));
            quote!(#left #op #right)
        }
        Part::Method(receiver, method, arguments) => {
            call(over_elements(receiver), method, arguments.iter().map(over_elements))
        }
        Part::Select(_, _, arguments) => {
            let arguments = arguments.iter().map(over_elements);
            quote!(::tensor_core::__private::select(#(#arguments),*))
        }
    }
}

fn parentheses(paren: syn::token::Paren, inner: TokenStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    paren.surround(&mut tokens, |tokens| tokens.extend(inner));
    tokens
}

fn call(
    receiver: TokenStream,
    Method { dot, name, types, paren }: &Method,
    arguments: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let arguments = parentheses(*paren, quote!(#(#arguments),*));
    quote!(#receiver #dot #name #types #arguments)
}
