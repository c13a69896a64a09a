//! Patterns of `rearrange` in the syntax of einops: `"b s (h d) -> b h s d"`.

use core::fmt;

use tensor_kernels::element::Element;
use tensor_kernels::layout::checked_num_elements;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use super::moved;
use crate::array::dynamic::DynTensor;

/// The error of a [`rearrange`](DynTensor::rearrange).
///
/// ```
/// use tensor_core::{DynTensor, RearrangeError};
///
/// let x = DynTensor::full(&[2, 10], 1.0);
/// let error = x.rearrange("b (h d) -> b h d", &[("h", 4)]).unwrap_err();
/// assert_eq!(error.to_string(), "`(h d)` is axis 1 of size 10, and 4 does not divide it");
/// assert!(matches!(error, RearrangeError::Parts { axis: 1, size: 10, .. }));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RearrangeError {
    /// The pattern has a syntax error.
    Pattern {
        /// The pattern.
        pattern: String,
        /// The position of the error, in bytes.
        position: usize,
        /// The mistake.
        problem: &'static str,
    },
    /// The rank of the tensor differs from that of the pattern.
    Rank {
        /// The number of axes in the pattern.
        expected: usize,
        /// The rank of the tensor.
        found: usize,
    },
    /// The pattern has `1` for an axis of another size.
    LargerThanOne {
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
    },
    /// A size is given for a name that is not in parentheses in the pattern, or is given twice.
    Given {
        /// The name.
        name: String,
    },
    /// The sizes of the parts of an axis do not multiply to its size.
    Parts {
        /// The parts as written.
        parts: String,
        /// The axis, counted from 0 at the front.
        axis: usize,
        /// Its size.
        size: usize,
        /// The product of the given sizes.
        given: usize,
        /// The number of sizes that were not given.
        left_out: usize,
    },
    /// A shape does not fit into memory.
    InvalidShape(ShapeError),
}

impl From<ShapeError> for RearrangeError {
    fn from(error: ShapeError) -> Self {
        Self::InvalidShape(error)
    }
}

impl fmt::Display for RearrangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern { pattern, position, problem } => {
                write!(f, "{problem}, at position {position} of the pattern {pattern:?}")
            }
            Self::Rank { expected, found } => {
                write!(f, "the pattern has {expected} axes, and the tensor has rank {found}")
            }
            Self::LargerThanOne { axis, size } => {
                write!(f, "`1` matches an axis of size 1, and axis {axis} has size {size}")
            }
            Self::Given { name } => {
                write!(
                    f,
                    "the size of `{name}` is given twice, or `{name}` is not in parentheses in the pattern of the tensor"
                )
            }
            Self::Parts { parts, axis, size, given, left_out } => {
                write!(f, "`({parts})` is axis {axis} of size {size}, and ")?;
                match left_out {
                    0 => write!(f, "its parts have {given} elements"),
                    1 => write!(f, "{given} does not divide it"),
                    _ => write!(f, "{left_out} of its parts have no size: give all but one"),
                }
            }
            Self::InvalidShape(error) => error.fmt(f),
        }
    }
}

tensor_kernels::__debug_as_display!(RearrangeError);

impl core::error::Error for RearrangeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::InvalidShape(error) => Some(error),
            _ => None,
        }
    }
}

/// The pattern of any axes.
const LEADING: &str = "...";

const TWICE: &str = "`...` occurs twice";

/// One axis of a side of a pattern.
enum PatternAxis<'a> {
    /// `1`
    One,
    /// `...`
    Leading,
    /// `h`
    Name(&'a str),
    /// `(h d)`, and its text. A name of the result is `...` where all of these axes are merged.
    Group(Vec<&'a str>, &'a str),
}

impl<'a> PatternAxis<'a> {
    /// The names of the axis.
    fn names(&self) -> &[&'a str] {
        match self {
            Self::One | Self::Leading => &[],
            Self::Name(name) => core::slice::from_ref(name),
            Self::Group(names, _) => names,
        }
    }
}

/// A pattern.
struct Pattern<'a> {
    from: Vec<PatternAxis<'a>>,
    to: Vec<PatternAxis<'a>>,
}

/// The parser of a pattern.
struct PatternParser<'a> {
    pattern: &'a str,
}

impl<'a> PatternParser<'a> {
    fn error(&self, at: &str, problem: &'static str) -> RearrangeError {
        // Every part is a slice of the pattern.
        let position = at.as_ptr() as usize - self.pattern.as_ptr() as usize;
        RearrangeError::Pattern { pattern: self.pattern.to_owned(), position, problem }
    }

    fn read(&self) -> Result<Pattern<'a>, RearrangeError> {
        let Some((from, to)) = self.pattern.split_once("->") else {
            return Err(self.error(self.pattern, "a pattern has `->` between two lists of axes"));
        };
        let (from, to) = (self.side(from, false)?, self.side(to, true)?);
        self.same_names(&from, &to, "the result does not have an axis")?;
        self.same_names(&to, &from, "the tensor does not have this axis")?;
        let has_leading = |side: &[PatternAxis<'_>]| {
            side.iter()
                .any(|axis| matches!(axis, PatternAxis::Leading) || axis.names().contains(&LEADING))
        };
        if has_leading(&from) != has_leading(&to) {
            return Err(self.error(self.pattern, "one side alone has `...`"));
        }
        Ok(Pattern { from, to })
    }

    /// # Errors
    ///
    /// If a name of the one side is not on the other, or occurs there twice.
    fn same_names(
        &self,
        one: &[PatternAxis<'a>],
        other: &[PatternAxis<'a>],
        problem: &'static str,
    ) -> Result<(), RearrangeError> {
        let mut before: Vec<&str> = Vec::new();
        for &name in one.iter().flat_map(PatternAxis::names).filter(|&&name| name != LEADING) {
            if before.contains(&name) {
                return Err(self.error(name, "a side has one name twice"));
            }
            if !other.iter().any(|axis| axis.names().contains(&name)) {
                return Err(self.error(name, problem));
            }
            before.push(name);
        }
        Ok(())
    }

    /// Parses one side: axes separated by spaces.
    fn side(&self, side: &'a str, is_result: bool) -> Result<Vec<PatternAxis<'a>>, RearrangeError> {
        let mut axes = Vec::new();
        let mut has_leading = false;
        let mut rest = side.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if first == '(' {
                let Some(end) = rest.find(')') else {
                    return Err(self.error(rest, "this `(` has no `)`"));
                };
                let inner = &rest[1..end];
                let names: Vec<&str> = inner.split_whitespace().collect();
                for &name in &names {
                    match name {
                        LEADING if !is_result => {
                            let problem = "`...` can be in parentheses in the result only, where they merge its axes";
                            return Err(self.error(name, problem));
                        }
                        LEADING if core::mem::replace(&mut has_leading, true) => {
                            return Err(self.error(name, TWICE));
                        }
                        name if name == LEADING || is_name(name) => {}
                        name => {
                            return Err(self.error(name, "expected the name of an axis or `...`"));
                        }
                    }
                }
                axes.push(match names.is_empty() {
                    true => PatternAxis::One,
                    false => PatternAxis::Group(names, inner),
                });
                end + 1
            } else if rest.starts_with(LEADING) {
                if core::mem::replace(&mut has_leading, true) {
                    return Err(self.error(rest, TWICE));
                }
                axes.push(PatternAxis::Leading);
                3
            } else {
                let is_end = |letter: char| letter.is_whitespace() || letter == '(';
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                axes.push(match word {
                    "1" => PatternAxis::One,
                    word if is_name(word) => PatternAxis::Name(word),
                    word => {
                        let problem = "expected the name of an axis, `1`, `...` or `(`";
                        return Err(self.error(word, problem));
                    }
                });
                word.len()
            };
            rest = rest[length..].trim_start();
        }
        Ok(axes)
    }
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Named axes, in the order of the tensor.
#[derive(Default)]
struct Split<'a> {
    names: Vec<&'a str>,
    sizes: Sizes,
    /// The range of the axes of `...`.
    leading: core::ops::Range<usize>,
}

impl Split<'_> {
    /// The axes of a name of the result.
    fn axes(&self, name: &str) -> core::ops::Range<usize> {
        match self.names.iter().position(|&other| other == name) {
            Some(axis) => axis..axis + 1,
            None => self.leading.clone(),
        }
    }
}

/// The tensor rearranged by a pattern.
///
/// # Errors
///
/// Those of [`DynTensor::rearrange`].
pub(crate) fn rearrange<T: Element>(
    x: &DynTensor<T>,
    pattern: &str,
    given: &[(&str, usize)],
) -> Result<DynTensor<T>, RearrangeError> {
    let Pattern { from, to } = PatternParser { pattern }.read()?;
    let split = split(&from, x.sizes(), given)?;
    let mut order = Sizes::new();
    let mut merged = Sizes::new();
    for axis in &to {
        let axes: Sizes = match axis {
            PatternAxis::Leading => split.leading.clone().collect(),
            axis => axis.names().iter().flat_map(|name| split.axes(name)).collect(),
        };
        let sizes: Sizes = axes.iter().map(|&axis| split.sizes[axis]).collect();
        match axis {
            PatternAxis::Leading => merged.extend(sizes),
            _ => merged.push(
                checked_num_elements(&sizes)
                    .ok_or_else(|| ShapeError::TooLarge { sizes: sizes.to_vec() })?,
            ),
        }
        order.extend(axes);
    }
    Ok(moved(x, &split.sizes, &order, &merged)?)
}

/// # Errors
///
/// If the pattern does not fit the sizes.
fn split<'a>(
    from: &[PatternAxis<'a>],
    sizes: &[usize],
    given: &[(&str, usize)],
) -> Result<Split<'a>, RearrangeError> {
    let in_groups = |name: &str| {
        from.iter()
            .any(|axis| matches!(axis, PatternAxis::Group(names, _) if names.contains(&name)))
    };
    for (index, &(name, _)) in given.iter().enumerate() {
        if !in_groups(name) || given[..index].iter().any(|&(other, _)| other == name) {
            return Err(RearrangeError::Given { name: name.to_owned() });
        }
    }
    let has_leading = from.iter().any(|axis| matches!(axis, PatternAxis::Leading));
    let (expected, found) = (from.len() - usize::from(has_leading), sizes.len());
    if found < expected || (found > expected && !has_leading) {
        return Err(RearrangeError::Rank { expected, found });
    }
    let mut split = Split::default();
    let mut index = 0;
    for written in from {
        if let PatternAxis::Leading = written {
            let count = found - expected;
            split.leading = split.sizes.len()..split.sizes.len() + count;
            split.sizes.extend_from_slice(&sizes[index..index + count]);
            // An empty string, which is the name of no axis.
            split.names.extend(core::iter::repeat_n("", count));
            index += count;
            continue;
        }
        let (axis, size) = (index, sizes[index]);
        index += 1;
        match written {
            PatternAxis::Leading => {}
            PatternAxis::One if size == 1 => {}
            PatternAxis::One => return Err(RearrangeError::LargerThanOne { axis, size }),
            PatternAxis::Name(name) => {
                split.names.push(name);
                split.sizes.push(size);
            }
            PatternAxis::Group(names, text) => {
                split.sizes.extend(parts(names, text, axis, size, given)?);
                split.names.extend(names);
            }
        }
    }
    Ok(split)
}

/// The sizes of the parts of an axis.
///
/// # Errors
///
/// If they do not multiply to its size.
fn parts(
    names: &[&str],
    text: &str,
    axis: usize,
    size: usize,
    given: &[(&str, usize)],
) -> Result<Sizes, RearrangeError> {
    let given_size = |name: &str| given.iter().find(|&&(other, _)| other == name);
    let sizes = names.iter().map(|name| given_size(name).map(|&(_, size)| size));
    let sizes: Vec<Option<usize>> = sizes.collect();
    let left_out = sizes.iter().filter(|size| size.is_none()).count();
    let known: Sizes = sizes.iter().map(|size| size.unwrap_or(1)).collect();
    let count = checked_num_elements(&known);
    let error = || RearrangeError::Parts {
        parts: text.trim().to_owned(),
        axis,
        size,
        given: count.unwrap_or(usize::MAX),
        left_out,
    };
    let rest = match (left_out, count) {
        (0, Some(count)) if count == size => 1,
        // If the other parts have no elements, every size fits and none can be inferred.
        (1, Some(count)) if count > 0 && size.is_multiple_of(count) => size / count,
        _ => return Err(error()),
    };
    Ok(sizes.iter().map(|size| size.unwrap_or(rest)).collect())
}
