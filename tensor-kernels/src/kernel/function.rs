//! Element-wise kernels with their parameters and the types of their operands and results, which are safe to run: kernels
//! trust no sizes and strides, and the types fit.

use core::marker::PhantomData;

use super::elementwise::{Run, Splats};
use super::typed::Typed;
use crate::array_ref::ArrayRef;
use crate::element::operation::{BinaryOp, UnaryOp};
use crate::element::{Element, Number};
use crate::evaluate::{NONE, call_views, call_with_scalar, evaluate};
use crate::layout::{ErasedView, Layout, num_elements};
use crate::ops::{CastKernel, ElementwiseCall, Kernel, Params};
use crate::storage::Storage;

/// A row of the table on `N` operands of type `T`, with results of type `O`.
pub type Row<T, O, const N: usize> = Typed<&'static Kernel<N>, T, O>;

impl<T: Element, O: Element> Row<T, O, 1> {
    /// The row of a unary operation.
    #[inline]
    pub const fn unary<Op: UnaryOp<T, Output = O>>() -> Self {
        // SAFETY: the kernel is that of the row, as the trait promises.
        unsafe { Self::new(Op::KERNEL) }
    }
}

impl<T: Element, O: Element> Row<T, O, 2> {
    /// The row of a binary operation.
    #[inline]
    pub const fn binary<Op: BinaryOp<T, Output = O>>() -> Self {
        // SAFETY: the kernel is that of the row, as the trait promises.
        unsafe { Self::new(Op::KERNEL) }
    }

    /// [`Row::call`] of an array of these sizes and a scalar, which is operand number `operand_number`.
    #[inline]
    #[track_caller]
    pub fn call_with_scalar(
        self,
        sizes: &[usize],
        x: ArrayRef<'_, T>,
        scalar: &T,
        operand_number: usize,
    ) -> (Storage<O>, Layout) {
        // SAFETY: the kernel is that of a row on these types, and the operands have these sizes.
        unsafe { call_with_scalar(self.get(), sizes, x, scalar, operand_number) }
    }
}

impl<T: Element, O: Element, const N: usize> Row<T, O, N>
where
    Kernel<N>: Run<N>,
{
    /// The results, of these sizes, of operands that broadcast to them and have the sizes `of`; tracked if an operand is.
    ///
    /// # Panics
    ///
    /// If the results have more than `isize::MAX` bytes.
    #[inline]
    #[track_caller]
    pub fn call(
        self,
        sizes: &[usize],
        of: [&[usize]; N],
        operands: [ArrayRef<'_, T>; N],
    ) -> (Storage<O>, Layout) {
        // SAFETY: the kernel is that of a row on these types, and the call has these sizes.
        unsafe { call_views(self.get(), &ElementwiseCall::new(sizes, of), operands) }
    }
}

/// A kernel of `N` operands, whose types are those of the tuple `X`, with results of type `O`.
pub struct Function<'a, X, O, const N: usize> {
    kernel: &'a Kernel<N>,
    params: Params,
    types: PhantomData<(&'a (), fn(X) -> O)>,
}

/// The types of the operands of a function, as a tuple.
pub trait Operands<const N: usize> {
    /// The operands.
    type Views<'v>;

    /// The operands without their types.
    fn untyped(views: Self::Views<'_>) -> [ErasedView<'_>; N];
}

macro_rules! operands {
    ($($n:literal: $($T:ident $x:ident),+;)+) => {$(
        impl<$($T: Element),+> Operands<$n> for ($($T,)+) {
            type Views<'v> = ($(ErasedView<'v, $T>,)+);

            #[inline(always)]
            fn untyped(($($x,)+): Self::Views<'_>) -> [ErasedView<'_>; $n] {
                [$($x.untyped()),+]
            }
        }
    )+};
}

operands! {
    1: A a;
    2: A a, B b;
    3: A a, B b, C c;
    4: A a, B b, C c, D d;
}

impl<X, O, const N: usize> Clone for Function<'_, X, O, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<X, O, const N: usize> Copy for Function<'_, X, O, N> {}

impl<'a, X, O, const N: usize> Function<'a, X, O, N> {
    /// # Safety
    ///
    /// The kernel reads elements of the types `X` and writes results of type `O`. The parameters are those of the kernel,
    /// and valid for `'a`.
    #[inline]
    pub unsafe fn new(kernel: &'a Kernel<N>, params: Params) -> Self {
        Self { kernel, params, types: PhantomData }
    }
}

impl<'a, X, O, const N: usize> Function<'a, X, O, N> {
    /// The kernel and its parameters.
    #[inline]
    pub fn untyped(&self) -> (&'a Kernel<N>, Params) {
        (self.kernel, self.params)
    }
}

impl<X: Operands<N>, O: Element, const N: usize> Function<'_, X, O, N>
where
    Kernel<N>: Run<N>,
{
    /// The results, of these sizes, of operands that broadcast to them.
    ///
    /// # Panics
    ///
    /// If they have more than `isize::MAX` bytes, or an operand does not broadcast to them.
    #[inline]
    #[track_caller]
    pub fn evaluate(self, sizes: &[usize], operands: X::Views<'_>) -> Storage<O> {
        // SAFETY: the kernel has these types and parameters.
        unsafe { evaluate(self.kernel, self.params, &None, sizes, &X::untyped(operands)) }
    }
}

impl<T: Element, O: Element> Function<'_, (T,), O, 1> {
    /// The results for all elements.
    #[inline]
    #[track_caller]
    pub fn map(self, x: ErasedView<'_, T>) -> Storage<O> {
        self.evaluate(x.sizes, (x,))
    }
}

impl<T: Element> Function<'_, (T,), T, 1> {
    /// Replaces each element by its result.
    #[inline]
    pub fn replace_all(self, elements: &mut [T]) {
        let (first, len) = (elements.as_mut_ptr(), elements.len());
        let firsts = [first.cast_const().cast()];
        // SAFETY: the kernel has these types and parameters; the results overwrite the elements.
        unsafe {
            self.kernel.write_contiguous(self.params, firsts, Splats::NONE, len, first.cast());
        }
    }
}

impl<T: Element, B: Element> Function<'_, (T, B), T, 2> {
    /// Replaces each element, in row-major order of these sizes, by the result for it and the element of `other` that
    /// broadcasts to it.
    ///
    /// # Panics
    ///
    /// If there are fewer elements, or `other` does not broadcast to the sizes.
    #[inline]
    #[track_caller]
    pub fn replace(self, sizes: &[usize], elements: &mut [T], other: ErasedView<'_, B>) {
        let elements = &mut elements[..num_elements(sizes)];
        let (out, len) = (elements.as_mut_ptr(), elements.len());
        // SAFETY: these are the elements, which the kernel alone writes.
        let target = unsafe { ErasedView::contiguous(sizes, out.cast_const().cast(), len) };
        let operands = [target, other.untyped()];
        // SAFETY: the kernel has these types and parameters; the target is contiguous, and the results overwrite it.
        unsafe { self.kernel.write(self.params, &None, sizes, &operands, out.cast()) };
    }
}

/// A copy of the elements.
#[inline]
pub fn copy<T: Element>() -> Function<'static, (T,), T, 1> {
    // SAFETY: the kernel copies elements of this size.
    unsafe { Function::new(T::COPY, NONE) }
}

/// The elements as another type.
#[inline]
pub fn cast<T: Element + CastKernel<U>, U: Element>() -> Function<'static, (T,), U, 1> {
    // SAFETY: the kernel converts elements of type `T` to type `U`.
    unsafe { Function::new(T::CAST, NONE) }
}

/// The elements of the second operand where the first one is true, of the third elsewhere.
#[inline]
pub fn select<T: Element>() -> Function<'static, (bool, T, T), T, 3> {
    // SAFETY: the kernel chooses between elements of this size by a `bool`.
    unsafe { Function::new(T::SELECT, NONE) }
}

/// The elements of the first operand, not below the second and not above the third.
#[inline]
pub fn clamp<T: Number>() -> Function<'static, (T, T, T), T, 3> {
    // SAFETY: the kernel is that of the operation on elements of type `T`.
    unsafe { Function::new(T::CLAMP, NONE) }
}

/// The elements raised to an integer power.
#[inline]
pub fn powi<T: Number>(power: &i32) -> Function<'_, (T,), T, 1> {
    // SAFETY: the kernel is that of the operation on elements of type `T`; its parameter is an `i32`.
    unsafe { Function::new(T::POWI, core::ptr::from_ref(power).cast()) }
}

/// The operation of a unary row, without a node of a graph.
#[inline]
pub fn unary<Op: UnaryOp<T>, T: Element>() -> Function<'static, (T,), Op::Output, 1> {
    // SAFETY: the kernel takes elements of type `T`, without parameters, as the trait promises.
    unsafe { Function::new(Op::KERNEL, NONE) }
}

/// The operation of a binary row, without a node of a graph.
#[inline]
pub fn binary<Op: BinaryOp<T>, T: Element>() -> Function<'static, (T, T), Op::Output, 2> {
    // SAFETY: the kernel takes elements of type `T`, without parameters, as the trait promises.
    unsafe { Function::new(Op::KERNEL, NONE) }
}
