//! Errors of indices at run time.

use core::fmt;

use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

/// An index that is out of range: the index, its position, and the valid range.
///
/// ```
/// use tensor_core::tensor;
///
/// let table = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
/// let error = table.take::<0, _>(&tensor![0, 7]).unwrap_err();
/// assert_eq!((error.index, error.size, error.axis), (7, 3, 0));
/// assert_eq!(error.position[..], [1]);
/// assert_eq!(
///     error.to_string(),
///     "index 7, at position [1] of the indices, is out of range for axis 0 of size 3: indices go from -3 to 2"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct IndexError {
    /// The index.
    pub index: i128,
    /// Its position in the tensor of indices.
    pub position: Sizes,
    /// The size of the axis.
    pub size: usize,
    /// The axis, counted from 0 at the front.
    pub axis: usize,
    /// Whether negative indices count from the end.
    pub is_signed: bool,
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, position, size, axis, is_signed } = self;
        write!(f, "index {index}")?;
        if !position.is_empty() {
            write!(f, ", at position {:?} of the indices,", &position[..])?;
        }
        write!(f, " is out of range for axis {axis} of size {size}: ")?;
        match size {
            0 => write!(f, "the axis has no elements"),
            size if *is_signed => write!(f, "indices go from -{size} to {}", size - 1),
            size => write!(f, "indices go from 0 to {}", size - 1),
        }
    }
}

__debug_as_display!(IndexError);

impl std::error::Error for IndexError {}

/// The error of an indexing operation on a `DynTensor`: wrong shapes, or an index
/// out of range.
///
/// ```
/// use tensor_core::{DynTensor, IndexingError, tensor};
///
/// let table = DynTensor::from(tensor![[1.0, 2.0], [3.0, 4.0]]);
/// let indices = DynTensor::from(tensor![0, 2]);
/// assert!(matches!(table.take(0, &indices), Err(IndexingError::InvalidIndex(error)) if error.index == 2));
/// assert!(matches!(table.take(2, &indices), Err(IndexingError::InvalidShape(_))));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum IndexingError {
    /// The shapes do not fit.
    InvalidShape(ShapeError),
    /// An index is out of range.
    InvalidIndex(IndexError),
}

impl fmt::Display for IndexingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidShape(error) => error.fmt(f),
            Self::InvalidIndex(error) => error.fmt(f),
        }
    }
}

__debug_as_display!(IndexingError);

impl std::error::Error for IndexingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::InvalidShape(error) => Some(error),
            Self::InvalidIndex(error) => Some(error),
        }
    }
}

impl From<ShapeError> for IndexingError {
    fn from(error: ShapeError) -> Self {
        Self::InvalidShape(error)
    }
}

impl From<IndexError> for IndexingError {
    fn from(error: IndexError) -> Self {
        Self::InvalidIndex(error)
    }
}
