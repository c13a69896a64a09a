//! `einsum!(b i d, b j d -> b i j; &q, &k)`: names of axes, and operands.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{Error, Expr, Result};

use super::list::{self, is_punct, missing_comma, stream, visible};

/// A parsed equation.
pub struct Equation {
    /// The axes of each operand.
    pub operands: Vec<Axes>,
    /// The axes of the result.
    pub result: Axes,
    /// The operand expressions.
    pub values: Vec<Expr>,
}

/// The names of the axes of an operand or of the result.
pub struct Axes {
    /// The span of a leading `..`, for any leading axes.
    pub leading: Option<Span>,
    pub names: Vec<Ident>,
    /// The span of the names.
    pub span: Span,
}

const EXAMPLE: &str = "`einsum!(b i d, b j d -> b i j; &q, &k)`";

/// # Errors
///
/// At the token that does not belong there.
pub fn equation(tokens: TokenStream) -> Result<Equation> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let end = tokens.last().map_or_else(Span::call_site, TokenTree::span);
    let Some(semicolon) = tokens.iter().position(|token| is_punct(Some(token), ';')) else {
        let message = format!("the operands come after a semicolon, as in {EXAMPLE}");
        return Err(Error::new(end, message));
    };
    let names = &tokens[..semicolon];
    let arrow = (0..names.len())
        .find(|&place| is_punct(names.get(place), '-') && is_punct(names.get(place + 1), '>'));
    let Some(arrow) = arrow else {
        let message = format!("the axes of the result come after `->`, as in {EXAMPLE}");
        return Err(Error::new(tokens[semicolon].span(), message));
    };
    let operands = list::entries(stream(&names[..arrow]));
    let operands = match operands.is_empty() {
        // A single operand of rank 0 has no names.
        true => vec![axes(&[], names[arrow].span())?],
        false => operands
            .iter()
            .map(|entry| axes(&entry.tokens, names[arrow].span()))
            .collect::<Result<_>>()?,
    };
    let result = axes(&names[arrow + 2..], names[arrow].span())?;
    let values = list::entries(stream(&tokens[semicolon + 1..]));
    let values = values.into_iter().map(value).collect::<Result<Vec<_>>>()?;
    Ok(Equation { operands, result, values })
}

fn value(entry: list::Entry) -> Result<Expr> {
    if entry.tokens.is_empty() {
        return Err(Error::new_spanned(
            entry.comma,
            "an operand is missing before this comma: write it, or remove the comma",
        ));
    }
    list::read(stream(&entry.tokens), |input| input.parse())
}

/// Parses names separated by spaces, with `..` in front if there are leading axes. `place` is the span
/// if there are no names.
fn axes(tokens: &[TokenTree], place: Span) -> Result<Axes> {
    let tokens = visible(tokens.to_vec());
    let span = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.span().join(last.span()).unwrap_or(first.span()),
        _ => place,
    };
    let dots = list::begins_with_dots(&tokens);
    let leading = dots.then(|| tokens[0].span());
    let mut names = Vec::new();
    for token in &tokens[if dots { 2 } else { 0 }..] {
        match token {
            TokenTree::Ident(name) => names.push(name.clone()),
            TokenTree::Punct(punct) if punct.as_char() == '.' => {
                return Err(Error::new_spanned(
                    token,
                    "any leading axes are two dots, `..`, in front of the names",
                ));
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let message = match text.strip_prefix('"') {
                    Some(_) => format!("write the names without quotes, as in {EXAMPLE}"),
                    None => {
                        "an axis has a name here: `reshape` or `expand` change sizes".to_owned()
                    }
                };
                return Err(Error::new_spanned(token, message));
            }
            TokenTree::Punct(_) => {
                let message = format!("expected the name of an axis, as in {EXAMPLE}");
                return Err(Error::new_spanned(token, message));
            }
            TokenTree::Group(_) => return Err(missing_comma(token)),
        }
    }
    Ok(Axes { leading, names, span })
}
