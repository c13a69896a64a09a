//! `shape![Lead.., Batch, 28 * 28, {VOCAB}]`: the entries of a shape.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, Result};

use super::list::{self, begins_with_dots, is_punct, missing_comma, stream, visible};
use super::size::{self, RANGE, Size, in_braces, is_arithmetic};

/// One entry of a shape.
pub enum Entry {
    /// `28 * 28`, `{VOCAB}`
    Size(Size),
    /// `Batch`, `I`, `path::To::Axis`, or the value `Batch(n)`.
    Axis(TokenStream),
    /// `Lead..`: the axes of `shape`.
    Lead { shape: TokenStream, written: TokenStream },
}

impl Entry {
    /// The tokens of the entry, as written.
    pub fn written(&self) -> &TokenStream {
        match self {
            Self::Size(Size::Arithmetic { written, .. } | Size::Constant { written, .. })
            | Self::Axis(written)
            | Self::Lead { written, .. } => written,
        }
    }
}

/// Parses the entries of a shape; each is valid, or an error.
pub fn entries(tokens: TokenStream) -> Vec<Result<Entry>> {
    list::entries(tokens).into_iter().map(entry).collect()
}

/// Parses an entry.
///
/// # Errors
///
/// At the first unexpected token.
pub fn entry(entry: list::Entry) -> Result<Entry> {
    let tokens = visible(entry.tokens);
    match &tokens[..] {
        [] => Err(Error::new_spanned(
            entry.comma,
            "an axis is missing before this comma: write its size, or remove the comma",
        )),
        _ if begins_with_dots(&tokens) => Err(dots_in_front(&tokens)),
        [TokenTree::Literal(_), ..] => size(&tokens),
        [TokenTree::Ident(ident), ..] if ident == "true" || ident == "false" => Err(
            Error::new_spanned(ident, "expected the size of an axis, such as `768`, not a bool"),
        ),
        [TokenTree::Punct(punct), ..] => match punct.as_char() {
            '<' | ':' => named(&tokens),
            '+' | '-' | '*' | '/' | '%' => size(&tokens),
            _ => Err(Error::new_spanned(punct, EXPECTED)),
        },
        [TokenTree::Group(group), rest @ ..] => match group.delimiter() {
            Delimiter::Brace => Ok(Entry::Size(size::braces(&tokens)?)),
            Delimiter::Bracket => Err(Error::new_spanned(group, INNER_BRACKETS)),
            _ if is_arithmetic(&tokens[..1]) => size(&tokens),
            _ if begins_with_dots(rest) => lead(&tokens, 1),
            Delimiter::None => named(&tokens),
            Delimiter::Parenthesis => parentheses(&tokens, group.stream()),
        },
        [TokenTree::Ident(_), ..] => named(&tokens),
    }
}

const EXPECTED: &str = "expected the size or the name of an axis, such as `768` or `Batch`";

const INNER_BRACKETS: &str =
    "the axes of a shape are one list, without inner brackets: write `shape![2, 3]`";

/// Parses `28 * 28`.
fn size(tokens: &[TokenTree]) -> Result<Entry> {
    Ok(Entry::Size(size::arithmetic(tokens)?))
}

/// Parses `(28 + 28) * 2`, or reports other contents of parentheses, which are no axis.
fn parentheses(tokens: &[TokenTree], inner: TokenStream) -> Result<Entry> {
    let is_list = inner.is_empty() || inner.into_iter().any(|token| is_punct(Some(&token), ','));
    if is_list {
        return Err(Error::new_spanned(
            &tokens[0],
            "expected the size or the name of an axis, not a shape: \
             the axes of a shape go in front, as `Lead..`",
        ));
    }
    size(tokens)
}

/// Parses `Batch`, `Batch(n)`, `Lead..`.
fn named(tokens: &[TokenTree]) -> Result<Entry> {
    let length = path(tokens)?;
    match &tokens[length..] {
        [] => Ok(Entry::Axis(stream(tokens))),
        rest if begins_with_dots(rest) => lead(tokens, length),
        [TokenTree::Punct(punct), ..] if punct.as_char() != ';' => Err(in_braces(tokens)),
        [TokenTree::Ident(ident), ..] if ident == "as" => Err(in_braces(tokens)),
        [next, ..] => Err(missing_comma(next)),
    }
}

/// Parses `Lead..`, where the name takes `length` tokens.
fn lead(tokens: &[TokenTree], length: usize) -> Result<Entry> {
    let shape = stream(&tokens[..length]);
    match &tokens[length + 2..] {
        [] => Ok(Entry::Lead { shape, written: stream(tokens) }),
        [TokenTree::Punct(_), ..] => Err(Error::new_spanned(
            stream(tokens),
            format!("leading axes are written with two dots: `{shape}..`"),
        )),
        [next, ..] => Err(missing_comma(next)),
    }
}

/// The error for `..Lead`, or for dots alone.
fn dots_in_front(tokens: &[TokenTree]) -> Error {
    let message = match &tokens[2..] {
        [] => "name the shape that the leading axes come from: `Lead..`".to_owned(),
        name @ [TokenTree::Ident(_), ..] => {
            format!("leading axes are written with the dots after the name: `{}..`", stream(name))
        }
        _ => RANGE.to_owned(),
    };
    Error::new_spanned(stream(tokens), message)
}

/// The number of tokens of a path, including calls and field accesses on it.
fn path(tokens: &[TokenTree]) -> Result<usize> {
    let mut length = 0;
    let mut after_name = false;
    while let Some(token) = tokens.get(length) {
        let rest = &tokens[length..];
        length += match token {
            TokenTree::Ident(word) if !after_name => {
                if is_keyword(word) {
                    let message = format!("`{word}` is a word of the language: {EXPECTED}");
                    return Err(Error::new_spanned(word, message));
                }
                after_name = true;
                1
            }
            TokenTree::Punct(punct) => match punct.as_char() {
                ':' if is_punct(rest.get(1), ':') => {
                    after_name = false;
                    2
                }
                '<' => {
                    after_name = true;
                    generics(rest)?
                }
                '!' if after_name && matches!(rest.get(1), Some(TokenTree::Group(_))) => 2,
                '?' if after_name => 1,
                '.' if after_name && !begins_with_dots(rest) => field(rest)?,
                _ => break,
            },
            // The tokens of a macro variable `$axis:path`.
            TokenTree::Group(group) if !after_name && group.delimiter() == Delimiter::None => {
                after_name = true;
                1
            }
            TokenTree::Group(group) if after_name && group.delimiter() != Delimiter::Brace => 1,
            _ => break,
        };
    }
    match tokens.get(length) {
        _ if after_name => Ok(length),
        next => Err(Error::new_spanned(next.or(tokens.last()), EXPECTED)),
    }
}

/// Whether this is a keyword such as `for`; `self`, `super` and so on begin a path, and `_` is a type.
fn is_keyword(word: &Ident) -> bool {
    const PATHS: [&str; 5] = ["self", "Self", "super", "crate", "_"];
    syn::parse2::<Ident>(word.to_token_stream()).is_err() && !PATHS.iter().any(|path| word == path)
}

/// The length of the generic arguments `<…>` that `tokens` begins with.
fn generics(tokens: &[TokenTree]) -> Result<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>')
            && (index == 0 || !is_punct(tokens.get(index - 1), '-'))
        {
            depth -= 1;
            if depth == 0 {
                return Ok(index + 1);
            }
        }
    }
    Err(Error::new_spanned(&tokens[0], "this `<` has no `>`"))
}

/// The length of the field access `.field` or `.0` that `tokens` begins with.
fn field(tokens: &[TokenTree]) -> Result<usize> {
    match tokens.get(1) {
        Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => Ok(2),
        next => Err(Error::new_spanned(
            next.unwrap_or(&tokens[0]),
            "leading axes are written with two dots: `Lead..`",
        )),
    }
}
