//! The caller's own element-wise operations, on two to four operands that broadcast.

#![allow(unsafe_code, reason = "kernels take pointers")]

use super::dispatch::{
    apply, constant_plan, map, map_assign, result_shape, zip_assign, zip2, zip3,
};
use crate::shape::Shape;
use crate::shape::Sizes;
use crate::shape::broadcast::{Broadcast, Broadcasted, ElementWise3, ElementWise4, InPlace};
use crate::tensor::Tensor;
use crate::tensor::operand::closures::TensorOperand;
use crate::tensor::recording::refuse_recorded;
use tensor_array_macros::usage;
use tensor_kernels::element::{CastTo, Element};
use tensor_kernels::kernel::closure::{
    of_four, of_one, of_three, of_two, ordered1, ordered2, ordered3, ordered4,
};

#[doc = doc_zip_with!()]
/// The tensors are owned or borrowed.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// ```
/// use tensor_core::{tensor, zip_with};
///
/// let prices = tensor![[4.0, 5.0], [6.0, 7.0]];
/// let limits = tensor![5.0, 6.0];
/// let over = zip_with(&prices, &limits, |price, limit| price > limit);
/// assert_eq!(over, tensor![[false, false], [true, true]]);
/// ```
#[inline]
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn zip_with<A, B, SA, SB, O>(
    a: A,
    b: B,
    f: impl Fn(A::Element, B::Element) -> O,
) -> Tensor<Broadcasted<SA, SB>, O>
where
    A: TensorOperand<Shape = SA>,
    B: TensorOperand<Shape = SB>,
    SA: Shape + Broadcast<SB>,
    SB: Shape,
    O: Element,
{
    let f = ordered2(f);
    let closure = of_two::sequential::<A::Element, B::Element, O, _>(&f);
    zip2(closure.function(), a.read_for::<O>(), b.read_for::<O>())
}

#[doc = doc_zip_with3!()]
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// ```
/// use tensor_core::{Float, tensor, zip_with3};
///
/// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let (weight, bias) = (tensor![0.5, 2.0], tensor![-1.0, 0.0]);
/// let y = zip_with3(&x, &weight, &bias, |x, w, b| f64::relu(x * w + b));
/// assert_eq!(y, tensor![[0.0, 4.0], [0.5, 8.0]]);
/// ```
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn zip_with3<A, B, C, SA, SB, SC, O>(
    a: A,
    b: B,
    c: C,
    f: impl Fn(A::Element, B::Element, C::Element) -> O,
) -> Tensor<<SC as ElementWise3<SA, SB>>::Output, O>
where
    A: TensorOperand<Shape = SA>,
    B: TensorOperand<Shape = SB>,
    C: TensorOperand<Shape = SC>,
    SA: Shape,
    SB: Shape,
    SC: ElementWise3<SA, SB>,
    O: Element,
{
    let f = ordered3(f);
    let closure = of_three::sequential::<A::Element, B::Element, C::Element, O, _>(&f);
    zip3(closure.function(), a.read_for::<O>(), b.read_for::<O>(), c.read_for::<O>())
}

#[doc = doc_zip_with4!()]
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// ```
/// use tensor_core::{tensor, zip_with4};
///
/// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let (mean, deviation, scale) = (tensor![2.0, 3.0], tensor![1.0, 2.0], tensor![[10.0], [20.0]]);
/// let y = zip_with4(&x, &mean, &deviation, &scale, |x, m, d, s| (x - m) / d * s);
/// assert_eq!(y, tensor![[-10.0, -5.0], [20.0, 10.0]]);
/// ```
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn zip_with4<A, B, C, D, SA, SB, SC, SD, O>(
    a: A,
    b: B,
    c: C,
    d: D,
    f: impl Fn(A::Element, B::Element, C::Element, D::Element) -> O,
) -> Tensor<<SD as ElementWise4<SA, SB, SC>>::Output, O>
where
    A: TensorOperand<Shape = SA>,
    B: TensorOperand<Shape = SB>,
    C: TensorOperand<Shape = SC>,
    D: TensorOperand<Shape = SD>,
    SA: Shape,
    SB: Shape,
    SC: Shape,
    SD: ElementWise4<SA, SB, SC>,
    O: Element,
{
    let (a, b, c, d) = (a.read_for::<O>(), b.read_for::<O>(), c.read_for::<O>(), d.read_for::<O>());
    let shape = result_shape!(
        <SD as ElementWise4<SA, SB, SC>>::Output,
        <SD as ElementWise4<SA, SB, SC>>::result_shape,
        (a.shape, b.shape, c.shape, d.shape)
    );
    let plan = const {
        &constant_plan(
            <<SD as ElementWise4<SA, SB, SC>>::Output as Shape>::STATIC_SIZES,
            [SA::STATIC_SIZES, SB::STATIC_SIZES, SC::STATIC_SIZES, SD::STATIC_SIZES],
        )
    };
    let [of_a, of_b, of_c, of_d] = &mut <[Sizes; 4]>::default();
    let operands = (a.erase(of_a), b.erase(of_b), c.erase(of_c), d.erase(of_d));
    let f = ordered4(f);
    let closure = of_four::sequential::<A::Element, B::Element, C::Element, D::Element, O, _>(&f);
    apply(closure.function(), shape, plan, operands)
}

/// # Functions of your own, and conversion
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_map!()]
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![1, 2, 3].map(|x| x > 1), tensor![false, true, true]);
    /// ```
    #[inline]
    pub fn map<O: Element>(&self, f: impl Fn(T) -> O) -> Tensor<S, O> {
        refuse_recorded::<O>(self);
        let f = ordered1(f);
        map(of_one::sequential::<T, O, _>(&f).function(), self.as_view())
    }

    #[doc = doc_map_assign!()]
    /// Panics: If the tensor requires [gradients](crate::autograd), as a closure has none.
    /// ```
    /// let mut x = tensor![1, 2, 3];
    /// x.map_assign(|x| x * x);
    /// assert_eq!(x, tensor![1, 4, 9]);
    /// ```
    #[inline]
    pub fn map_assign(&mut self, f: impl Fn(T) -> T) {
        refuse_recorded::<T>(self);
        let f = ordered1(f);
        map_assign(of_one::sequential::<T, T, _>(&f).function(), self)
    }

    #[doc = doc_zip_assign!()]
    /// The target keeps its shape, so `other` must stretch to it.
    /// Panics: If two operands give a named axis different sizes.
    /// ```
    /// let mut x = tensor![[1, 2], [3, 4]];
    /// x.zip_assign(&tensor![10, 20], |x, y| x.max(y - 17));
    /// assert_eq!(x, tensor![[1, 3], [3, 4]]);
    /// ```
    #[inline]
    pub fn zip_assign<B, SB>(&mut self, other: B, f: impl Fn(T, B::Element) -> T)
    where
        B: TensorOperand<Shape = SB>,
        SB: Shape + InPlace<S>,
    {
        refuse_recorded::<T>(self);
        let f = ordered2(f);
        let closure = of_two::sequential::<T, B::Element, T, _>(&f);
        zip_assign(closure.function(), self, other.read_for::<T>())
    }

    #[doc = doc_cast!()]
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![1.9, -1.9].cast::<i32>(), tensor![1, -1]);
    /// assert_eq!(tensor![true, false].cast::<f64>(), tensor![1.0, 0.0]);
    /// ```
    #[usage(x.cast::<f64>())]
    pub fn cast<U: Element>(&self) -> Tensor<S, U>
    where
        T: CastTo<U>,
    {
        Tensor::with_shape(self.axes, self.erased().cast())
    }
}
