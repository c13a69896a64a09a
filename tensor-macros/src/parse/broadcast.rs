//! `broadcast_shapes![A, [2, 1], B]`: shapes, written as types or as lists of sizes.

use proc_macro2::{Delimiter, Span, TokenStream};
use syn::spanned::Spanned;
use syn::{Error, Result, Type};

use super::list::{self, group, missing_comma, stream, visible};
use super::shape;

/// An operand, and its span.
pub struct Operand {
    pub span: Span,
    pub kind: Kind,
}

/// The kinds of operands.
pub enum Kind {
    /// `[2, 1]`
    Sizes(Vec<Result<shape::Entry>>),
    /// `A`
    Type(TokenStream),
}

/// Parses the operands; each is valid, or an error.
pub fn operands(tokens: TokenStream) -> Vec<Result<Operand>> {
    list::entries(tokens).into_iter().map(operand).collect()
}

fn operand(entry: list::Entry) -> Result<Operand> {
    if entry.tokens.is_empty() {
        return Err(Error::new_spanned(
            entry.comma,
            "a shape is missing before this comma: write one, or remove the comma",
        ));
    }
    let written = stream(&entry.tokens);
    let span = written.span();
    let tokens = visible(entry.tokens);
    if let Some(sizes) = group(tokens.first(), Delimiter::Bracket) {
        return match tokens.get(1) {
            None => Ok(Operand { span, kind: Kind::Sizes(shape::entries(stream(&sizes))) }),
            Some(next) => Err(missing_comma(next)),
        };
    }
    match syn::parse2::<Type>(written.clone()) {
        Ok(_) => Ok(Operand { span, kind: Kind::Type(written) }),
        Err(_) => Err(Error::new_spanned(
            written,
            "expected a shape: the type of one, such as `S`, \
             or its sizes in brackets, such as `[2, 1]`",
        )),
    }
}
