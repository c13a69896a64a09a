//! The caller's own element-wise operations, on two to four operands that broadcast.

use super::apply::{assign, map, map_assign, zip2, zip3, zip4};
use super::collect::{InOrder, Shared};
use crate::element::{CastTo, Element};
use crate::shape::Shape;
use crate::shape::broadcast::{Changed, ElementWise, ElementWise3, ElementWise4, InPlace};
use crate::tensor::Tensor;

/// Any element-wise operation on two operands: `[..l], [..r] → [..(l ⊕ r)]`, in one pass.
///
/// # Panics
///
/// When a named axis has two sizes.
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
    zip2(a.view(), b.view(), InOrder(f))
}

/// Any element-wise operation on three operands, in one pass.
///
/// # Panics
///
/// When a named axis has two sizes.
///
/// ```
/// use tensor_core::{Float, tensor, zip_with3};
///
/// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let (weight, bias) = (tensor![0.5, 2.0], tensor![-1.0, 0.0]);
/// let y = zip_with3(&x, &weight, &bias, |x, w, b| f64::relu(x * w + b));
/// assert_eq!(y, tensor![[0.0, 4.0], [0.5, 8.0]]);
/// ```
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
    zip3(a.view(), b.view(), c.view(), InOrder(f))
}

/// Any element-wise operation on four operands, in one pass.
///
/// # Panics
///
/// When a named axis has two sizes.
///
/// ```
/// use tensor_core::{tensor, zip_with4};
///
/// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let (mean, deviation, scale) = (tensor![2.0, 3.0], tensor![1.0, 2.0], tensor![[10.0], [20.0]]);
/// let y = zip_with4(&x, &mean, &deviation, &scale, |x, m, d, s| (x - m) / d * s);
/// assert_eq!(y, tensor![[-10.0, -5.0], [20.0, 10.0]]);
/// ```
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
    zip4(a.view(), b.view(), c.view(), d.view(), InOrder(f))
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// `f` of every element: `[..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1, 2, 3].map(|x| x > 1), tensor![false, true, true]);
    /// ```
    #[inline]
    pub fn map<O: Element>(&self, f: impl Fn(T) -> O) -> Tensor<S, O> {
        map(self.view(), InOrder(f))
    }

    /// Replaces every element by `f` of it.
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
        map_assign(self, InOrder(f));
    }

    /// Replaces every element by `f` of it and the element of `other` that broadcasts to it.
    ///
    /// The target keeps its shape, so `other` must stretch to it.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
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
        Changed<R, S>: Sized,
        B: Element,
    {
        assign(self, other.view(), InOrder(f));
    }

    /// The elements as another type, as Rust's `as` converts them.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![1.9, -1.9].cast::<i32>(), tensor![1, -1]);
    /// assert_eq!(tensor![true, false].cast::<f64>(), tensor![1.0, 0.0]);
    /// ```
    pub fn cast<U: Element>(&self) -> Tensor<S, U>
    where
        <T as CastTo<U>>::Checked: Sized,
        T: CastTo<U>,
    {
        map(self.view(), Shared(T::cast_to))
    }
}
