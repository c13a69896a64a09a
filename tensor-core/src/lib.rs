//! Tensors whose shapes are types.
#![warn(missing_docs)]

// In the order of the data: what can go wrong, shapes, elements, memory, loops, operations.
mod error;

#[doc(hidden)]
pub mod arithmetic;
mod axis;
pub mod broadcast;
pub mod broadcast_warning;
mod shape;

pub mod element;
mod layout;
mod operand;
mod operations;
mod plan;
mod position;
mod storage;

mod dynamic;
mod kernel;
mod tensor;
pub mod views;

pub use axis::{Axis, Dim, One, StaticAxis};
pub use broadcast::Broadcast;
pub use dynamic::{DynTensor, IntoTensorError};
pub use element::{Element, Float};
pub use error::ShapeError;
pub use operand::Operand;
pub use operations::{
    Broadcasted3, Broadcasted4, Contracts, ContractsMatrix, ContractsVector, Dot, Dotted, Matmul,
    Multiplied, Outer, Outered, ProductError, select, zip_with, zip_with3, zip_with4,
};
pub use position::{AxisOf, HasAxis, HasRank, Kept, Position, Removed};
pub use shape::{Shape, StaticShape};
pub use tensor::{HasLength, HasSizes, Iter, LengthError, OneElement, SquareShape, Tensor};
pub use tensor_macros::{axes, axis, broadcast_shapes, dim, shape, tensor};

/// What the macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::arithmetic::Constant;
    use crate::element::Element;
    use crate::shape::StaticShape;
    use crate::storage::Storage;
    use crate::tensor::Tensor;

    /// The tensor of the elements that `tensor!` counted.
    pub fn tensor<S: StaticShape, T: Element, const N: usize>(elements: [T; N]) -> Tensor<S, T> {
        debug_assert_eq!(S::VALUE.num_elements(), N);
        Tensor::from_storage(S::VALUE, Storage::from_slice(&elements))
    }
}
