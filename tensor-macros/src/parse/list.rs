//! Lists: entries separated by commas.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Error, Result, parenthesized};

/// An entry of a list. An empty one is followed by a superfluous comma.
pub struct Entry {
    pub tokens: Vec<TokenTree>,
    pub comma: Option<Punct>,
}

/// Splits at the commas that are not inside brackets, including `<` and `>`.
///
/// A trailing comma begins no further entry.
pub fn entries(tokens: TokenStream) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut entry = Vec::new();
    let mut generics = 0_usize;
    let mut arrow = false;
    for token in tokens {
        let TokenTree::Punct(punct) = &token else {
            arrow = false;
            entry.push(token);
            continue;
        };
        match punct.as_char() {
            ',' if generics == 0 => {
                let tokens = core::mem::take(&mut entry);
                entries.push(Entry { tokens, comma: Some(punct.clone()) });
                arrow = false;
                continue;
            }
            '<' => generics += 1,
            '>' if !arrow => generics = generics.saturating_sub(1),
            _ => {}
        }
        arrow = matches!(punct.as_char(), '-' | '=') && punct.spacing() == Spacing::Joint;
        entry.push(token);
    }
    if !entry.is_empty() {
        entries.push(Entry { tokens: entry, comma: None });
    }
    entries
}

/// Joins the tokens to a stream.
pub fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}

/// Whether the token is this punctuation character.
pub fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether the tokens begin with `..`.
pub fn begins_with_dots(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), '.') && is_punct(tokens.get(1), '.')
}

/// The contents of the group, if the token is a group with this delimiter.
pub fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// Removes the invisible brackets that a `macro_rules!` variable such as `$size:expr`
/// puts around its tokens.
pub fn visible(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match &tokens[..] {
        [only] => match group(Some(only), Delimiter::None) {
            Some(inner) => visible(inner),
            None => tokens,
        },
        _ => tokens,
    }
}

/// Parses all of `tokens`.
///
/// # Errors
///
/// Those of the parser. Where it misses something at the end, the error is at the last token.
pub fn read<T>(tokens: TokenStream, parser: impl FnOnce(ParseStream) -> Result<T>) -> Result<T> {
    let last = tokens.clone().into_iter().last();
    let mut enclosed = Group::new(Delimiter::Parenthesis, tokens);
    enclosed.set_span(last.map_or_else(Span::call_site, |token| token.span()));
    let parser = |input: ParseStream| {
        let content;
        parenthesized!(content in input);
        parser(&content)
    };
    parser.parse2(TokenTree::Group(enclosed).into())
}

/// The error at a token where a comma is missing.
pub fn missing_comma(next: &TokenTree) -> Error {
    let message = match next {
        TokenTree::Punct(punct) => format!("expected a comma, found `{punct}`"),
        TokenTree::Group(_) => "missing comma before this".to_owned(),
        _ => format!("missing comma: write `, {next}`"),
    };
    Error::new_spanned(next, message)
}
