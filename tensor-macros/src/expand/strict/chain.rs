//! Long chains of operations, each on the result of the previous one.

use core::mem::replace;

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::{Expr, parse_quote_spanned};

use super::operation::{begin, is_replaced};
use crate::check::strict::Mode;
use crate::expand::mixed_site_at;

/// The maximum number of operations in one expression.
const LENGTH: usize = 64;

/// A part of a chain, except the last one, and the variable with its value in the next part.
pub struct Part {
    variable: Ident,
    pub value: Expr,
}

/// Splits a chain after every [`LENGTH`] operations: returns the parts in order, and leaves the last one
/// in `expression`. There are no parts if the chain is not longer.
///
/// The temporaries of a part are dropped at its end: the value of an operation is a tensor, without borrows.
pub fn cut(expression: &mut Expr, mode: Mode) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut next = cut_off(expression, mode);
    while let Some(mut part) = next {
        next = cut_off(&mut part.value, mode);
        parts.push(part);
    }
    parts.reverse();
    parts
}

/// Splits off the start of a chain, without its last [`LENGTH`] operations.
fn cut_off(expression: &mut Expr, mode: Mode) -> Option<Part> {
    let mut count = 0;
    let mut here = expression;
    loop {
        if is_replaced(here, mode) {
            if count == LENGTH {
                let span = mixed_site_at(begin(here));
                let variable = Ident::new("__part", span);
                let value = replace(here, parse_quote_spanned!(span=> #variable));
                return Some(Part { variable, value });
            }
            count += 1;
        }
        here = match here {
            Expr::Binary(binary) => &mut binary.left,
            Expr::MethodCall(call) => &mut call.receiver,
            _ => return None,
        };
    }
}

/// The statements of the parts in order, then the last part.
pub fn joined(parts: &[Part], last: &Expr) -> Expr {
    let span = mixed_site_at(begin(last));
    let variables = parts.iter().map(|part| &part.variable);
    let values = parts.iter().map(|part| &part.value);
    Expr::Verbatim(quote_spanned!(span=> ({ #(let #variables = #values;)* #last })))
}
