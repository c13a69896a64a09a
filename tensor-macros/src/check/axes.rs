//! The axes of a list of axis indices.

use proc_macro2::TokenStream;
use syn::{Error, Result};

use super::all;
use crate::parse::axes::Number;

/// The index of an axis; negative ones count from the end.
pub struct Axis {
    pub number: i64,
    pub written: TokenStream,
}

/// A list of axes.
pub struct Axes {
    /// Whether the list begins with `...`, which means all other axes.
    pub others: bool,
    pub named: Vec<Axis>,
}

/// Checks a list of axis indices.
///
/// # Errors
///
/// One for each index that is invalid or repeated, or counts from the front after `...`.
pub fn axes((others, numbers): (Option<TokenStream>, Vec<Result<Number>>)) -> Result<Axes> {
    let mut before = Vec::new();
    let others = others.is_some();
    let named = all(numbers.into_iter().map(|number| {
        let axis = axis(number?, &mut before)?;
        if others && axis.number >= 0 {
            return Err(Error::new_spanned(
                axis.written,
                "after `...`, axes are counted from the end: -1 is the last axis",
            ));
        }
        Ok(axis)
    }))?;
    Ok(Axes { others, named })
}

fn axis(number: Number, before: &mut Vec<i64>) -> Result<Axis> {
    let Number { negative, digits, written } = number;
    if !matches!(digits.suffix(), "" | "isize") {
        return Err(Error::new_spanned(
            written,
            format!("the number of an axis has no type suffix: write `{}`", digits.base10_digits()),
        ));
    }
    // No shape has this many axes: the limit only ensures that the number fits an `isize` on all targets.
    let Ok(number) = digits.base10_parse::<i32>() else {
        return Err(Error::new_spanned(written, format!("no shape has an axis {digits}")));
    };
    let number = i64::from(if negative { -number } else { number });
    if before.contains(&number) {
        return Err(Error::new_spanned(
            written,
            format!("axis {number} is listed twice: name each axis once"),
        ));
    }
    before.push(number);
    Ok(Axis { number, written })
}
