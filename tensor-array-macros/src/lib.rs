//! Attributes for the methods of [`tensor-array`] and the crates above it: which source lines the compiler shows in
//! messages about them, what their documentation has in common, and for which element types they are compiled. They
//! have no stable interface.
//!
//! This is a separate crate, so that a change of the macros of `tensor-core` does not compile
//! `tensor-array` anew.
//!
//! [`tensor-array`]: https://docs.rs/tensor-array

#![forbid(unsafe_code)]

mod bounds;

mod instances;

mod method_docs;

mod tokens;

mod usage;

use proc_macro::TokenStream;
use proc_macro2::Span;

/// Keeps the compiler from showing the source of the bounds of a function, or of the functions of an impl, below the
/// message of a bound that is not satisfied. It makes the message of a method with long bounds shorter by five lines or
/// more. Nothing else changes.
///
/// The message is the one of the bound's trait, from `#[diagnostic::on_unimplemented]`. The source is hidden from the users
/// of the crate; within the crate itself the compiler shows it.
#[proc_macro_attribute]
pub fn bounds_without_source(_: TokenStream, item: TokenStream) -> TokenStream {
    bounds::with_token_of_another_file(item.into()).into()
}

/// The implementation of [`macro@bounds_without_source`]: takes a token of another file, then the item.
#[doc(hidden)]
#[proc_macro]
pub fn locate_bounds(input: TokenStream) -> TokenStream {
    let mut tokens = proc_macro2::TokenStream::from(input).into_iter();
    let elsewhere = tokens.next().map_or_else(Span::call_site, |token| token.span());
    bounds::without_source(elsewhere, tokens.collect()).into()
}

/// Makes the compiler show this example call as the definition of a method, when a call has too many
/// arguments.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn usage(usage: TokenStream, item: TokenStream) -> TokenStream {
    usage::located(usage.into(), item.into()).into()
}

/// Completes the documentation of the methods of an impl: sections, imports of examples and, with `twins`, what
/// `Tensor` and `DynTensor` share. The methods of an impl with `twins` are instantiated for the usual element types.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn method_docs(argument: TokenStream, item: TokenStream) -> TokenStream {
    method_docs::completed(argument.into(), item.into()).into()
}
