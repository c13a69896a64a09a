//! Sums of products over axes that the caller chooses: [`tensordot`](Tensor::tensordot),
//! [`einsum!`](crate::einsum!) and [`DynTensor::einsum`](crate::DynTensor::einsum).

pub(crate) mod named;

use crate::shape::Shape;
use crate::shape::tensordot::{Tensordot, TensordotOutput};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array::array::dynamic::DynTensor;
use tensor_array::array::dynamic::einsum::contraction::tensordot;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Number};

/// # Products over named axes
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_tensordot!()]
    /// The pairs are of the lists `P` and `Q`.
    ///
    /// [`einsum!`](crate::einsum!) names the axes instead of counting them.
    /// Panics: If two operands give the same named axis different sizes, or if the result does not fit into
    /// memory.
    /// ```
    /// let images = Tensor::<shape![32, 3, 28, 28]>::ones();
    /// let filters = Tensor::<shape![28, 28, 10]>::ones();
    /// let y: Tensor<shape![32, 3, 10]> =
    ///     images.tensordot::<axes![-2, -1], axes![0, 1], _>(&filters);
    /// assert_eq!(y[[0, 0, 0]], 784.0);
    /// ```
    #[usage(x.tensordot::<axes![-1], axes![0], _>(&y))]
    pub fn tensordot<P, Q, R>(&self, right: &Tensor<R, T>) -> Tensor<TensordotOutput<S, P, R, Q>, T>
    where
        S: Tensordot<P, R, Q>,
        R: Shape,
        T: Number,
    {
        let shape = unwrap_or_panic(self.axes.tensordot_shape(right.axes));
        let result = tensordot(self.erased(), right.erased(), &S::axes());
        typed(unwrap_or_panic(result), shape)
    }
}

/// The tensor as one of this shape, which it has.
#[track_caller]
pub(crate) fn typed<S: Shape, T: Element>(tensor: DynTensor<T>, shape: S) -> Tensor<S, T> {
    unwrap_or_panic(shape.with_one_size_each());
    Tensor::with_shape(shape, tensor)
}
