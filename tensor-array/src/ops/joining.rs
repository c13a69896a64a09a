//! Joins of tensors, and results of other sizes from the same elements.

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
    /// The mode alone.
    pub(crate) fn without_element(&self) -> Padding<()> {
        match self {
            Self::Constant(_) => Padding::Constant(()),
            Self::Edge => Padding::Edge,
            Self::Reflect => Padding::Reflect,
            Self::Symmetric => Padding::Symmetric,
            Self::Wrap => Padding::Wrap,
        }
    }
}

operation_rows! {
    /// The operations of this file.
    JOINING {
        topic "Joining" {
            concat: 2 "Element" "concat" "cat" "concatenate";
            concat_tuple: 2 "Element" "concat" "cat" "concatenate";
            concat_all: 2 "Element" "concat" "cat" "concatenate";
            stack: 2 "Element" "stack" "stack" "concatenate";
            meshgrid: 2 "Element" "meshgrid" "meshgrid" "broadcast_in_dim";
        }
        topic "Padding, repeating and moving" {
            pad: 1 "Element" "pad" "nn.functional.pad" "pad";
            roll: 1 "Element" "roll" "roll" "concatenate";
            repeat: 1 "Element" "repeat" "repeat_interleave" "broadcast_in_dim";
            repeat_each: 1 "Element" "repeat" "repeat_interleave" "gather";
            tile: 1 "Element" "tile" "tile" "broadcast_in_dim";
            tril: 1 "Element" "tril" "tril" "select";
            triu: 1 "Element" "triu" "triu" "select";
            diag_embed: 1 "Element" "diag" "diag_embed" "select";
            trace: 1 "Number" "trace" "trace" "reduce(add)";
        }
    }
}
