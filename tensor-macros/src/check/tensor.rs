//! Checks that the rows of a literal have equal lengths.

use proc_macro2::TokenStream;
use syn::{Error, Result};

use super::shape::{Shape, shape};
use crate::parse::tensor::{Element, Literal};

/// A valid tensor literal.
pub enum Tensor {
    /// The sizes of the axes, first axis first, and the elements in row-major order.
    Nested { sizes: Vec<usize>, elements: Vec<TokenStream> },
    /// One value for all elements.
    Repeat { value: TokenStream, shape: Shape },
}

/// Checks a literal.
///
/// # Errors
///
/// At the first row or element that does not fit, or at each invalid axis.
pub fn tensor(literal: Literal) -> Result<Tensor> {
    match literal {
        Literal::Rows(rows) => nested(rows),
        Literal::Repeat { value, shape: entries } => {
            Ok(Tensor::Repeat { value, shape: shape(entries)? })
        }
    }
}

/// The maximum rank of a literal: the compiler resolves traits of a shape axis by axis, up to 128 deep.
const MOST_AXES: usize = 100;

/// Checks nested rows: the first row of each depth determines the length of the others.
fn nested(rows: Vec<Element>) -> Result<Tensor> {
    let mut sizes = vec![rows.len()];
    let mut first = rows.first();
    while let Some(Element::Row { elements, written }) = first {
        if sizes.len() == MOST_AXES {
            let message = format!(
                "a literal has at most {MOST_AXES} axes: this row is one more; write the elements as one \
                 row and reshape it"
            );
            return Err(Error::new_spanned(written, message));
        }
        sizes.push(elements.len());
        first = elements.first();
    }
    let mut elements = Vec::new();
    flatten(rows, &sizes, 0, &mut elements)?;
    Ok(Tensor::Nested { sizes, elements })
}

/// Moves the elements below `row`, whose axis is `depth`, to the end of `elements`.
fn flatten(
    row: Vec<Element>,
    sizes: &[usize],
    depth: usize,
    elements: &mut Vec<TokenStream>,
) -> Result<()> {
    for element in row {
        match (element, sizes.get(depth + 1)) {
            (Element::Value(value), None) => elements.push(value),
            (Element::Row { elements: row, .. }, Some(&size)) if row.len() == size => {
                flatten(row, sizes, depth + 1, elements)?;
            }
            (misfit, size) => return Err(refuse(misfit, size.copied(), depth + 1)),
        }
    }
    Ok(())
}

/// The error for an element at `depth` brackets that does not fit; the first one at that depth
/// is a row of `size` elements or, without a size, an element.
fn refuse(misfit: Element, size: Option<usize>, depth: usize) -> Error {
    let place = match depth {
        1 => "0".to_owned(),
        _ => format!("{:?}", vec![0; depth]),
    };
    match (misfit, size) {
        (Element::Row { elements, written }, Some(size)) => {
            let found = counted(elements.len());
            Error::new_spanned(written, format!("this row has {found}, but row {place} has {size}"))
        }
        (Element::Row { elements, written }, None) => {
            let found = counted(elements.len());
            Error::new_spanned(
                written,
                format!(
                    "this is a row of {found}, but entry {place} is a single element: \
                     rows and elements do not mix"
                ),
            )
        }
        (Element::Value(value), size) => {
            let expected = counted(size.unwrap_or_default());
            Error::new_spanned(
                value,
                format!(
                    "this is a single element, but entry {place} is a row of {expected}: \
                     rows and elements do not mix"
                ),
            )
        }
    }
}

fn counted(elements: usize) -> String {
    match elements {
        1 => "1 element".to_owned(),
        _ => format!("{elements} elements"),
    }
}
