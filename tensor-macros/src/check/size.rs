//! Evaluation of sizes.

use core::fmt::Display;

use proc_macro2::{Literal, Punct, TokenStream};
use syn::{Error, Lit, Result};

use crate::parse::size::{self, Arithmetic};

/// A valid size, ready to be expanded.
#[derive(Clone)]
pub enum Size {
    /// A size that the macro has computed.
    Number { number: u64, written: TokenStream },
    /// A size that the compiler computes.
    Constant { expression: TokenStream, written: TokenStream },
}

/// The largest size of an axis.
pub const LARGEST: u64 = 999_999_999;

/// Evaluates a size.
///
/// # Errors
///
/// At the literal or operator that cannot be part of a size.
pub fn size(size: size::Size) -> Result<Size> {
    match size {
        size::Size::Constant { expression, written } => Ok(Size::Constant { expression, written }),
        size::Size::Arithmetic { arithmetic, written } => match evaluate(&arithmetic)? {
            number @ 0..=LARGEST => Ok(Size::Number { number, written }),
            number => Err(Error::new_spanned(written, out_of_range(number))),
        },
    }
}

fn out_of_range(size: impl Display) -> String {
    format!(
        "size {size} is out of range: an axis has at most {LARGEST} elements; \
         use two axes whose sizes multiply to it"
    )
}

fn evaluate(arithmetic: &Arithmetic) -> Result<u64> {
    match arithmetic {
        Arithmetic::Literal(literal) => value(literal),
        Arithmetic::Operation { left, operator, right } => {
            apply(evaluate(left)?, operator, evaluate(right)?)
        }
    }
}

fn value(literal: &Literal) -> Result<u64> {
    let message = match Lit::new(literal.clone()) {
        Lit::Int(number) if matches!(number.suffix(), "" | "usize") => {
            match number.base10_parse() {
                Ok(number) => return Ok(number),
                Err(_) => out_of_range(number.base10_digits()),
            }
        }
        Lit::Int(number) => {
            let digits = number.base10_digits();
            format!("a size has no type suffix other than `usize`: write `{digits}`")
        }
        Lit::Float(number) => {
            let integer = nearest(number.base10_digits());
            format!("a size is an integer: write `{integer}`, not `{number}`")
        }
        Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => NOT_A_STRING.to_owned(),
        Lit::Char(_) | Lit::Byte(_) => {
            "expected the size of an axis, such as `768`, not a character".to_owned()
        }
        _ => "expected the size of an axis, such as `768`".to_owned(),
    };
    Err(Error::new_spanned(literal, message))
}

const NOT_A_STRING: &str = "expected the size of an axis, such as `768`, not a string; \
    a named axis is declared by `axis!(Batch)` and written without quotes";

/// The integer that a fractional literal most likely means.
fn nearest(digits: &str) -> u64 {
    match digits.parse::<f64>() {
        Ok(number) if (0.0..=LARGEST as f64).contains(&number) => number as u64,
        _ => LARGEST,
    }
}

fn apply(left: u64, operator: &Punct, right: u64) -> Result<u64> {
    let sign = operator.as_char();
    let result = match sign {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => left.checked_div(right),
        _ => left.checked_rem(right),
    };
    result.ok_or_else(|| {
        let reason = match sign {
            '-' => "is negative: write a difference that is at least 0".to_owned(),
            '/' | '%' => "divides by zero: write a divisor that is at least 1".to_owned(),
            _ => format!("is out of range: an axis has at most {LARGEST} elements"),
        };
        Error::new_spanned(operator, format!("`{left} {sign} {right}` {reason}"))
    })
}
