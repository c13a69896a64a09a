//! What stands in the place of something that was refused.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Error;

/// A type and an expression that is nothing but the error.
///
/// The size of the axis is the error itself, so the compiler counts every type that mentions it
/// as already reported and says nothing about whatever does not fit. `compile_error!` in the place
/// of a type would become `()`, and set off an error wherever that does not fit. A tuple that
/// holds this axis would be compared axis by axis with the type that is expected.
pub fn axis(mistake: &Error) -> TokenStream {
    let errors = mistake.to_compile_error();
    quote!(::tensor_core::Dim::<{ #errors }>)
}

/// An expression that is nothing but the error.
pub fn expression(mistake: &Error) -> TokenStream {
    let errors = mistake.to_compile_error();
    quote!({ #errors })
}
