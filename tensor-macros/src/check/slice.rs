//! The parts of a slice: from which side bounds count, and which bounds are checked at compile time.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Expr, Result};

use super::all;
use super::size::{LARGEST, Size, size};
use crate::parse::slice::{self, Bound};

/// A slice: the parts of the first axes, and those of the last axes, in the order of the axes.
pub struct Slice {
    pub front: Vec<Part>,
    pub back: Vec<Part>,
}

/// A part, and the number of its axis, which messages show.
pub struct Part {
    pub axis: isize,
    pub kind: Kind,
    pub written: TokenStream,
}

pub enum Kind {
    All,
    /// An index, valid if the axis has at least `needs` elements.
    Index {
        index: Value,
        needs: Size,
    },
    Range {
        start: Value,
        end: Option<Value>,
        step: i64,
        len: Len,
    },
    RunTimeIndex(Expr),
    RunTimeRange {
        range: TokenStream,
        step: i64,
    },
    Named {
        name: TokenStream,
        range: TokenStream,
        step: i64,
    },
}

/// The size of the result of a range.
pub enum Len {
    /// `len`, if the axis has at least `needs` elements.
    Fixed { needs: Size, len: Size },
    /// The size of the axis minus `needs`.
    Trimmed { needs: Size },
    /// The size of the axis minus `needs`, divided by `step`, rounded up; `less` is `step - 1`.
    Stepped { needs: Size, less: Size, step: Size },
}

/// A number; negative ones count from the end.
pub struct Value {
    negative: bool,
    size: Size,
}

impl Value {
    /// The number, if the macro knows it.
    fn number(&self) -> Option<u64> {
        match self.size {
            Size::Number { number, .. } => Some(number),
            Size::Constant { .. } => None,
        }
    }

    /// The magnitude, as an expression of type `usize`.
    fn magnitude(&self) -> TokenStream {
        match &self.size {
            Size::Number { number, .. } => {
                let number = proc_macro2::Literal::u64_unsuffixed(*number);
                quote!(#number)
            }
            Size::Constant { expression, .. } => {
                quote!({ let __size: usize = #expression; __size })
            }
        }
    }

    /// The number as an argument of type `isize`.
    pub fn signed(&self) -> TokenStream {
        let magnitude = self.magnitude();
        let sign = self.negative.then(|| quote!(-));
        match self.size {
            Size::Number { .. } => quote!(#sign #magnitude),
            Size::Constant { .. } => quote!({ #sign (#magnitude as isize) }),
        }
    }
}

/// Checks the parts of a slice.
///
/// # Errors
///
/// One for each part that is invalid.
pub fn slice(parts: Vec<Result<slice::Part>>) -> Result<Slice> {
    let is_rest = |part: &Result<slice::Part>| matches!(part, Ok(slice::Part::Rest(_)));
    let rest = parts.iter().position(is_rest);
    let count = parts.len();
    let mut seen = false;
    let parts = all(parts.into_iter().enumerate().filter_map(|(place, written)| {
        let axis = match rest {
            Some(rest) if place > rest => place as isize - count as isize,
            _ => place as isize,
        };
        match written {
            Ok(slice::Part::Rest(_)) if !seen => {
                seen = true;
                None
            }
            Ok(slice::Part::Rest(written)) => Some(Err(Error::new_spanned(
                written,
                "`...` is written once: it is all axes that are not named",
            ))),
            Ok(written) => Some(part(written, axis)),
            Err(error) => Some(Err(error)),
        }
    }))?;
    let mut front = parts;
    let back = front.split_off(rest.unwrap_or(front.len()));
    Ok(Slice { front, back })
}

fn part(part: slice::Part, axis: isize) -> Result<Part> {
    let (kind, written) = match part {
        slice::Part::Rest(written) | slice::Part::All(written) => (Kind::All, written),
        slice::Part::Index { index, written } => {
            let index = value(index)?;
            let needs = if index.negative { index.size.clone() } else { index.size.plus_one()? };
            (Kind::Index { index, needs }, written)
        }
        slice::Part::Range { start, end, inclusive, step, written } => {
            let step = steps(step)?;
            (range(start, end, inclusive, step, &written)?, written)
        }
        slice::Part::RunTimeIndex(expression) => {
            let written = quote!(#expression);
            (Kind::RunTimeIndex(expression), written)
        }
        slice::Part::RunTimeRange { range, step, written } => {
            (Kind::RunTimeRange { range, step: steps(step)? }, written)
        }
        slice::Part::Named { name, range, step, written } => {
            (Kind::Named { name, range, step: steps(step)? }, written)
        }
    };
    Ok(Part { axis, kind, written })
}

fn value(bound: Bound) -> Result<Value> {
    let size = size(bound.size)?;
    if bound.negative && matches!(size, Size::Number { number: 0, .. }) {
        return Err(Error::new_spanned(
            bound.written,
            "`-0` is 0, the front of the axis; its end is left out: `1..`",
        ));
    }
    Ok(Value { negative: bound.negative, size })
}

/// The step; 1 by default.
fn steps(step: Option<Bound>) -> Result<i64> {
    let Some(Bound { negative, size: written_size, written }) = step else { return Ok(1) };
    match size(written_size)? {
        Size::Number { number: 0, .. } => {
            Err(Error::new_spanned(written, "a step is at least 1, or at most -1"))
        }
        Size::Number { number, .. } => Ok(if negative { -(number as i64) } else { number as i64 }),
        Size::Constant { .. } => {
            Err(Error::new_spanned(written, "a step is a number: write `; 2`"))
        }
    }
}

fn range(
    start: Option<Bound>,
    end: Option<Bound>,
    inclusive: bool,
    step: i64,
    written: &TokenStream,
) -> Result<Kind> {
    let zero = || Value { negative: false, size: Size::number(0, written) };
    let start = start.map_or(Ok(zero()), value)?;
    let mut end = end.map(value).transpose()?;
    if let Some(last) = &mut end
        && inclusive
    {
        match (last.negative, last.number()) {
            // `..=-1` ends with the axis.
            (true, Some(1)) => end = None,
            (true, Some(number)) => last.size = Size::number(number - 1, written),
            (true, None) => {
                let message = "a constant that counts from the end is not included: write `..-{N}`";
                return Err(Error::new_spanned(written, message));
            }
            (false, _) => last.size = last.size.plus_one()?,
        }
    }
    let stride = step.unsigned_abs();
    let len = match (&start, &end) {
        // From an index counted from the front, to the end of the axis or to an index counted from the end.
        (Value { negative: false, .. }, None | Some(Value { negative: true, .. })) => {
            let needs = match &end {
                Some(end) => sum(&start, end, written)?,
                None => start.size.clone(),
            };
            match stride {
                1 => Len::Trimmed { needs },
                _ => Len::Stepped {
                    needs,
                    less: Size::number(stride - 1, written),
                    step: Size::number(stride, written),
                },
            }
        }
        (Value { negative: false, .. }, Some(end)) => {
            let len = difference(end, &start, stride, written)?;
            Len::Fixed { needs: end.size.clone(), len }
        }
        (Value { negative: true, .. }, None) => {
            let len = difference(&start, &zero(), stride, written)?;
            Len::Fixed { needs: start.size.clone(), len }
        }
        (Value { negative: true, .. }, Some(end)) if end.negative => {
            let len = difference(&start, end, stride, written)?;
            Len::Fixed { needs: start.size.clone(), len }
        }
        _ => {
            return Err(Error::new_spanned(
                written,
                "a slice that starts from the end of an axis ends there as well: \
                 count its end from the end, or its start from the front",
            ));
        }
    };
    Ok(Kind::Range { start, end, step, len })
}

/// `a + b`, of the magnitudes.
fn sum(a: &Value, b: &Value, written: &TokenStream) -> Result<Size> {
    match (a.number(), b.number()) {
        (Some(0), _) => Ok(b.size.clone()),
        (Some(a), Some(b)) => checked(a + b, written),
        _ => {
            let (a, b) = (a.magnitude(), b.magnitude());
            Ok(Size::Constant { expression: quote!(#a + #b), written: written.clone() })
        }
    }
}

/// `⌈(a - b) / step⌉`, of the magnitudes.
fn difference(a: &Value, b: &Value, step: u64, written: &TokenStream) -> Result<Size> {
    match (a.number(), b.number()) {
        (Some(a), Some(b)) => match a.checked_sub(b) {
            Some(len) => checked(len.div_ceil(step), written),
            None => Err(Error::new_spanned(
                written,
                "this slice ends before it starts: the smaller bound is written first, \
                 also with a negative step, `2..6; -1`",
            )),
        },
        _ => {
            let (a, b) = (a.magnitude(), b.magnitude());
            let step = proc_macro2::Literal::u64_unsuffixed(step);
            let message = "this slice ends before it starts";
            let expression = quote! {{
                ::core::assert!(#a >= #b, #message);
                (#a - #b).div_ceil(#step)
            }};
            Ok(Size::Constant { expression, written: written.clone() })
        }
    }
}

fn checked(number: u64, written: &TokenStream) -> Result<Size> {
    match number {
        0..=LARGEST => Ok(Size::number(number, written)),
        _ => Err(Error::new_spanned(
            written,
            format!("{number} is out of range: an axis has at most {LARGEST} elements"),
        )),
    }
}

impl Size {
    fn number(number: u64, written: &TokenStream) -> Self {
        Self::Number { number, written: written.clone() }
    }

    /// This size plus 1.
    fn plus_one(&self) -> Result<Self> {
        match self {
            Self::Number { number, written } => checked(number + 1, written),
            Self::Constant { expression, written } => Ok(Self::Constant {
                expression: quote!({ let __size: usize = #expression; __size + 1 }),
                written: written.clone(),
            }),
        }
    }
}
