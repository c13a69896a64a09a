//! `rearrange!(b s (h d) -> b h s d; &x, h = 8)`: names of axes, an operand, and sizes.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{Error, Expr, Result};

use super::list::{self, group, is_punct, stream, visible};
use super::shape;

/// A parsed call.
pub struct Rearrangement {
    /// The axes of the operand.
    pub from: Side,
    /// The axes of the result.
    pub to: Side,
    pub operand: Expr,
    /// The sizes given for names in parentheses.
    pub sizes: Vec<Given>,
}

/// The axes before `->` or after it.
pub struct Side {
    /// The span of a leading `..`, for any leading axes.
    pub leading: Option<Span>,
    pub axes: Vec<Axis>,
    /// The span of the axes.
    pub span: Span,
}

/// One axis.
pub enum Axis {
    /// `h`
    Name(Ident),
    /// `1`
    One(Span),
    /// `(h d)`, `(h d as Model)`, `(.. d)`
    Group { parts: Vec<Part>, named: Option<TokenStream>, span: Span },
}

/// A part of an axis.
pub enum Part {
    /// `h`
    Name(Ident),
    /// `..`, for all leading axes.
    Leading(Span),
}

/// `h = 8`, `batch = Batch(n)`, `seq = Seq(_)`
pub struct Given {
    pub name: Ident,
    pub size: GivenSize,
}

pub enum GivenSize {
    /// `8`, `{HEADS}`, `Heads`, `Batch(n)`
    Entry(shape::Entry),
    /// `Seq(_)`: a named axis with the remaining size.
    LeftOut(TokenStream),
}

const EXAMPLE: &str = "`rearrange!(b s (h d) -> b h s d; &x, h = 8)`";

/// # Errors
///
/// At the token that does not belong there.
pub fn rearrangement(tokens: TokenStream) -> Result<Rearrangement> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let end = tokens.last().map_or_else(Span::call_site, TokenTree::span);
    let Some(semicolon) = tokens.iter().position(|token| is_punct(Some(token), ';')) else {
        let message = format!("the operand comes after a semicolon, as in {EXAMPLE}");
        return Err(Error::new(end, message));
    };
    let names = &tokens[..semicolon];
    let arrow = (0..names.len())
        .find(|&place| is_punct(names.get(place), '-') && is_punct(names.get(place + 1), '>'));
    let Some(arrow) = arrow else {
        let message = format!("the axes of the result come after `->`, as in {EXAMPLE}");
        return Err(Error::new(tokens[semicolon].span(), message));
    };
    let place = names[arrow].span();
    let (from, to) = (side(&names[..arrow], place)?, side(&names[arrow + 2..], place)?);
    let mut entries = list::entries(stream(&tokens[semicolon + 1..])).into_iter();
    let operand = match entries.next() {
        Some(entry) if !entry.tokens.is_empty() => {
            list::read(stream(&entry.tokens), |input| input.parse())?
        }
        _ => {
            let message = format!("the operand is missing after the semicolon, as in {EXAMPLE}");
            return Err(Error::new(tokens[semicolon].span(), message));
        }
    };
    let sizes = entries.map(given).collect::<Result<_>>()?;
    Ok(Rearrangement { from, to, operand, sizes })
}

/// Parses `h = 8`.
fn given(entry: list::Entry) -> Result<Given> {
    let tokens = visible(entry.tokens);
    let (name, size) = match &tokens[..] {
        [] => {
            let message = "a size is missing before this comma: write it, or remove the comma";
            return Err(Error::new_spanned(entry.comma, message));
        }
        [TokenTree::Ident(name), equals, size @ ..]
            if is_punct(Some(equals), '=') && !size.is_empty() =>
        {
            (name.clone(), size)
        }
        _ => {
            let message = "expected the size of a name in parentheses, as `h = 8`";
            return Err(Error::new_spanned(stream(&tokens), message));
        }
    };
    if let [axis @ .., last] = size
        && !axis.is_empty()
        && let Some(inner) = group(Some(last), Delimiter::Parenthesis)
        && let [TokenTree::Ident(word)] = &inner[..]
        && word == "_"
    {
        let axis = axis_type(axis)?;
        return Ok(Given { name, size: GivenSize::LeftOut(axis) });
    }
    let size = shape::entry(list::Entry { tokens: size.to_vec(), comma: entry.comma })?;
    Ok(Given { name, size: GivenSize::Entry(size) })
}

/// Checks that the tokens are the type of a named axis.
fn axis_type(tokens: &[TokenTree]) -> Result<TokenStream> {
    let tokens = stream(tokens);
    match syn::parse2::<syn::TypePath>(tokens.clone()) {
        Ok(_) => Ok(tokens),
        Err(_) => {
            let message = "expected the name of an axis that `axis!` declared, as `Tokens`";
            Err(Error::new_spanned(tokens, message))
        }
    }
}

/// Parses axes separated by spaces, with `..` in front if there are leading axes. `place` is the span
/// if there are no axes.
fn side(tokens: &[TokenTree], place: Span) -> Result<Side> {
    let tokens = visible(tokens.to_vec());
    let span = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span().join(last.span()).unwrap_or(first.span()),
        _ => place,
    };
    let dots = list::begins_with_dots(&tokens);
    let leading = dots.then(|| tokens[0].span());
    let axes = tokens[if dots { 2 } else { 0 }..].iter().map(axis).collect::<Result<_>>()?;
    Ok(Side { leading, axes, span })
}

fn axis(token: &TokenTree) -> Result<Axis> {
    match token {
        TokenTree::Ident(name) => Ok(Axis::Name(name.clone())),
        TokenTree::Literal(literal) if literal.to_string() == "1" => Ok(Axis::One(literal.span())),
        TokenTree::Group(inner) if inner.delimiter() == Delimiter::Parenthesis => {
            let tokens: Vec<TokenTree> = inner.stream().into_iter().collect();
            let is_as = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "as");
            let (names, named) = match tokens.iter().position(is_as) {
                Some(place) => (&tokens[..place], Some(&tokens[place + 1..])),
                None => (&tokens[..], None),
            };
            if names.is_empty() {
                let message =
                    "names of axes are missing between these parentheses; an axis of size 1 is `1`";
                return Err(Error::new_spanned(token, message));
            }
            if named.is_some_and(<[TokenTree]>::is_empty) {
                let message = "the name of the axis is missing after `as`";
                return Err(Error::new_spanned(&tokens[tokens.len() - 1], message));
            }
            let named = named.map(axis_type).transpose()?;
            Ok(Axis::Group { parts: parts(names)?, named, span: inner.span() })
        }
        token => Err(unexpected(token, "the name of an axis, `1` or names in parentheses")),
    }
}

/// Parses `h d`, `.. d`.
fn parts(mut tokens: &[TokenTree]) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    while let Some(first) = tokens.first() {
        let (part, len) = match first {
            TokenTree::Ident(name) => (Part::Name(name.clone()), 1),
            dots if list::begins_with_dots(tokens) => (Part::Leading(dots.span()), 2),
            token => return Err(unexpected(token, "the name of an axis or `..`")),
        };
        parts.push(part);
        tokens = &tokens[len..];
    }
    Ok(parts)
}

/// The error for a token that is not an axis.
fn unexpected(token: &TokenTree, expected: &str) -> Error {
    let message = match token {
        TokenTree::Punct(punct) if punct.as_char() == '.' => {
            "any leading axes are two dots, `..`, in front of the names".to_owned()
        }
        TokenTree::Punct(punct) if punct.as_char() == ',' => {
            "spaces separate the names of axes, without commas".to_owned()
        }
        TokenTree::Literal(literal) => match literal.to_string().strip_prefix('"') {
            Some(_) => format!("write the names without quotes, as in {EXAMPLE}"),
            None => "the size of a name comes after the operand, as `h = 8`".to_owned(),
        },
        _ => format!("expected {expected}, as in {EXAMPLE}"),
    };
    Error::new_spanned(token, message)
}
