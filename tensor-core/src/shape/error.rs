//! What can be wrong with sizes that only the run knows.

use core::fmt;

/// A shape that does not fit, found at run time: a named axis, a shape read from a file, or a
/// [`DynTensor`](crate::DynTensor).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeError {
    /// Two sizes met at one axis and do not broadcast.
    Sizes {
        /// The size on the left.
        left: usize,
        /// The size on the right.
        right: usize,
        /// The axis of the result, counted from the first.
        axis: usize,
        /// The name of the axis, if it has one.
        name: Option<&'static str>,
    },
    /// A shape has another number of axes than the type says.
    Rank {
        /// The number of axes of the type.
        expected: usize,
        /// The number of axes found.
        found: usize,
    },
    /// An axis has another size than the type says.
    StaticSize {
        /// The size of the type.
        expected: usize,
        /// The size found.
        found: usize,
        /// The axis, counted from the first.
        axis: usize,
        /// The name of the axis, if it has one.
        name: Option<&'static str>,
    },
    /// A number of elements does not fill the shape.
    Length {
        /// The number of elements of the shape.
        expected: usize,
        /// The number of elements found.
        found: usize,
        /// The sizes of the shape.
        sizes: Vec<usize>,
    },
    /// The result of an in-place operation would have another shape than its target.
    Grows {
        /// The sizes of the target.
        target: Vec<usize>,
        /// The sizes of the broadcast.
        result: Vec<usize>,
    },
    /// A tensor has no axis with this number.
    Axis {
        /// The number of the axis; a negative one counts from the end.
        axis: isize,
        /// The number of axes of the tensor.
        rank: usize,
    },
    /// An operation that chooses an element, such as `max`, has none to choose from.
    Empty {
        /// The operation.
        operation: &'static str,
        /// The axis that has size 0, counted from the first; `None` for all axes.
        axis: Option<usize>,
    },
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes { left, right, axis, name } => {
                write!(
                    f,
                    "The size of tensor a ({left}) must match the size of tensor b ({right}) at non-singleton dimension {axis}"
                )?;
                match name {
                    Some(name) => write!(
                        f,
                        " (`{name}`): a named axis does not stretch, not even from 1; use an axis of size `One` for that"
                    ),
                    None => Ok(()),
                }
            }
            Self::Rank { expected, found } => {
                write!(f, "the type has {expected} axes, the data {found}")
            }
            Self::StaticSize { expected, found, axis, name } => {
                write!(f, "axis {axis} ")?;
                if let Some(name) = name {
                    write!(f, "(`{name}`) ")?;
                }
                write!(f, "has size {expected} in the type, {found} in the data")
            }
            Self::Length { expected, found, sizes } => {
                write!(f, "shape {sizes:?} has {expected} elements, but {found} were given")
            }
            Self::Grows { target, result } => write!(
                f,
                "output with shape {target:?} doesn't match the broadcast shape {result:?}: an in-place result cannot grow"
            ),
            Self::Axis { axis, rank } => {
                write!(f, "axis {axis} is out of range for a tensor of rank {rank}")
            }
            Self::Empty { operation, axis: None } => {
                write!(f, "`{operation}` of a tensor without elements: some axis has size 0")
            }
            Self::Empty { operation, axis: Some(axis) } => {
                write!(f, "`{operation}` along axis {axis}, which has size 0: no element to choose")
            }
        }
    }
}

impl std::error::Error for ShapeError {}
