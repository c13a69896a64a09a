//! What padding puts around the elements of a tensor.

/// What padding puts around the elements, under NumPy's names.
///
/// ```
/// use tensor_core::{Padding, shape, tensor};
///
/// let x = tensor![1, 2, 3];
/// let padded = |padding| x.pad::<shape![2], shape![2]>(padding).to_vec();
/// assert_eq!(padded(Padding::Constant(0)), [0, 0, 1, 2, 3, 0, 0]);
/// assert_eq!(padded(Padding::Edge), [1, 1, 1, 2, 3, 3, 3]);
/// assert_eq!(padded(Padding::Reflect), [3, 2, 1, 2, 3, 2, 1]);
/// assert_eq!(padded(Padding::Symmetric), [2, 1, 1, 2, 3, 3, 2]);
/// assert_eq!(padded(Padding::Wrap), [2, 3, 1, 2, 3, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Padding<T> {
    /// This element.
    Constant(T),
    /// The first and the last element along the axis; PyTorch's `replicate`.
    Edge,
    /// The elements mirrored at the first and the last one, which are not repeated.
    Reflect,
    /// The elements mirrored at the edges: the first and the last one are repeated.
    Symmetric,
    /// The elements from the other end; PyTorch's `circular`.
    Wrap,
}

impl<T> Padding<T> {
    /// The mode, with another element.
    #[doc(hidden)]
    pub fn with<U>(&self, element: impl FnOnce(&T) -> U) -> Padding<U> {
        match self {
            Self::Constant(old) => Padding::Constant(element(old)),
            Self::Edge => Padding::Edge,
            Self::Reflect => Padding::Reflect,
            Self::Symmetric => Padding::Symmetric,
            Self::Wrap => Padding::Wrap,
        }
    }
}
