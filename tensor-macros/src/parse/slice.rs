//! `slice![.., 1.., ..-1, 2..10; 2, 0, Rows(i..j)]`: the parts of a slice.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Error, Expr, Result};

use super::list::{self, begins_with_dots, group, is_punct, missing_comma, stream, visible};
use super::size::{self, Size};

/// One part of a slice.
pub enum Part {
    /// `..`
    All(TokenStream),
    /// `...`
    Rest(TokenStream),
    /// `2`, `-1`
    Index { index: Bound, written: TokenStream },
    /// `start..end; step`
    Range {
        start: Option<Bound>,
        end: Option<Bound>,
        inclusive: bool,
        step: Option<Bound>,
        written: TokenStream,
    },
    /// An expression: a run-time index.
    RunTimeIndex(Expr),
    /// `i..j`, with expressions as bounds.
    RunTimeRange { range: TokenStream, step: Option<Bound>, written: TokenStream },
    /// `Rows(i..j; step)`
    Named { name: TokenStream, range: TokenStream, step: Option<Bound>, written: TokenStream },
}

/// A number as written; negative ones count from the end.
pub struct Bound {
    pub negative: bool,
    pub size: Size,
    pub written: TokenStream,
}

/// Parses the parts; each is valid, or an error.
pub fn parts(tokens: TokenStream) -> Vec<Result<Part>> {
    list::entries(tokens).into_iter().map(part).collect()
}

fn part(entry: list::Entry) -> Result<Part> {
    let tokens = visible(entry.tokens);
    let written = stream(&tokens);
    if tokens.is_empty() {
        return Err(Error::new_spanned(
            entry.comma,
            "a part of the slice is missing before this comma: write it, or remove the comma",
        ));
    }
    if begins_with_dots(&tokens) && is_punct(tokens.get(2), '.') {
        return match &tokens[3..] {
            [] => Ok(Part::Rest(written)),
            [next, ..] => Err(missing_comma(next)),
        };
    }
    if let Some(named) = named(&tokens)? {
        return Ok(named);
    }
    let (range, step) = with_step(&tokens)?;
    let Some(dots) = dots(range) else {
        return match step {
            Some(step) => Err(Error::new_spanned(
                step.written,
                "a step belongs to a range: write `start..end; step`, or `..; step`",
            )),
            None => index(&tokens),
        };
    };
    let inclusive = is_punct(range.get(dots + 2), '=');
    let (before, behind) = (&range[..dots], &range[dots + 2 + usize::from(inclusive)..]);
    if !(is_bound(before) && is_bound(behind)) {
        let range = stream(range);
        syn::parse2::<Expr>(range.clone())?;
        return Ok(Part::RunTimeRange { range, step, written });
    }
    match (bound(before)?, bound(behind)?) {
        (_, None) if inclusive => Err(Error::new_spanned(
            written,
            "an inclusive range has an end: write `start..=end`, or `start..`",
        )),
        (None, None) if step.is_none() => Ok(Part::All(written)),
        (start, end) => Ok(Part::Range { start, end, inclusive, step, written }),
    }
}

/// Parses `Rows(i..j; step)`: a path, and a range in parentheses.
fn named(tokens: &[TokenTree]) -> Result<Option<Part>> {
    let Some((last, path)) = tokens.split_last() else { return Ok(None) };
    let Some(inner) = group(Some(last), Delimiter::Parenthesis) else { return Ok(None) };
    let is_path = matches!(path.last(), Some(TokenTree::Ident(_)) | Some(TokenTree::Punct(_)))
        && syn::parse2::<syn::Type>(stream(path)).is_ok();
    if !is_path || dots(&inner).is_none() {
        return Ok(None);
    }
    let (range, step) = with_step(&inner)?;
    let range = stream(range);
    syn::parse2::<Expr>(range.clone())?;
    Ok(Some(Part::Named { name: stream(path), range, step, written: stream(tokens) }))
}

/// The tokens before `;`, and the step after it.
fn with_step(tokens: &[TokenTree]) -> Result<(&[TokenTree], Option<Bound>)> {
    let Some(place) = tokens.iter().position(|token| is_punct(Some(token), ';')) else {
        return Ok((tokens, None));
    };
    let step = bound(&tokens[place + 1..])?.ok_or_else(|| {
        Error::new_spanned(&tokens[place], "a step is missing here: write `; 2`, or remove the `;`")
    })?;
    Ok((&tokens[..place], Some(step)))
}

/// The index of `..`.
fn dots(tokens: &[TokenTree]) -> Option<usize> {
    (0..tokens.len()).find(|&place| begins_with_dots(&tokens[place..]))
}

/// Whether this is a static bound: nothing, arithmetic, or a constant in braces.
fn is_bound(tokens: &[TokenTree]) -> bool {
    let tokens = without_sign(tokens).1;
    match tokens {
        [] => true,
        [token] if group(Some(token), Delimiter::Brace).is_some() => true,
        _ => size::is_arithmetic(tokens),
    }
}

fn without_sign(tokens: &[TokenTree]) -> (bool, &[TokenTree]) {
    match tokens {
        [minus, rest @ ..] if is_punct(Some(minus), '-') => (true, rest),
        _ => (false, tokens),
    }
}

/// Parses a number, or nothing.
fn bound(tokens: &[TokenTree]) -> Result<Option<Bound>> {
    let written = stream(tokens);
    let (negative, number) = without_sign(tokens);
    let size = match number {
        [] if negative => {
            return Err(Error::new_spanned(written, "a number is missing after this minus sign"));
        }
        [] => return Ok(None),
        [token, ..] if group(Some(token), Delimiter::Brace).is_some() => size::braces(number)?,
        _ => size::arithmetic(number)?,
    };
    Ok(Some(Bound { negative, size, written }))
}

fn index(tokens: &[TokenTree]) -> Result<Part> {
    let written = stream(tokens);
    let in_parentheses =
        matches!(tokens, [only] if group(Some(only), Delimiter::Parenthesis).is_some());
    if is_bound(tokens) && !in_parentheses {
        let index = bound(tokens)?.expect("there are tokens");
        return Ok(Part::Index { index, written });
    }
    let message =
        "expected a part of a slice: a range such as `1..-1`, an index such as `0`, or `..`";
    let expression = syn::parse2(written.clone());
    expression.map(Part::RunTimeIndex).map_err(|_| Error::new_spanned(written, message))
}
