//! Checks that `#[shapes]` is on a valid item.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{Error, Result};

/// The name of the struct, the enum or the union below the attribute, which has no argument.
///
/// # Errors
///
/// At the argument, or at the word that declares something else.
pub fn attribute(argument: &TokenStream, item: &TokenStream) -> Result<Ident> {
    if !argument.is_empty() {
        return Err(Error::new_spanned(argument, "`#[shapes]` takes no argument"));
    }
    let mut tokens = item.clone().into_iter();
    let keyword = tokens.find(|token| match token {
        // Skips attributes, and the parentheses after `pub`.
        TokenTree::Punct(punct) => punct.as_char() != '#',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(word) => word != "pub",
        TokenTree::Literal(_) => true,
    });
    let declares = matches!(&keyword, Some(TokenTree::Ident(word))
        if word == "struct" || word == "enum" || word == "union");
    match tokens.next() {
        Some(TokenTree::Ident(name)) if declares => Ok(name),
        _ => Err(Error::new_spanned(
            keyword,
            "`#[shapes]` is for structs and enums: remove it, `shape!` needs it nowhere else",
        )),
    }
}
