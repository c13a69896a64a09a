//! Concatenation of tensors of different shapes, in one call.

use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::error::ShapeError;
use crate::shape::join::{ConcatRhs, ConcatenatedRhs};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array::array::dynamic::DynTensor;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// A tuple of up to seven tensors that can be concatenated to one of shape `S` along axis `I`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of tensors with elements of type `{T}`",
    label = "expected one to seven tensors of `{T}`, as `(&y, &z)`",
    note = "`concat` takes one tensor, `Tensor::concat_all` any number of them of one shape [T402]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TensorsBehind<S, T: Element, const I: isize>: TensorTuple<T> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If they give another named axis different sizes.
    fn concat_shape(&self, first: S) -> Result<Self::Output, ShapeError>;
}

impl<X, S, T: Element, const I: isize> TensorsBehind<S, T, I> for X
where
    X: TensorTuple<T, Shapes: ShapesBehind<S, I>>,
{
    type Output = <X::Shapes as ShapesBehind<S, I>>::Output;

    fn concat_shape(&self, first: S) -> Result<Self::Output, ShapeError> {
        self.shapes().behind(first)
    }
}

/// A tuple of up to seven tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of tensors with elements of type `{T}`",
    label = "expected one to seven tensors of `{T}`, as `(&y, &z)`",
    note = "`concat` takes one tensor, `Tensor::concat_all` any number of them of one shape [T402]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TensorTuple<T: Element> {
    /// The list of their shapes, `(((), A), B)`.
    type Shapes;

    /// Their shapes.
    fn shapes(&self) -> Self::Shapes;

    /// The tensors with their shape types erased.
    fn tensors(&self) -> Vec<DynTensor<T>>;
}

/// `(((), A), B)` from `() A B`, as a type or as an expression.
macro_rules! list {
    ($lead:tt) => { $lead };
    ($lead:tt $next:tt $($rest:tt)*) => { list!(($lead, $next) $($rest)*) };
}

/// Implements [`TensorTuple`] for a tuple of each length.
macro_rules! tensor_tuples {
    ([$($x:ident $X:ident)*]) => {};
    ([$($x:ident $X:ident)*] $y:ident $Y:ident $($more:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, $($X: Shape,)* $Y: Shape> TensorTuple<T> for ($(&Tensor<$X, T>,)* &Tensor<$Y, T>,) {
            type Shapes = list!(() $($X)* $Y);

            fn shapes(&self) -> Self::Shapes {
                let ($($x,)* $y,) = self;
                list!(() $({ $x.axes })* { $y.axes })
            }

            fn tensors(&self) -> Vec<DynTensor<T>> {
                let ($($x,)* $y,) = *self;
                vec![$($x.erased(),)* $y.erased()]
            }
        }

        tensor_tuples! { [$($x $X)* $y $Y] $($more)* }
    };
}

tensor_tuples! { [] a A b B c C d D e E f F g G }

/// One tensor, without parentheses.
#[diagnostic::do_not_recommend]
impl<T: Element, R: Shape> TensorTuple<T> for &Tensor<R, T> {
    type Shapes = ((), R);

    fn shapes(&self) -> ((), R) {
        ((), self.axes)
    }

    fn tensors(&self) -> Vec<DynTensor<T>> {
        vec![self.erased()]
    }
}

/// A list of shapes that are concatenated to `S` along axis `I`, each to the result of those before.
#[cfg_attr(doc, doc(hidden))]
pub trait ShapesBehind<S, const I: isize> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If they give another named axis different sizes.
    fn behind(self, first: S) -> Result<Self::Output, ShapeError>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, const I: isize> ShapesBehind<S, I> for () {
    type Output = S;

    fn behind(self, first: S) -> Result<S, ShapeError> {
        Ok(first)
    }
}

impl<L, R, S, const I: isize> ShapesBehind<S, I> for (L, R)
where
    L: ShapesBehind<S, I>,
    R: ConcatRhs<L::Output, I>,
{
    type Output = ConcatenatedRhs<L::Output, I, R>;

    fn behind(self, first: S) -> Result<Self::Output, ShapeError> {
        R::concat_shape(self.0.behind(first)?, self.1)
    }
}

/// # Joining
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// Concatenates this tensor and those of a tuple of one to seven along axis `AXIS`, where their sizes
    /// may differ: `[..a, m, ..b], [..a, n, ..b], … → [..a, m + n + …, ..b]`. Each element is copied once.
    /// Panics: If the tensors give another named axis different sizes, or if the result exceeds `isize::MAX`
    /// bytes.
    /// ```
    /// let (a, b, c) = (tensor![[1, 2]], tensor![[3, 4], [5, 6]], tensor![[7, 8]]);
    /// let all: Tensor<shape![4, 2], i32> = a.concat_tuple::<0, _>((&b, &c));
    /// assert_eq!(all, tensor![[1, 2], [3, 4], [5, 6], [7, 8]]);
    /// ```
    #[doc(alias("concatenate", "cat", "hstack", "vstack"))]
    #[usage(x.concat_tuple::<0, _>((&y, &z)))]
    pub fn concat_tuple<const AXIS: isize, Others>(
        &self,
        others: Others,
    ) -> Tensor<<Others as TensorsBehind<S, T, AXIS>>::Output, T>
    where
        S: HasAxis<AXIS>,
        Others: TensorsBehind<S, T, AXIS>,
    {
        let shape = unwrap_or_panic(others.concat_shape(self.axes));
        let mut tensors = vec![self.erased()];
        tensors.extend(others.tensors());
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        Tensor::with_result(shape, DynTensor::concat_all(&tensors, axis))
    }
}
