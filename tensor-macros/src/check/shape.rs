//! Checks of the entries of a shape.

use proc_macro2::{Span, TokenStream};
use syn::{Error, Result};

use super::all;
use super::size::{Size, size};
use crate::parse::shape::Entry;

/// One axis.
pub enum Axis {
    Size(Size),
    /// A type or a value written by the user.
    Written(TokenStream),
}

/// A valid shape, ready to be expanded.
pub struct Shape {
    pub lead: Option<TokenStream>,
    pub axes: Vec<Axis>,
}

/// Checks the entries of a shape.
///
/// # Errors
///
/// One for each invalid entry.
pub fn shape(entries: Vec<Result<Entry>>) -> Result<Shape> {
    let mut entries = entries.into_iter().peekable();
    let lead = match entries.next_if(|entry| matches!(entry, Ok(Entry::Lead { .. }))) {
        Some(Ok(Entry::Lead { shape, .. })) => Some(shape),
        _ => None,
    };
    let axes = all(entries.map(|entry| {
        axis(entry?, |misplaced| match &lead {
            Some(lead) => format!(
                "a shape has one list of leading axes, and it already begins with `{lead}..`: \
                 write the other axes one by one"
            ),
            None => {
                format!("leading axes come first: write `{misplaced}..` first, then the other axes")
            }
        })
    }))?;
    if lead.is_none() {
        check_count(&axes)?;
    }
    Ok(Shape { lead, axes })
}

/// Whether this number of elements is at most `isize::MAX` on 64-bit targets. A size of 0 makes it 0.
pub fn fits_into_memory(sizes: &[u64]) -> bool {
    let count = sizes.iter().try_fold(1_u64, |count, size| count.checked_mul(*size));
    sizes.contains(&0) || count.is_some_and(|count| i64::try_from(count).is_ok())
}

/// # Errors
///
/// If the macro knows all sizes, and their product exceeds memory. What constants and computed
/// sizes come to is checked where a tensor of the shape is made.
fn check_count(axes: &[Axis]) -> Result<()> {
    let Some(known) = axes.iter().map(number).collect::<Option<Vec<_>>>() else { return Ok(()) };
    let (sizes, written): (Vec<u64>, Vec<_>) = known.into_iter().unzip();
    if fits_into_memory(&sizes) {
        return Ok(());
    }
    let sizes: Vec<_> = sizes.iter().map(u64::to_string).collect();
    Err(Error::new_spanned(
        written.into_iter().cloned().collect::<TokenStream>(),
        format!(
            "a tensor of this shape does not fit into memory: {} elements are more than `isize::MAX`",
            sizes.join(" × ")
        ),
    ))
}

/// The size of an axis, if the macro knows it, and its tokens.
fn number(axis: &Axis) -> Option<(u64, &TokenStream)> {
    match axis {
        Axis::Size(Size::Number { number, written }) => Some((*number, written)),
        _ => None,
    }
}

/// Checks the single axis of `dim!`.
///
/// # Errors
///
/// If there is no axis, more than one, or an invalid one.
pub fn single(entries: Vec<Result<Entry>>) -> Result<Axis> {
    let mut entries = entries.into_iter();
    match (entries.next(), entries.next()) {
        (Some(entry), None) => axis(entry?, |lead| {
            format!("`dim!` is one axis: leading axes go into `shape![{lead}.., …]`")
        }),
        (None, _) => Err(Error::new(
            Span::call_site(),
            "`dim!` takes the size of one axis, such as `dim!(768)`",
        )),
        (Some(Err(err)), _) | (_, Some(Err(err))) => Err(err),
        (Some(Ok(_)), Some(Ok(second))) => Err(Error::new_spanned(
            second.written(),
            "`dim!` is one axis: several axes are a shape, `shape![2, 3]`",
        )),
    }
}

/// Checks the axis of an entry. Leading axes are refused, with the message that `refuse_lead` returns for
/// their shape.
fn axis(entry: Entry, refuse_lead: impl FnOnce(&TokenStream) -> String) -> Result<Axis> {
    match entry {
        Entry::Size(written) => Ok(Axis::Size(size(written)?)),
        Entry::Axis(axis) => Ok(Axis::Written(axis)),
        Entry::Lead { shape, written, .. } => Err(Error::new_spanned(written, refuse_lead(&shape))),
    }
}
