//! `axis!(/** docs */ pub Batch, Hidden = 768)`: declarations of named axes.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Error, Expr, Result, Token, Visibility};

use super::list::{self, missing_comma, stream, visible};
use super::size::{self, Size, is_arithmetic};

/// A named axis as declared.
pub struct Declaration {
    pub attributes: Vec<Attribute>,
    pub visibility: Visibility,
    pub name: Ident,
    pub size: Option<Result<Size>>,
}

/// Parses declarations; each is valid, or an error.
pub fn declarations(tokens: TokenStream) -> Vec<Result<Declaration>> {
    list::entries(tokens).into_iter().map(declaration).collect()
}

fn declaration(entry: list::Entry) -> Result<Declaration> {
    if entry.tokens.is_empty() {
        return Err(Error::new_spanned(
            entry.comma,
            "the name of an axis is missing before this comma: write one, or remove the comma",
        ));
    }
    list::read(stream(&entry.tokens), |input| {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let name = name(input)?;
        let size = match input.parse::<Option<Token![=]>>()? {
            Some(equals) => Some(size(equals, input.parse()?)),
            None => None,
        };
        match input.parse::<Option<TokenTree>>()? {
            Some(next) => Err(after_name(&name, &next)),
            None => Ok(Declaration { attributes, visibility, name, size }),
        }
    })
}

fn name(input: ParseStream) -> Result<Ident> {
    match input.parse::<Option<TokenTree>>()? {
        Some(TokenTree::Ident(word)) => syn::parse2(word.to_token_stream()).map_err(|_| {
            Error::new_spanned(
                &word,
                format!(
                    "`{word}` is a word of the language: name the axis as a type, `axis!(Batch)`"
                ),
            )
        }),
        Some(token) => Err(Error::new_spanned(token, EXPECTED)),
        None => Err(Error::new(input.span(), EXPECTED)),
    }
}

const EXPECTED: &str =
    "expected the name of an axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size";

/// The error for a token after the name of an axis that is not `= size`.
fn after_name(name: &Ident, next: &TokenTree) -> Error {
    let message = match next {
        TokenTree::Group(_) => format!(
            "an axis is declared without a value, `axis!({name})`, \
             and gets its size where it is used: `{name}(32)`"
        ),
        TokenTree::Literal(literal) => {
            format!("the size of a named axis follows `=`: write `{name} = {literal}`")
        }
        TokenTree::Ident(_) => return missing_comma(next),
        TokenTree::Punct(_) => {
            format!("expected `{name}` alone, or `{name} = 768` for an axis of known size")
        }
    };
    Error::new_spanned(next, message)
}

/// Parses what follows `=`: arithmetic, `{constant}`, or a constant expression without braces, which
/// is not ambiguous here.
fn size(equals: Token![=], tokens: TokenStream) -> Result<Size> {
    let tokens = visible(tokens.into_iter().collect());
    match &tokens[..] {
        [] => Err(Error::new_spanned(equals, "the size of the axis is missing after `=`")),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => size::braces(&tokens),
        _ if is_arithmetic(&tokens) => size::arithmetic(&tokens),
        _ => {
            let expression = list::read(stream(&tokens), |input| input.parse::<Expr>())?;
            let expression = expression.into_token_stream();
            Ok(Size::Constant { written: expression.clone(), expression })
        }
    }
}
