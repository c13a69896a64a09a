//! The leaves of graphs.

use tensor_kernels::element::Float;

use crate::array::dynamic::DynTensor;
use crate::array::history;
use crate::array::row_calls::track;

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
        track::<T>();
        tensor.layout = history::variable(self.sizes.clone(), self.layout.as_deref());
        tensor
    }
}
