//! Long chains of operations, each on the result of the one before.

use core::mem::replace;

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::{Expr, parse_quote_spanned};

use super::operation::{begin, is_replaced};
use crate::check::strict::Mode;
use crate::expand::mixed_site_at;

/// The most operations that stay one expression.
const LENGTH: usize = 64;

/// A part of a chain but the last one, and the variable that stands for it in the next.
pub struct Part {
    variable: Ident,
    pub value: Expr,
}

/// Cuts a chain after every [`LENGTH`] operations: the parts, first one first, of which the last is left
/// in `expression`. None for a chain that is not longer.
///
/// The temporaries of a part end with it: the value of an operation is a tensor, which borrows none.
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

/// What a chain begins with, before its last [`LENGTH`] operations.
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

/// The parts one after the other, and the last one.
pub fn joined(parts: &[Part], last: &Expr) -> Expr {
    let span = mixed_site_at(begin(last));
    let variables = parts.iter().map(|part| &part.variable);
    let values = parts.iter().map(|part| &part.value);
    Expr::Verbatim(quote_spanned!(span=> ({ #(let #variables = #values;)* #last })))
}
