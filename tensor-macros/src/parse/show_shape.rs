//! `show_shape!(x.relu())` and `show_shape!(type Logits)`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{Error, Expr, Result, Token, Type};

use super::list::read;

/// The argument, as written.
pub enum Request {
    Value(Expr),
    Type(Type),
}

/// Parses an expression, or a type after the word `type`.
///
/// # Errors
///
/// Where it is none, or none is there.
pub fn request(tokens: TokenStream) -> Result<Request> {
    const WAYS: &str = "write `show_shape!(x)` for the shape of a tensor, or `show_shape!(type S)`";
    if tokens.is_empty() {
        return Err(Error::new(Span::call_site(), format!("nothing to show: {WAYS}")));
    }
    read(tokens, |input| {
        let request = if input.parse::<Option<Token![type]>>()?.is_some() {
            Request::Type(input.parse()?)
        } else {
            Request::Value(input.parse()?)
        };
        match input.parse::<Option<TokenTree>>()? {
            None => Ok(request),
            Some(next) => Err(Error::new_spanned(next, format!("one at a time: {WAYS}"))),
        }
    })
}
