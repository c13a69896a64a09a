//! The meaning of the axis names in `einsum!`.

use proc_macro2::{Ident, Span};
use syn::{Error, Expr, Result};

use super::all;
use crate::parse::einsum::{Axes, Equation};

/// A sum of products over numbered axes.
pub struct SumOfProducts {
    pub operands: Vec<Operand>,
    pub result: Vec<Axis>,
    /// Whether the result has the leading axes of the operands.
    pub leading: bool,
}

/// An operand, and its axes.
pub struct Operand {
    pub value: Expr,
    pub leading: Option<Span>,
    pub axes: Vec<Axis>,
    pub span: Span,
}

/// An axis, with the number of its name.
pub struct Axis {
    pub name: Ident,
    pub number: usize,
    /// Whether an earlier axis has the same name.
    pub again: bool,
}

/// # Errors
///
/// One for each name of the result that no operand has, or that is in it twice; where the numbers of
/// lists and of operands differ.
pub fn einsum(written: Equation) -> Result<SumOfProducts> {
    let Equation { operands, result, values } = written;
    let (named, given) = (operands.len(), values.len());
    if named > given {
        let message = format!("{named} lists of names, and {}", operands_are(given));
        return Err(Error::new(operands[given].span, message));
    }
    if named < given {
        let message = format!(
            "{named} {} of names, and {}",
            if named == 1 { "list" } else { "lists" },
            operands_are(given)
        );
        return Err(Error::new_spanned(&values[named], message));
    }
    let mut names: Vec<String> = Vec::new();
    let mut leading = false;
    let operands: Vec<Operand> = operands
        .into_iter()
        .zip(values)
        .map(|(axes, value)| {
            leading |= axes.leading.is_some();
            let Axes { leading, names: written, span } = axes;
            let axes = written.into_iter().map(|name| axis(name, &mut names)).collect();
            Operand { value, leading, axes, span }
        })
        .collect();
    match (leading, result.leading) {
        (true, None) => {
            let message = "the result begins with `..`, as an operand does";
            return Err(Error::new(result.span, message));
        }
        (false, Some(dots)) => {
            return Err(Error::new(dots, "no operand has `..` for leading axes"));
        }
        _ => {}
    }
    let mut before = Vec::new();
    let result = all(result.names.into_iter().map(|name| {
        let text = name.to_string();
        let Some(number) = names.iter().position(|other| *other == text) else {
            let message = format!("no operand has an axis `{text}`");
            return Err(Error::new(name.span(), message));
        };
        if before.contains(&number) {
            let message = format!("the result has the axis `{text}` twice");
            return Err(Error::new(name.span(), message));
        }
        before.push(number);
        Ok(Axis { name, number, again: true })
    }))?;
    Ok(SumOfProducts { operands, result, leading })
}

fn operands_are(given: usize) -> String {
    match given {
        0 => "no operand after the semicolon".to_owned(),
        1 => "1 operand after the semicolon".to_owned(),
        _ => format!("{given} operands after the semicolon"),
    }
}

fn axis(name: Ident, names: &mut Vec<String>) -> Axis {
    let text = name.to_string();
    match names.iter().position(|other| *other == text) {
        Some(number) => Axis { name, number, again: true },
        None => {
            names.push(text);
            Axis { name, number: names.len() - 1, again: false }
        }
    }
}
