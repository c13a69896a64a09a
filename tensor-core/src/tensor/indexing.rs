//! Operations with indices, sorting, and masks.

use tensor_kernels::element::{Element, Integer};

use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::index_error::{IndexError, IndexingError};
use crate::shape::indexing::{TakeAxis, Taken};
use crate::tensor::Tensor;
use crate::tensor::construct::new_len;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use crate::tensor::typed_view::View;

// rustdoc shows the methods in this order.
mod gather;

mod scatter;

mod order;

mod quantile;

mod search;

mod mask;

mod count;

/// A tensor of integers, owned or borrowed, used as indices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor of integers, as indices are",
    label = "expected a tensor of integers, such as `&indices`",
    note = "indices are integers: `.cast::<i64>()` converts, `Tensor::scalar(2)` is one index as a tensor [T234]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IndexTensor {
    /// The shape.
    type Shape: Shape;
    /// The type of the indices.
    type Element: Integer;

    /// The indices for reading.
    #[doc(hidden)]
    fn read(&self) -> View<'_, Self::Shape, Self::Element>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, I: Integer> IndexTensor for Tensor<S, I> {
    type Shape = S;
    type Element = I;

    fn read(&self) -> View<'_, S, I> {
        self.as_view()
    }
}

#[diagnostic::do_not_recommend]
impl<X: IndexTensor> IndexTensor for &X {
    type Shape = X::Shape;
    type Element = X::Element;

    fn read(&self) -> View<'_, X::Shape, X::Element> {
        X::read(self)
    }
}

/// A shape whose axis `I` indices replace: [`TakeAxis`] is the bound to write in generic code.
#[cfg_attr(doc, doc(hidden))]
pub trait TakeIndices<const I: isize, X> {
    /// The shape of the result.
    type Output: Shape;

    /// The elements at the indices.
    ///
    /// # Errors
    ///
    /// The first index that is out of range.
    #[track_caller]
    fn take<T: Element>(
        x: &Tensor<Self, T>,
        indices: &X,
    ) -> Result<Tensor<<Self as TakeIndices<I, X>>::Output, T>, IndexError>
    where
        Self: Shape;
}

impl<S, X, const I: isize> TakeIndices<I, X> for S
where
    X: IndexTensor,
    S: TakeAxis<I, X::Shape>,
{
    type Output = Taken<S, I, X::Shape>;

    #[track_caller]
    fn take<T: Element>(
        x: &Tensor<S, T>,
        indices: &X,
    ) -> Result<Tensor<<S as TakeIndices<I, X>>::Output, T>, IndexError> {
        let indices = indices.read();
        let shape = x.axes.take_axis(indices.shape);
        new_len::<_, T>(shape);
        let axis = <S as TakeAxis<I, X::Shape>>::INDEX as isize;
        Ok(Tensor::with_shape(shape, index_result(x.erased().take(axis, &indices.erased()))?))
    }
}

/// The result of an operation with indices; panics if the shapes do not fit.
#[track_caller]
fn index_result<T>(result: Result<T, IndexingError>) -> Result<T, IndexError> {
    match result {
        Ok(result) => Ok(result),
        Err(IndexingError::InvalidIndex(error)) => Err(error),
        Err(IndexingError::InvalidShape(error)) => unwrap_or_panic(Err(error)),
    }
}

/// The axis of the elements that were found, whose size depends on the values.
///
/// # Panics
///
/// If the axis has another size.
#[track_caller]
fn found<A: Axis>(count: usize) -> A {
    match A::from_size(count) {
        Some(axis) => axis,
        None => panic!(
            "{count} elements were found, and `{}` has size {}: use a run-time axis, such as `axis!(Found)`",
            A::NAME.unwrap_or("the axis"),
            A::SIZE.unwrap_or_default()
        ),
    }
}
