//! `axes![0, 2, -1]`: axis numbers.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Error, LitInt, Result};

use super::list::{self, is_punct, missing_comma, stream, visible};

/// An axis number as written.
pub struct Number {
    pub negative: bool,
    pub digits: LitInt,
    pub written: TokenStream,
}

/// The leading `...` of a list, if any, and the numbers, or an error for each invalid one.
pub fn numbers(tokens: TokenStream) -> (Option<TokenStream>, Vec<Result<Number>>) {
    let mut entries = list::entries(tokens);
    let is_rest = |entry: &list::Entry| match &entry.tokens[..] {
        tokens @ [_, _, last] => list::begins_with_dots(tokens) && is_punct(Some(last), '.'),
        _ => false,
    };
    let rest = entries.first().is_some_and(is_rest).then(|| stream(&entries.remove(0).tokens));
    (rest, entries.into_iter().map(number).collect())
}

fn number(entry: list::Entry) -> Result<Number> {
    let written = stream(&entry.tokens);
    let tokens = visible(entry.tokens);
    let Some(first) = tokens.first() else {
        return Err(Error::new_spanned(
            entry.comma,
            "the number of an axis is missing before this comma: write it, or remove the comma",
        ));
    };
    let negative = is_punct(Some(first), '-');
    let (token, rest) = match &tokens[usize::from(negative)..] {
        [token, rest @ ..] => (token, rest),
        [] => (first, &[][..]),
    };
    let digits = syn::parse2(token.clone().into()).map_err(|_| {
        Error::new_spanned(
            &written,
            "expected the number of an axis, such as `0` for the first or `-1` for the last",
        )
    })?;
    match rest {
        [] => Ok(Number { negative, digits, written }),
        [next @ TokenTree::Punct(_), ..] => Err(Error::new_spanned(
            next,
            "the number of an axis is one integer, such as `0` for the first or `-1` for the last",
        )),
        [next, ..] => Err(missing_comma(next)),
    }
}
