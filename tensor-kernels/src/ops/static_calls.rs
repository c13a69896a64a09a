//! Operations on arrays, compiled once for each element type, which the user's crate calls.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use super::Kernel;
use crate::array_ref::ArrayRef;
use crate::layout::Layout;
use crate::plan::StaticPlan;
use crate::storage::{RawBuffer, Storage};

/// The sizes of an element-wise operation: a constant where they are static.
pub struct ElementwiseCall<'a, const N: usize> {
    /// Those of the result.
    pub sizes: &'a [usize],
    /// Those of each operand.
    pub operands: [&'a [usize]; N],
    /// The number of elements, where it is static and all have the same sizes.
    pub contiguous: Option<usize>,
    /// The plan, where sizes are static and differ.
    pub plan: Option<StaticPlan<N>>,
}

impl<'a, const N: usize> ElementwiseCall<'a, N> {
    /// The call for sizes that are known only at run time.
    #[doc(hidden)]
    #[inline(always)]
    pub fn new(sizes: &'a [usize], operands: [&'a [usize]; N]) -> Self {
        Self { sizes, operands, contiguous: None, plan: None }
    }
}

/// The sizes of a product: a constant where they are static.
pub struct ProductCall<'a> {
    /// `m`, `k` and `n`, if they are static and it is one of matrices or vectors.
    pub mkn: Option<[usize; 3]>,
    /// Those of the result.
    pub sizes: &'a [usize],
    /// The sizes of both operands.
    pub operands: [&'a [usize]; 2],
}

/// Results in newly allocated memory, and their layout: two registers.
pub type RawResults = (RawBuffer, Layout);

/// Calls a macro with the functions of [`StaticCalls`], which each element type has.
macro_rules! for_each_static_call {
    ($of:ident! $($context:tt)*) => { $of! { $($context)*;
        /// `[..s] → [..s]`: what a kernel without parameters computes of every element.
        ///
        /// # Safety
        ///
        /// The kernel takes elements of type `Self`; if it is a row, it gives such, or masks. The operand has the sizes
        /// of the call.
        unsafe fn call_unary(
            kernel: &'static Kernel<1>, sizes: &[usize], x: ArrayRef<'_, Self>,
        ) -> RawResults;

        /// The results of a binary kernel without parameters, `[..l], [..r] → [..(l ⊕ r)]`.
        ///
        /// # Safety
        ///
        /// As [`call_unary`](Self::call_unary).
        unsafe fn call_binary(
            kernel: &'static Kernel<2>, call: &ElementwiseCall<'_, 2>, a: ArrayRef<'_, Self>,
            b: ArrayRef<'_, Self>,
        ) -> RawResults;

        /// [`call_binary`](Self::call_binary) that writes the results, of the type of the kernel, from `out` on: for
        /// what tiny tensors rarely are, such as views.
        ///
        /// # Safety
        ///
        /// As [`call_binary`](Self::call_binary), and there is room for the results.
        unsafe fn call_binary_into(
            kernel: &'static Kernel<2>, call: &ElementwiseCall<'_, 2>, a: ArrayRef<'_, Self>,
            b: ArrayRef<'_, Self>, out: *mut u8,
        ) -> Layout as cold;

        /// What a kernel without parameters computes of every pair of elements, in place of the elements of the
        /// first operand, whose layout and storage are given. It is tracked if an operand is.
        ///
        /// # Safety
        ///
        /// As [`call_unary`](Self::call_unary), and the results have the sizes of the first operand.
        unsafe fn call_assign(
            kernel: &'static Kernel<2>, call: &ElementwiseCall<'_, 2>, layout: &mut Layout,
            storage: &mut Storage<Self>, b: ArrayRef<'_, Self>,
        );

        /// [`call_assign`](Self::call_assign) in place of the elements of the second operand.
        ///
        /// # Safety
        ///
        /// As `call_assign`, but the results have the sizes of the second operand.
        unsafe fn call_assign_second(
            kernel: &'static Kernel<2>, call: &ElementwiseCall<'_, 2>, layout: &mut Layout,
            storage: &mut Storage<Self>, a: ArrayRef<'_, Self>,
        );
    } };
}

pub(crate) use for_each_static_call;

/// Declares the functions.
macro_rules! declared {
    (; $(
        $(#[$doc:meta])*
        unsafe fn $call:ident($($argument:ident: $Argument:ty),* $(,)?) $(-> $Output:ty)? $(as $cold:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[track_caller]
        unsafe fn $call($($argument: $Argument),*) $(-> $Output)?;
    )*};
}

/// Operations on arrays of static sizes, tracked if an operand is: concrete functions, compiled in this
/// crate, so that the crate of a user has a call alone for each shape. Arguments and results of
/// [`call_unary`](Self::call_unary) and [`call_binary`](Self::call_binary) are in registers.
///
/// None of them is a method, so that none is ambiguous with a method of a user.
#[doc(hidden)]
pub trait StaticCalls: Sized {
    for_each_static_call!(declared!);
}

/// Products of arrays of static sizes, as [`StaticCalls`].
#[doc(hidden)]
pub trait StaticProducts: Sized {
    /// The product of two arrays of rank 1 or more, whose sizes were found to match, where it has more
    /// elements than a value holds.
    #[track_caller]
    fn call_matmul(
        call: &ProductCall<'_>,
        left: ArrayRef<'_, Self>,
        right: ArrayRef<'_, Self>,
    ) -> RawResults;
}
