//! The caller's own element-wise operations, on two to four operands that broadcast.

use super::dispatch::{
    NONE, combine, constant_plan, map, map_assign, result_shape, zip_assign, zip2,
};
use crate::array::kernel::closure::{of_four, of_one, of_three, of_two};
use crate::element::{CastTo, Element, Isa};
use crate::ops::CastKernel;
use crate::shape::Shape;
use crate::shape::Sizes;
use crate::shape::broadcast::{ElementWise, ElementWise3, ElementWise4, InPlace, InPlaceTarget};
use crate::tensor::Tensor;
use tensor_macros::usage;

/// Stamps out what makes a closure of elements one that also takes the instruction set. Functions that
/// know no shape: the closures, and what calls them, are the same for all shapes.
macro_rules! ordered {
    ($($name:ident($($x:ident: $T:ident),+);)+) => {$(
        pub(crate) fn $name<$($T,)+ O>(f: impl Fn($($T),+) -> O) -> impl Fn(Isa, $($T),+) -> O {
            #[inline(always)]
            move |_, $($x),+| f($($x),+)
        }
    )+};
}

ordered! {
    ordered1(a: A);
    ordered2(a: A, b: B);
    ordered3(a: A, b: B, c: C);
    ordered4(a: A, b: B, c: C, d: D);
}

/// Any element-wise operation on two operands: `[..l], [..r] → [..(l ⊕ r)]`, in one pass.
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
#[cfg_attr(doc, tensor_macros::readable_bounds)]
#[track_caller]
pub fn zip_with<SA, SB, A, B, O>(
    a: &Tensor<SA, A>,
    b: &Tensor<SB, B>,
    f: impl Fn(A, B) -> O,
) -> Tensor<<SA as ElementWise<SB>>::Output, O>
where
    <SA as ElementWise<SB>>::Output: Sized,
    SA: Shape + ElementWise<SB>,
    SB: Shape,
    A: Element,
    B: Element,
    O: Element,
{
    let f = ordered2(f);
    let (kernel, params) = of_two::sequential::<A, B, O, _>(&f);
    // SAFETY: the kernel is that of the closure, which the parameters point to.
    unsafe { zip2(&kernel, params, a.view(), b.view()) }
}

/// Any element-wise operation on three operands, in one pass:
/// `[..a], [..b], [..c] → [..(a ⊕ b ⊕ c)]`.
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
#[cfg_attr(doc, tensor_macros::readable_bounds)]
#[track_caller]
pub fn zip_with3<SA, SB, SC, A, B, C, O>(
    a: &Tensor<SA, A>,
    b: &Tensor<SB, B>,
    c: &Tensor<SC, C>,
    f: impl Fn(A, B, C) -> O,
) -> Tensor<<SA as ElementWise3<SB, SC>>::Output, O>
where
    <SA as ElementWise3<SB, SC>>::Output: Sized,
    SA: Shape + ElementWise3<SB, SC>,
    SB: Shape,
    SC: Shape,
    A: Element,
    B: Element,
    C: Element,
    O: Element,
{
    let (a, b, c) = (a.view(), b.view(), c.view());
    let shape = result_shape!(
        <SA as ElementWise3<SB, SC>>::Output,
        ElementWise3::result_shape(a.shape, b.shape, c.shape)
    );
    let plan = const {
        &constant_plan(
            <<SA as ElementWise3<SB, SC>>::Output as Shape>::STATIC_SIZES,
            [SA::STATIC_SIZES, SB::STATIC_SIZES, SC::STATIC_SIZES],
        )
    };
    let [of_a, of_b, of_c] = &mut <[Sizes; 3]>::default();
    let operands = &[a.erase(of_a).untyped(), b.erase(of_b).untyped(), c.erase(of_c).untyped()];
    let f = ordered3(f);
    let (kernel, params) = of_three::sequential::<A, B, C, O, _>(&f);
    // SAFETY: the kernel is that of the closure, which the parameters point to.
    unsafe { combine(&kernel, params, shape, plan, operands) }
}

/// Any element-wise operation on four operands, in one pass:
/// `[..a], [..b], [..c], [..d] → [..(a ⊕ b ⊕ c ⊕ d)]`.
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
#[cfg_attr(doc, tensor_macros::readable_bounds)]
#[track_caller]
pub fn zip_with4<SA, SB, SC, SD, A, B, C, D, O>(
    a: &Tensor<SA, A>,
    b: &Tensor<SB, B>,
    c: &Tensor<SC, C>,
    d: &Tensor<SD, D>,
    f: impl Fn(A, B, C, D) -> O,
) -> Tensor<<SA as ElementWise4<SB, SC, SD>>::Output, O>
where
    <SA as ElementWise4<SB, SC, SD>>::Output: Sized,
    SA: Shape + ElementWise4<SB, SC, SD>,
    SB: Shape,
    SC: Shape,
    SD: Shape,
    A: Element,
    B: Element,
    C: Element,
    D: Element,
    O: Element,
{
    let (a, b, c, d) = (a.view(), b.view(), c.view(), d.view());
    let shape = result_shape!(
        <SA as ElementWise4<SB, SC, SD>>::Output,
        ElementWise4::result_shape(a.shape, b.shape, c.shape, d.shape)
    );
    let plan = const {
        &constant_plan(
            <<SA as ElementWise4<SB, SC, SD>>::Output as Shape>::STATIC_SIZES,
            [SA::STATIC_SIZES, SB::STATIC_SIZES, SC::STATIC_SIZES, SD::STATIC_SIZES],
        )
    };
    let [of_a, of_b, of_c, of_d] = &mut <[Sizes; 4]>::default();
    let operands = &[
        a.erase(of_a).untyped(),
        b.erase(of_b).untyped(),
        c.erase(of_c).untyped(),
        d.erase(of_d).untyped(),
    ];
    let f = ordered4(f);
    let (kernel, params) = of_four::sequential::<A, B, C, D, O, _>(&f);
    // SAFETY: the kernel is that of the closure, which the parameters point to.
    unsafe { combine(&kernel, params, shape, plan, operands) }
}

/// # Functions of your own, and conversion
#[cfg_attr(doc, tensor_macros::readable_bounds)]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// `f` of every element: `[..s] → [..s]`.
    ///
    /// # Panics
    ///
    /// If the result has more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1, 2, 3].map(|x| x > 1), tensor![false, true, true]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn map<O: Element>(&self, f: impl Fn(T) -> O) -> Tensor<S, O> {
        let f = ordered1(f);
        let (kernel, params) = of_one::sequential::<T, O, _>(&f);
        // SAFETY: the kernel is that of the closure, which the parameters point to.
        unsafe { map(&kernel, params, self.view()) }
    }

    /// Replaces every element by `f` of it: `[..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let mut x = tensor![1, 2, 3];
    /// x.map_assign(|x| x * x);
    /// assert_eq!(x, tensor![1, 4, 9]);
    /// ```
    #[inline]
    pub fn map_assign(&mut self, f: impl Fn(T) -> T) {
        let f = ordered1(f);
        let (kernel, params) = of_one::sequential::<T, T, _>(&f);
        // SAFETY: the kernel is that of the closure, which the parameters point to.
        unsafe { map_assign(&kernel, params, self) }
    }

    /// Replaces every element by `f` of it and the element of `other` that broadcasts to it:
    /// `[..s], [..r] → [..s]`.
    ///
    /// The target keeps its shape, so `other` must stretch to it.
    ///
    /// # Panics
    ///
    /// If two operands give a named axis different sizes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let mut x = tensor![[1, 2], [3, 4]];
    /// x.zip_assign(&tensor![10, 20], |x, y| x.max(y - 17));
    /// assert_eq!(x, tensor![[1, 3], [3, 4]]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn zip_assign<R, B>(&mut self, other: &Tensor<R, B>, f: impl Fn(T, B) -> T)
    where
        R: Shape + InPlace<S>,
        InPlaceTarget<R, S>: Sized,
        B: Element,
    {
        let f = ordered2(f);
        let (kernel, params) = of_two::sequential::<T, B, T, _>(&f);
        // SAFETY: the kernel is that of the closure, which the parameters point to.
        unsafe { zip_assign(&kernel, params, self, other.view()) }
    }

    /// The elements as another type, as Rust's `as` converts them: `[..s] → [..s]`.
    ///
    /// # Panics
    ///
    /// If the result has more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1.9, -1.9].cast::<i32>(), tensor![1, -1]);
    /// assert_eq!(tensor![true, false].cast::<f64>(), tensor![1.0, 0.0]);
    /// ```
    #[usage(x.cast::<f64>())]
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Tensor<S, U>
    where
        <T as CastTo<U>>::Checked: Sized,
        T: CastTo<U>,
    {
        // SAFETY: the kernel converts elements of type `T` to type `U`.
        unsafe { map(<T as CastKernel<U>>::CAST, NONE, self.view()) }
    }
}
