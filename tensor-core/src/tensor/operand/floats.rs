//! Results of operations that only floats have: see [`FloatResult`](tensor_kernels::element::FloatResult).

use core::any::Any;

use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::tensor::Tensor;

/// Converts a result between two names of its element type, `T` and `O`, which are the same type.
#[inline(always)]
pub(crate) fn named<S: Shape, T: Element, O: Element>(y: Tensor<S, T>) -> Tensor<S, O> {
    let mut y = Some(y);
    let named = (&mut y as &mut dyn Any).downcast_mut::<Option<Tensor<S, O>>>();
    named.and_then(Option::take).expect("the result of a float is of its type")
}
