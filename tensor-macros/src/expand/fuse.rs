//! `fuse!`: an expression over tensors that says what fits, and one over elements that runs.
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
//! The first branch never runs: from it the compiler has the type of the result, and by it it says
//! what is wrong with shapes and elements, at the tokens of the user. The second branch has
//! nothing to say about that. Numbers are spelled in both, so that the loop has them as constants;
//! the type that the tensors give to the first is that of the second.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;

use super::{shown_at, strict};
use crate::check::fuse::{Method, Part, Pass};
use crate::check::strict::Mode;

/// What the macro stands for.
pub fn pass(pass: &Pass) -> TokenStream {
    let Pass { mode, operands, numbers, operation } = pass;
    let private = quote!(::tensor_core::__private);
    let values = operands.iter().map(|operand| checked(operand.clone(), *mode));
    let xs: Vec<Ident> = operands.iter().enumerate().map(|(k, at)| operand(k, span(at))).collect();
    let ks: Vec<Ident> = numbers.iter().enumerate().map(|(k, at)| number(k, span(at))).collect();
    let tensors = over_tensors(operation);
    let tensors = match (mode, syn::parse2(tensors.clone())) {
        (Some(_), Ok(expression)) => checked(expression, *mode),
        _ => tensors,
    };
    let elements = over_elements(operation, numbers);
    let leaves =
        xs.iter().rfold(quote!(()), |rest, x| quote!((#private::probe(#x).operand(), #rest)));
    let pattern = xs.iter().rfold(quote!(()), |rest, x| quote!((#x, #rest)));
    quote! {
        match (#(&#values,)* #(#numbers,)*) {
            (#(#xs,)* #(#ks,)*) => if false {
                let (#(#xs,)*) = (#(#private::probe(#xs).typed(),)*);
                #tensors
            } else {
                #private::fused(#leaves, (), #[inline(always)] |#pattern| #elements)
            },
        }
    }
}

/// The expression, in strict code if it is in such.
fn checked(expression: Expr, mode: Option<Mode>) -> TokenStream {
    match mode {
        Some(mode) => strict::expression(expression, mode),
        None => expression.into_token_stream(),
    }
}

fn span(expression: &Expr) -> Span {
    syn::spanned::Spanned::span(expression)
}

/// The variable of an operand.
fn operand(index: usize, at: Span) -> Ident {
    Ident::new(&format!("__x{index}"), shown_at(at))
}

/// The variable of a number.
fn number(index: usize, at: Span) -> Ident {
    Ident::new(&format!("__k{index}"), shown_at(at))
}

/// As it was written, with variables for the operands.
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

/// The same over elements, which are values.
fn over_elements(part: &Part, numbers: &[Expr]) -> TokenStream {
    let over_elements = |part: &Part| over_elements(part, numbers);
    match part {
        Part::Operand(index, at) => operand(*index, *at).into_token_stream(),
        Part::Number(index, at) => {
            let (number, value) = (number(*index, *at), &numbers[*index]);
            quote_spanned!(shown_at(*at)=> ::tensor_core::__private::constant(#number, #value))
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
