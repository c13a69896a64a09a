//! `#[strict(same)] fn …` and `strictly!(same: a - b)`: a mode, and the code that it applies to.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{Error, Expr, Ident, Item, Result, Token};

use super::list::read;

/// The argument of a `strict` attribute, as written.
pub enum Argument {
    /// `#[strict]`
    Nothing,
    /// `#[strict(same)]`
    Word(Ident),
}

/// Parses the argument of the attribute.
///
/// # Errors
///
/// When it is more than a word.
pub fn argument(tokens: TokenStream) -> Result<Argument> {
    if tokens.is_empty() {
        return Ok(Argument::Nothing);
    }
    syn::parse2(tokens.clone()).map(Argument::Word).map_err(|_| Error::new_spanned(tokens, MODES))
}

/// The ways to write the attribute.
pub const MODES: &str = "expected `#[strict]`: one side may stretch, `#[strict(rank)]`: only axes of \
                         size `One` may, `#[strict(same)]`: none may, or `#[strict(off)]`: both may";

/// Parses the item below the attribute.
///
/// # Errors
///
/// When it is none. The compiler has read it before, so that this is newer than the parser here.
pub fn item(tokens: TokenStream) -> Result<Item> {
    syn::parse2(tokens)
}

/// An expression, and the word before it, if any.
pub struct Expression {
    pub mode: Argument,
    pub expression: Expr,
}

/// Parses `a - b` or `same: a - b`.
///
/// # Errors
///
/// Where the expression is none, or none is there.
pub fn expression(tokens: TokenStream, example: &str) -> Result<Expression> {
    if tokens.is_empty() {
        return Err(Error::new(
            proc_macro2::Span::call_site(),
            format!("expected an expression: write `{example}`"),
        ));
    }
    read(tokens, |input: ParseStream| {
        let mode = if input.peek(Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]) {
            let word = input.parse()?;
            input.parse::<Token![:]>()?;
            Argument::Word(word)
        } else {
            Argument::Nothing
        };
        let expression = input.parse()?;
        match input.parse::<Option<proc_macro2::TokenTree>>()? {
            None => Ok(Expression { mode, expression }),
            Some(next) => Err(Error::new_spanned(
                next,
                format!("the expression ends before this: write `{example}`"),
            )),
        }
    })
}
