//! Operations on arrays of static sizes, compiled once for each element type.
//!
//! `&a + &b` in a user's crate compiles to a call of one of these functions: arguments and results of
//! [`call_unary`] and [`call_binary`] are in registers, and everything that depends on the shapes is a constant.
//! Results are tracked if an operand is.

use std::sync::Arc;

use crate::array_ref::ArrayRef;
use crate::element::{Element, Number};
use crate::evaluate::{NONE, call, call_into, call_views, call_with_scalar};
use crate::instances::instances;
use crate::kernel::elementwise::{Run, Splats, collect_contiguous, write_contiguous};
use crate::layout::graph::{RowCall, Run as StepRun, recorded, traced};
use crate::layout::{ErasedView, Layout, is_contiguous, is_traced, num_elements};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::{ElementwiseCall, Kernel, ProductCall, RawResults};
use crate::sizes::Sizes;
use crate::storage::{Buffer, Storage};

/// `[..s] → [..s]`: what a kernel without parameters computes of every element.
///
/// # Safety
///
/// The kernel takes elements of type `T`; if it is a row, it gives such, or masks. The operand has these sizes.
#[inline(never)]
#[track_caller]
pub unsafe fn call_unary<T: Element>(
    kernel: &'static Kernel<1>,
    sizes: &[usize],
    x: ArrayRef<'_, T>,
) -> RawResults {
    if let Some(storage) = x.row_major() {
        let elements = &storage.as_slice()[..num_elements(sizes)];
        let firsts = [elements.as_ptr().cast()];
        // SAFETY: as the caller promises; these are the elements of the operand.
        let results =
            unsafe { collect_contiguous(kernel, NONE, firsts, Splats::NONE, elements.len()) };
        return (results, Layout::ROW_MAJOR);
    }
    // SAFETY: as the caller promises.
    unsafe { call(kernel, &ElementwiseCall::new(sizes, [sizes]), [x]) }
}

/// The results of a binary kernel without parameters, `[..l], [..r] → [..(l ⊕ r)]`.
///
/// # Safety
///
/// As [`call_unary`], for the sizes of the call.
#[inline(never)]
#[track_caller]
pub unsafe fn call_binary<T: Element>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
) -> RawResults {
    if let (Some(len), Some(x), Some(y)) = (call.contiguous, a.row_major(), b.row_major()) {
        let firsts = [x.as_slice()[..len].as_ptr().cast(), y.as_slice()[..len].as_ptr().cast()];
        // SAFETY: as the caller promises; both have `len` elements.
        let results = unsafe { collect_contiguous(kernel, NONE, firsts, Splats::NONE, len) };
        return (results, Layout::ROW_MAJOR);
    }
    // SAFETY: as the caller promises.
    unsafe { call_binary_outlined(kernel, call, a, b) }
}

/// [`call`] that takes the operands in registers, so that [`call_binary`] needs no stack frame.
///
/// # Safety
///
/// The same.
#[inline(never)]
#[track_caller]
unsafe fn call_binary_outlined<T: Element>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
) -> RawResults {
    // SAFETY: as the caller promises.
    unsafe { self::call(kernel, call, [a, b]) }
}

/// [`call_binary`] that writes the results, of the type of the kernel, from `out` on: for what tiny tensors rarely
/// are, such as views.
///
/// # Safety
///
/// As [`call_binary`], and there is room for the results.
#[cold]
#[inline(never)]
#[track_caller]
pub unsafe fn call_binary_into<T: Element>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
    out: *mut u8,
) -> Layout {
    // SAFETY: as the caller promises.
    unsafe { call_into(kernel, call, [a, b], out) }
}

/// What a kernel without parameters computes of every pair of elements, in place of the elements of the first operand,
/// whose layout and storage are given.
///
/// # Safety
///
/// As [`call_binary`], and the results have the sizes of the first operand.
#[inline(never)]
#[track_caller]
pub unsafe fn call_assign<T: Element>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    b: ArrayRef<'_, T>,
) {
    // SAFETY: as the caller promises.
    unsafe { assign_at::<T, 0>(kernel, call, layout, storage, b) }
}

/// [`call_assign`] in place of the elements of the second operand.
///
/// # Safety
///
/// As [`call_assign`], but the results have the sizes of the second operand.
#[inline(never)]
#[track_caller]
pub unsafe fn call_assign_second<T: Element>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    a: ArrayRef<'_, T>,
) {
    // SAFETY: as the caller promises.
    unsafe { assign_at::<T, 1>(kernel, call, layout, storage, a) }
}

/// [`call_assign`] in place of the elements of operand number `TARGET`, 0 or 1.
///
/// # Safety
///
/// As that of the function for this operand.
#[inline(always)]
#[track_caller]
unsafe fn assign_at<T: Element, const TARGET: usize>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    operand: ArrayRef<'_, T>,
) {
    match operand.storage() {
        Ok(other) => {
            if let (Some(len), true, None) = (call.contiguous, layout.is_none(), operand.layout())
                && let Some(elements) = storage.get_mut()
            {
                let out = elements[..len].as_mut_ptr();
                let mut firsts = [other.as_slice()[..len].as_ptr().cast(); 2];
                firsts[TARGET] = out.cast_const().cast();
                // SAFETY: as the caller promises; both have `len` elements, and the results overwrite the target.
                return unsafe {
                    write_contiguous(kernel, NONE, firsts, Splats::NONE, len, out.cast());
                };
            }
        }
        Err(scalar) => {
            if layout.is_none()
                && let Some(elements) = storage.get_mut()
            {
                let len = num_elements(call.sizes);
                let out = elements[..len].as_mut_ptr();
                let mut firsts = [core::ptr::from_ref(scalar).cast(); 2];
                firsts[TARGET] = out.cast_const().cast();
                let splats = Splats::only(1 - TARGET);
                // SAFETY: as the caller promises; the target has `len` elements, which the results overwrite.
                return unsafe {
                    write_contiguous(kernel, NONE, firsts, splats, len, out.cast());
                };
            }
        }
    }
    // SAFETY: as the caller promises.
    unsafe { assign_outlined::<T, TARGET>(kernel, call, layout, storage, operand) }
}

/// [`assign_at`] for operands that differ in sizes, are strided, shared or tracked. A separate function, so
/// that other operands do not pay for its stack frame.
///
/// # Safety
///
/// The same.
#[inline(never)]
#[track_caller]
unsafe fn assign_outlined<T: Element, const TARGET: usize>(
    kernel: &'static Kernel<2>,
    call: &ElementwiseCall<'_, 2>,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    operand: ArrayRef<'_, T>,
) {
    if layout.is_none()
        && !operand.is_recorded()
        && let Some(elements) = storage.get_mut()
    {
        let len = num_elements(call.sizes);
        let out = elements[..len].as_mut_ptr();
        let mut operands = [operand.with_sizes(call.operands[1 - TARGET]).untyped(); 2];
        // SAFETY: these are the elements of the target, which the kernel alone writes.
        operands[TARGET] =
            unsafe { ErasedView::contiguous(call.sizes, out.cast_const().cast(), len) };
        // SAFETY: as the caller promises; the results overwrite the target, which is contiguous, and whose memory no
        // other array owns.
        return unsafe { kernel.write(NONE, &call.plan, call.sizes, &operands, out.cast()) };
    }
    let mut operands = [operand; 2];
    operands[TARGET] = ArrayRef::new(layout.as_deref(), storage);
    // SAFETY: as the caller promises; results that are assigned have the type of the target.
    let results = unsafe { call_views(kernel, call, operands) };
    (*storage, *layout) = results;
}

/// [`call_with_scalar`] in place of the elements of the array, whose layout and storage are given.
///
/// # Safety
///
/// As [`call_with_scalar`], with results of type `T`.
#[inline(never)]
#[track_caller]
pub unsafe fn assign_with_scalar<T: Element>(
    kernel: &'static Kernel<2>,
    sizes: &[usize],
    (layout, storage): (&mut Layout, &mut Storage<T>),
    scalar: &T,
    operand_number: usize,
) {
    // SAFETY: as the caller promises.
    unsafe {
        if !layout.is_none() {
            let x = ArrayRef::new(layout.as_deref(), storage);
            (*storage, *layout) = call_with_scalar(kernel, sizes, x, scalar, operand_number);
        } else if operand_number == 1 {
            let call = ElementwiseCall::new(sizes, [sizes, &[]]);
            call_assign(kernel, &call, layout, storage, ArrayRef::scalar(scalar));
        } else {
            let call = ElementwiseCall::new(sizes, [&[], sizes]);
            call_assign_second(kernel, &call, layout, storage, ArrayRef::scalar(scalar));
        }
    }
}

/// The product of two arrays of rank 1 or more, whose sizes were found to match, tracked if one of them is.
///
/// # Panics
///
/// If the result does not fit into memory.
#[doc(hidden)]
#[track_caller]
pub fn call_product<T: Number>(
    call: &ProductCall<'_>,
    left: ArrayRef<'_, T>,
    right: ArrayRef<'_, T>,
) -> (Storage<T>, Layout) {
    if let Some(product) = T::autocast_product(call, left, right) {
        return product;
    }
    let [of_left, of_right] = call.operands;
    let parts = || [left.part(of_left), right.part(of_right)];
    if is_traced(left.layout()) || is_traced(right.layout()) {
        let of_result = Sizes::from_slice(call.sizes);
        let run: StepRun = Arc::new(move |operands| {
            let (of_left, of_right) = (operands[0].sizes.get(), operands[1].sizes.get());
            let (left, right) = (operands[0].array::<T>(), operands[1].array::<T>());
            let (left, right) = (left.with_sizes(&of_left), right.with_sizes(&of_right));
            Box::new(T::matmul_strided(&of_result, left, right))
        });
        let layout = traced(&RowCall::Product, T::NUMBER, call.sizes, &parts(), run);
        return (Storage::Heap(Buffer::from_slice(&[])), layout);
    }
    let storage = match call.mkn {
        Some(mkn) if is_contiguous(left.layout()) && is_contiguous(right.layout()) => {
            T::matmul_contiguous(mkn, left.elements(), right.elements())
        }
        _ => T::matmul_strided(call.sizes, left.with_sizes(of_left), right.with_sizes(of_right)),
    };
    let mut layout = Layout::ROW_MAJOR;
    if left.is_recorded() || right.is_recorded() {
        layout = recorded(&RowCall::Product, call.sizes, &storage, &parts());
    }
    (storage, layout)
}

/// The product of two arrays of rank 1 or more, whose sizes were found to match, where it has more elements than a
/// value holds.
#[inline(never)]
#[track_caller]
pub fn call_matmul<T: Number>(
    call: &ProductCall<'_>,
    left: ArrayRef<'_, T>,
    right: ArrayRef<'_, T>,
) -> RawResults {
    match call_product(call, left, right) {
        (Storage::Heap(results), layout) => (results.into_raw(), layout),
        _ => unreachable!("there are more results than a value holds"),
    }
}

macro_rules! static_calls {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        instances!(
            call_unary::<$T>, call_binary::<$T>, call_binary_into::<$T>, call_assign::<$T>, call_assign_second::<$T>,
        );
        $(#[$cfg])*
        static_calls!(@$class $T);
    )*};
    (@boolean $T:ident) => {};
    (@$class:ident $T:ident) => { instances!(call_matmul::<$T>); };
}

for_each_element!(static_calls);

instances!(
    assign_with_scalar::<f32>,
    assign_with_scalar::<f64>,
    assign_with_scalar::<i64>,
    assign_with_scalar::<bool>,
);
