//! Joins of tensors of different shapes, in one call.

use crate::element::Element;
use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::error::ShapeError;
use crate::shape::join::{ConcatRhs, ConcatenatedRhs};
use crate::tensor::Tensor;
use crate::tensor::dynamic::DynTensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_macros::usage;

/// Up to seven tensors that go behind one of shape `S` along axis `I`, one after the other.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of tensors with elements of type `{T}`",
    label = "expected one to seven tensors of `{T}`, as `(&y, &z)`",
    note = "`concat` takes one tensor, `Tensor::concat_all` any number of them of one shape [T402]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TensorsBehind<S, T: Element, const I: isize> {
    /// The shape of all together.
    type Output: Shape;

    /// The shape of all together, as a value.
    ///
    /// # Errors
    ///
    /// If they give another named axis different sizes.
    fn concat_shape(&self, first: S) -> Result<Self::Output, ShapeError>;

    /// The tensors, whose shapes are values.
    fn tensors(&self) -> Vec<DynTensor<T>>;
}

/// Stamps out [`TensorsBehind`] for a tuple: each tensor goes behind the result of those before.
macro_rules! tensors_behind {
    ([$($x:ident $X:ident: $Left:ty;)*] -> $Output:ty) => {
        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element, const I: isize, $($X),*> TensorsBehind<S, T, I> for ($(&Tensor<$X, T>,)*)
        where
            $($X: ConcatRhs<$Left, I>,)*
        {
            type Output = $Output;

            fn concat_shape(&self, first: S) -> Result<Self::Output, ShapeError> {
                let ($($x,)*) = self;
                let shape = first;
                $(let shape = $X::concat_shape(shape, $x.shape)?;)*
                Ok(shape)
            }

            fn tensors(&self) -> Vec<DynTensor<T>> {
                let ($($x,)*) = *self;
                vec![$($x.clone().into()),*]
            }
        }
    };
}

/// One tensor, without parentheses.
#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element, const I: isize, R> TensorsBehind<S, T, I> for &Tensor<R, T>
where
    R: ConcatRhs<S, I>,
{
    type Output = ConcatenatedRhs<S, I, R>;

    fn concat_shape(&self, first: S) -> Result<Self::Output, ShapeError> {
        R::concat_shape(first, self.shape)
    }

    fn tensors(&self) -> Vec<DynTensor<T>> {
        vec![(*self).clone().into()]
    }
}

/// `S` with `R` behind it.
type With<S, const I: isize, R> = ConcatenatedRhs<S, I, R>;
type With2<S, const I: isize, A, B> = With<With<S, I, A>, I, B>;
type With3<S, const I: isize, A, B, C> = With<With2<S, I, A, B>, I, C>;
type With4<S, const I: isize, A, B, C, D> = With<With3<S, I, A, B, C>, I, D>;
type With5<S, const I: isize, A, B, C, D, E> = With<With4<S, I, A, B, C, D>, I, E>;
type With6<S, const I: isize, A, B, C, D, E, F> = With<With5<S, I, A, B, C, D, E>, I, F>;
type With7<S, const I: isize, A, B, C, D, E, F, G> = With<With6<S, I, A, B, C, D, E, F>, I, G>;

tensors_behind!([a A: S;] -> With<S, I, A>);
tensors_behind!([a A: S; b B: With<S, I, A>;] -> With2<S, I, A, B>);
tensors_behind!([a A: S; b B: With<S, I, A>; c C: With2<S, I, A, B>;] -> With3<S, I, A, B, C>);
tensors_behind!([
    a A: S; b B: With<S, I, A>; c C: With2<S, I, A, B>; d D: With3<S, I, A, B, C>;
] -> With4<S, I, A, B, C, D>);
tensors_behind!([
    a A: S; b B: With<S, I, A>; c C: With2<S, I, A, B>; d D: With3<S, I, A, B, C>;
    e E: With4<S, I, A, B, C, D>;
] -> With5<S, I, A, B, C, D, E>);
tensors_behind!([
    a A: S; b B: With<S, I, A>; c C: With2<S, I, A, B>; d D: With3<S, I, A, B, C>;
    e E: With4<S, I, A, B, C, D>; f F: With5<S, I, A, B, C, D, E>;
] -> With6<S, I, A, B, C, D, E, F>);
tensors_behind!([
    a A: S; b B: With<S, I, A>; c C: With2<S, I, A, B>; d D: With3<S, I, A, B, C>;
    e E: With4<S, I, A, B, C, D>; f F: With5<S, I, A, B, C, D, E>;
    g G: With6<S, I, A, B, C, D, E, F>;
] -> With7<S, I, A, B, C, D, E, F, G>);

/// # Joining
#[cfg_attr(doc, tensor_macros::readable_bounds)]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// This tensor, and behind it along axis `AXIS` those of a tuple, one to seven of them, whose sizes may
    /// differ there: `[..a, m, ..b], [..a, n, ..b], … → [..a, m + n + …, ..b]`. Each element is copied once.
    ///
    /// # Panics
    ///
    /// If the tensors give another named axis different sizes, or if the result exceeds `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let (a, b, c) = (tensor![[1, 2]], tensor![[3, 4], [5, 6]], tensor![[7, 8]]);
    /// let all: Tensor<shape![4, 2], i32> = a.concat_tuple::<0, _>((&b, &c));
    /// assert_eq!(all, tensor![[1, 2], [3, 4], [5, 6], [7, 8]]);
    /// ```
    #[doc(alias = "concatenate")]
    #[doc(alias = "cat")]
    #[doc(alias = "hstack")]
    #[doc(alias = "vstack")]
    #[usage(x.concat_tuple::<0, _>((&y, &z)))]
    #[track_caller]
    pub fn concat_tuple<const AXIS: isize, Others>(
        &self,
        others: Others,
    ) -> Tensor<<Others as TensorsBehind<S, T, AXIS>>::Output, T>
    where
        <Others as TensorsBehind<S, T, AXIS>>::Output: Sized,
        S: HasAxis<AXIS>,
        Others: TensorsBehind<S, T, AXIS>,
    {
        let shape = unwrap_or_panic(others.concat_shape(self.shape));
        let mut tensors = vec![self.clone().into()];
        tensors.extend(others.tensors());
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let DynTensor { layout, storage, .. } =
            unwrap_or_panic(DynTensor::concat_all(&tensors, axis));
        Tensor { shape, layout, storage }
    }
}
