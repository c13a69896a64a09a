//! Sizes: arithmetic on number literals, with the precedence of Rust, or `{constant}`.

use proc_macro2::{Delimiter, Literal, Punct, TokenStream, TokenTree};
use syn::{Error, Result};

use super::list::{begins_with_dots, group, missing_comma, stream};

/// A size as written.
pub enum Size {
    /// `28 * 28`
    Arithmetic { arithmetic: Arithmetic, written: TokenStream },
    /// `{VOCAB}`: the expression between the braces.
    Constant { expression: TokenStream, written: TokenStream },
}

/// Numbers and operations on them.
pub enum Arithmetic {
    Literal(Literal),
    Operation { left: Box<Arithmetic>, operator: Punct, right: Box<Arithmetic> },
}

/// The message for `2..3`.
pub const RANGE: &str = "an axis has one size, not a range of sizes: write one number";

const NUMBER_WITH_DOTS: &str = "a number is one axis: write it without the dots, \
    or `Lead..` for all axes of the shape `Lead`";

const OTHER_OPERATOR: &str = "a size is made of numbers, `+`, `-`, `*`, `/`, `%` and parentheses; \
    write anything else in braces: `{constant}`";

/// Whether the tokens are only literals, operators and parentheses.
pub fn is_arithmetic(tokens: &[TokenTree]) -> bool {
    let is_part = |token: &TokenTree| match token {
        TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), '+' | '-' | '*' | '/' | '%'),
        TokenTree::Group(inner) => {
            matches!(inner.delimiter(), Delimiter::Parenthesis | Delimiter::None)
                && is_arithmetic(&inner.stream().into_iter().collect::<Vec<_>>())
        }
        TokenTree::Ident(_) => false,
    };
    !tokens.is_empty() && tokens.iter().all(is_part)
}

/// Parses `28 * 28`.
///
/// # Errors
///
/// At the first unexpected token.
pub fn arithmetic(tokens: &[TokenTree]) -> Result<Size> {
    let arithmetic = Parser { entry: tokens, rest: tokens }.all()?;
    Ok(Size::Arithmetic { arithmetic, written: stream(tokens) })
}

/// Parses `{VOCAB}`, or `{28 * 28}` as arithmetic.
///
/// # Errors
///
/// When there is no expression, or more than the braces.
pub fn braces(tokens: &[TokenTree]) -> Result<Size> {
    let expression = group(tokens.first(), Delimiter::Brace).unwrap_or_default();
    let written = stream(tokens);
    match &tokens[1..] {
        [] if expression.is_empty() => {
            Err(Error::new_spanned(written, "a size is missing between the braces"))
        }
        [] if is_arithmetic(&expression) => arithmetic(&expression),
        [] => Ok(Size::Constant { expression: stream(&expression), written }),
        rest if begins_with_dots(rest) => Err(Error::new_spanned(written, RANGE)),
        [TokenTree::Punct(punct), ..] if punct.as_char() != ';' => Err(Error::new_spanned(
            written,
            "the whole size goes into one pair of braces: `{constant expression}`",
        )),
        [next, ..] => Err(missing_comma(next)),
    }
}

/// A recursive descent parser over the tokens of one entry.
struct Parser<'a> {
    /// All tokens of the entry, for messages.
    entry: &'a [TokenTree],
    /// The tokens that are not yet read.
    rest: &'a [TokenTree],
}

impl Parser<'_> {
    fn all(mut self) -> Result<Arithmetic> {
        let sum = self.sum()?;
        match self.rest {
            [] => Ok(sum),
            rest => Err(self.leftover(rest)),
        }
    }

    /// `sum = product (("+" | "-") product)*`
    fn sum(&mut self) -> Result<Arithmetic> {
        self.operations(&['+', '-'], Self::product)
    }

    /// `product = number (("*" | "/" | "%") number)*`
    fn product(&mut self) -> Result<Arithmetic> {
        self.operations(&['*', '/', '%'], Self::number)
    }

    fn operations(
        &mut self,
        operators: &[char],
        operand: fn(&mut Self) -> Result<Arithmetic>,
    ) -> Result<Arithmetic> {
        let mut left = operand(self)?;
        while let [TokenTree::Punct(operator), rest @ ..] = self.rest
            && operators.contains(&operator.as_char())
        {
            if rest.is_empty() {
                return Err(Error::new_spanned(
                    operator,
                    "a number is missing after this operator",
                ));
            }
            self.rest = rest;
            let (operator, right) = (operator.clone(), Box::new(operand(self)?));
            left = Arithmetic::Operation { left: Box::new(left), operator, right };
        }
        Ok(left)
    }

    /// `number = literal | "(" sum ")"`
    fn number(&mut self) -> Result<Arithmetic> {
        let Some((token, rest)) = self.rest.split_first() else {
            return Err(Error::new_spanned(stream(self.entry), "a number is missing here"));
        };
        match token {
            TokenTree::Literal(literal) => {
                self.rest = rest;
                Ok(Arithmetic::Literal(literal.clone()))
            }
            TokenTree::Group(inner)
                if matches!(inner.delimiter(), Delimiter::Parenthesis | Delimiter::None) =>
            {
                let tokens: Vec<TokenTree> = inner.stream().into_iter().collect();
                if tokens.is_empty() {
                    let message = "a number is missing between these parentheses";
                    return Err(Error::new_spanned(inner, message));
                }
                self.rest = rest;
                Parser { entry: self.entry, rest: &tokens }.all()
            }
            TokenTree::Punct(punct) if punct.as_char() == '-' => Err(negative(token, rest)),
            TokenTree::Punct(punct) => {
                Err(Error::new_spanned(punct, format!("expected a number before `{punct}`")))
            }
            _ => Err(in_braces(self.entry)),
        }
    }

    /// The error for tokens after a complete arithmetic expression.
    fn leftover(&self, rest: &[TokenTree]) -> Error {
        let entry = stream(self.entry);
        match rest {
            [_, _] if begins_with_dots(rest) => Error::new_spanned(entry, NUMBER_WITH_DOTS),
            _ if begins_with_dots(rest) => Error::new_spanned(entry, RANGE),
            [TokenTree::Ident(ident), ..] if ident == "as" => in_braces(self.entry),
            [TokenTree::Punct(punct), ..] if punct.as_char() != ';' => {
                Error::new_spanned(punct, OTHER_OPERATOR)
            }
            [next, ..] => missing_comma(next),
            [] => Error::new_spanned(entry, "a number is missing here"),
        }
    }
}

/// The error for a minus sign where a number is expected, depending on what follows it.
fn negative(minus: &TokenTree, rest: &[TokenTree]) -> Error {
    match rest {
        [number @ TokenTree::Literal(_), ..] if number.to_string() == "1" => Error::new_spanned(
            stream(&[minus.clone(), number.clone()]),
            "a size cannot be negative: write the size, or a named axis such as `Batch`, where NumPy has `-1`",
        ),
        [number @ TokenTree::Literal(_), ..] => Error::new_spanned(
            stream(&[minus.clone(), number.clone()]),
            format!("a size cannot be negative: write `{number}`"),
        ),
        _ => Error::new_spanned(minus, "a size cannot be negative: remove the minus sign"),
    }
}

/// The error for a constant expression without braces.
pub fn in_braces(entry: &[TokenTree]) -> Error {
    let entry = stream(entry);
    let message = format!("a size with constants is written in braces: `{{{entry}}}`");
    Error::new_spanned(entry, message)
}
