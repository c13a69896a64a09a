//! Operations on arrays of static sizes: what the crate of a user calls.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use super::Kernel;
use super::array_types::{Array, Layout, Results, Source, StaticCall, StaticProduct, Ternary};

/// Operations on arrays of static sizes, recorded where an operand is: concrete functions, compiled in this
/// crate, so that the crate of a user has a call alone for each shape. Arguments and results of
/// [`call_unary`](Self::call_unary) and [`call_binary`](Self::call_binary) are in registers.
///
/// None of them is a method, so that none is ambiguous with a method of a user.
#[doc(hidden)]
pub trait StaticCalls: Sized {
    /// `[..s] → [..s]`: what a kernel without parameters computes of every element.
    ///
    /// # Safety
    ///
    /// The kernel takes elements of type `Self`; if it has a rule, it gives such. The operand has the sizes
    /// of the call.
    unsafe fn call_unary(kernel: &Kernel<1>, sizes: &[usize], x: Array<'_, Self>) -> Results;

    /// What a kernel without parameters computes of every pair of elements.
    ///
    /// # Safety
    ///
    /// As [`call_unary`](Self::call_unary).
    unsafe fn call_binary(
        kernel: &Kernel<2>,
        call: &StaticCall<2>,
        a: Array<'_, Self>,
        b: Array<'_, Self>,
    ) -> Results;

    /// [`call_binary`](Self::call_binary) that writes the results, of the type of the kernel, from `out` on: for
    /// what tiny tensors rarely are, such as views.
    ///
    /// # Safety
    ///
    /// As [`call_binary`](Self::call_binary), and there is room for the results.
    unsafe fn call_binary_into(
        kernel: &Kernel<2>,
        call: &StaticCall<2>,
        a: Array<'_, Self>,
        b: Array<'_, Self>,
        out: *mut u8,
    ) -> Layout;

    /// What a kernel without parameters computes of a mask and two operands.
    ///
    /// # Safety
    ///
    /// The kernel takes these and gives elements of type `Self`. The operands have the sizes of the call.
    unsafe fn call_masked(
        operation: &Ternary,
        call: &StaticCall<3>,
        mask: &Source<'_, bool>,
        a: &Source<'_, Self>,
        b: &Source<'_, Self>,
    ) -> Results;

    /// What a kernel without parameters computes of three operands.
    ///
    /// # Safety
    ///
    /// As [`call_masked`](Self::call_masked).
    unsafe fn call_ternary(
        operation: &Ternary,
        call: &StaticCall<3>,
        a: &Source<'_, Self>,
        b: &Source<'_, Self>,
        c: &Source<'_, Self>,
    ) -> Results;
}

/// Products of arrays of static sizes, as [`StaticCalls`].
#[doc(hidden)]
pub trait StaticProducts: Sized {
    /// The product of two arrays of rank 1 or more, whose sizes were found to match, where it has more
    /// elements than a value holds.
    fn call_matmul(call: &StaticProduct, left: Array<'_, Self>, right: Array<'_, Self>) -> Results;
}
