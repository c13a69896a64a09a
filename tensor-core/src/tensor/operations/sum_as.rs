//! Sums in another element type: of small integers without overflow, of 16-bit floats without rounding.

use tensor_array_macros::usage;
use tensor_kernels::element::{CastTo, Element, Number};

use super::dispatch::unwrap_or_panic;
use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::results::WithoutAxis;
use crate::tensor::Tensor;
use crate::tensor::einsum::typed;

/// # Sums in another element type
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_sum_as!()]
    /// ```
    /// let x = tensor![200_u8, 100];
    /// assert_eq!(x.sum().item(), 44);
    /// assert_eq!(x.sum_as::<i64>().item(), 300);
    /// assert_eq!(tensor![true, false, true].sum_as::<i64>().item(), 2);
    /// ```
    #[usage(x.sum_as::<i64>())]
    pub fn sum_as<U>(&self) -> Tensor<(), U>
    where
        T: CastTo<U>,
        U: Number,
    {
        typed(self.erased().sum_as::<U>(), ())
    }

    #[doc = doc_sum_axis_as!()]
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// let x = tensor![[200_u8, 100], [1, 2]];
    /// assert_eq!(x.sum_axis_as::<-1, i64>(), tensor![300_i64, 3]);
    /// assert_eq!(x.sum_axis_as::<0, u16>(), tensor![201_u16, 102]);
    /// ```
    #[usage(x.sum_axis_as::<-1, i64>())]
    pub fn sum_axis_as<const AXIS: isize, U>(&self) -> Tensor<WithoutAxis<S, AXIS>, U>
    where
        S: HasAxis<AXIS>,
        T: CastTo<U>,
        U: Number,
    {
        let shape = <S as HasAxis<AXIS>>::remove(self.axes);
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        typed(unwrap_or_panic(self.erased().sum_axis_as::<U>(axis)), shape)
    }
}
