//! `tensor![[1, 2], [3, 4]]` and `tensor![0.5; 2, 3]`: elements in rows, or one value for all.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::token::Bracket;
use syn::{Error, Expr, Result, Token};

use super::list::{is_punct, missing_comma, read, stream, visible};
use super::shape;

/// A literal as written.
pub enum Literal {
    /// `0.5; 2, 3`
    Repeat { value: TokenStream, shape: Vec<Result<shape::Entry>> },
    /// `[1, 2], [3, 4]`
    Rows(Vec<Element>),
}

/// An entry of a row.
pub enum Element {
    Row { elements: Vec<Element>, written: Group },
    Value(TokenStream),
}

/// Parses the argument of the macro.
///
/// # Errors
///
/// At the first element that is missing or no expression.
pub fn literal(tokens: TokenStream) -> Result<Literal> {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match all.iter().position(|token| is_punct(Some(token), ';')) {
        Some(semicolon) => {
            let value = repeated(&all[..semicolon], &all[semicolon])?;
            let shape = shape::entries(stream(&all[semicolon + 1..]));
            Ok(Literal::Repeat { value, shape })
        }
        None => Ok(Literal::Rows(read(tokens, elements)?)),
    }
}

/// Parses the single value before `;`.
fn repeated(tokens: &[TokenTree], semicolon: &TokenTree) -> Result<TokenStream> {
    if tokens.is_empty() {
        return Err(Error::new_spanned(
            semicolon,
            "the value is missing before `;`: write `tensor![0.5; 2, 3]`",
        ));
    }
    if let [TokenTree::Group(row)] = tokens
        && row.delimiter() == Delimiter::Bracket
    {
        return Err(Error::new_spanned(
            row,
            "a row is not an element: write one value and the whole shape, `tensor![0.5; 2, 3]`",
        ));
    }
    read(stream(tokens), |input| {
        let value: Expr = input.parse()?;
        match input.parse::<Option<TokenTree>>()? {
            None => Ok(value.into_token_stream()),
            Some(next) => Err(Error::new_spanned(
                next,
                "the repeat form takes one value: write `tensor![0.5; 2, 3]`",
            )),
        }
    })
}

fn elements(input: ParseStream) -> Result<Vec<Element>> {
    let mut elements = Vec::new();
    while !input.is_empty() {
        if input.peek(Token![,]) {
            return Err(input
                .error("an element is missing before this comma: write it, or remove the comma"));
        }
        elements.push(element(input)?);
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            return Err(missing_comma(&input.parse()?));
        }
        input.parse::<Token![,]>()?;
    }
    Ok(elements)
}

fn element(input: ParseStream) -> Result<Element> {
    let alone = input.cursor().token_tree().is_some_and(|(_, rest)| {
        rest.eof() || rest.punct().is_some_and(|(punct, _)| punct.as_char() == ',')
    });
    if let Some(next) = row_without_comma(input) {
        return Err(missing_comma(&next));
    }
    if !alone {
        return value(input.parse()?);
    }
    let token: TokenTree = input.parse()?;
    match &visible(vec![token.clone()])[..] {
        [TokenTree::Group(written)] if written.delimiter() == Delimiter::Bracket => row(written),
        // By far the most common element, and there may be many.
        [TokenTree::Literal(_)] => Ok(Element::Value(token.into())),
        _ => value(read(token.into(), |input| input.parse())?),
    }
}

/// An element that is an expression.
fn value(written: Expr) -> Result<Element> {
    if let Expr::Macro(call) = &written
        && call.mac.path.is_ident("vec")
    {
        return Err(Error::new_spanned(
            call,
            "a `Vec` is not an element: write `Tensor::from_vec(elements)?`, or the elements alone, `tensor![1.0, 2.0]`",
        ));
    }
    Ok(Element::Value(written.into_token_stream()))
}

/// The second of two rows without a comma between them, which Rust would parse as indexing of an array.
fn row_without_comma(input: ParseStream) -> Option<TokenTree> {
    let (_, rest) = input.cursor().token_tree().filter(|_| input.peek(Bracket))?;
    let (next, _) = rest.token_tree()?;
    let is_row =
        matches!(&next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
    is_row.then_some(next)
}

fn row(written: &Group) -> Result<Element> {
    let tokens = written.stream();
    if let Some(semicolon) = tokens.clone().into_iter().find(|token| is_punct(Some(token), ';')) {
        return Err(Error::new_spanned(
            semicolon,
            "a row cannot repeat a value: repeat it for the whole tensor, `tensor![0.5; 2, 3]`, \
             or write the row out",
        ));
    }
    Ok(Element::Row { elements: read(tokens, elements)?, written: written.clone() })
}
