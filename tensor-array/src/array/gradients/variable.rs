//! The leaves of graphs.

use tensor_kernels::element::{Element, Float};
use tensor_kernels::layout::{Layout, StridedLayout};
use tensor_kernels::sizes::Sizes;

use crate::array::dynamic::DynTensor;
use crate::array::history;
use crate::array::row_calls::track;

/// The row-major layout of a new variable of elements of type `T`, which takes those of an array with these sizes and this
/// layout.
///
/// If the array has a history, the variable is still computed from it.
#[doc(hidden)]
pub fn variable<T: Element>(sizes: Sizes, layout: Option<&StridedLayout>) -> Layout {
    track::<T>();
    history::variable(sizes, layout)
}

/// # Gradients
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// The tensor as one that requires gradients, `[..s] → [..s]`, a leaf of the graph: operations on it are tracked, and
    /// their results have gradients with respect to it.
    /// Panics: If it is a view whose elements do not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert_eq!(x.square().sum().gradients(&[&x]), [tensor![6.0].into()]);
    /// ```
    #[doc(alias = "requires_grad_")]
    pub fn requires_grad(&self) -> Self {
        let mut tensor = self.contiguous();
        tensor.layout = variable::<T>(self.sizes.clone(), self.layout.as_deref());
        tensor
    }
}
