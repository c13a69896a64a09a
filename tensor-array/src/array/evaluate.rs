//! Results of kernels on arrays without shape types: compiled once for each element type.

use core::ptr::null;

use crate::array::array_ref::Source;
use crate::array::history::Backward;
use crate::array::history::parts::{Part, PartSizes, recorded_result};
use crate::array::kernel::elementwise::{Run, Splats};
use crate::array::layout::{ErasedView, Layout, is_traced, len_in_memory};
use crate::array::plan::StaticPlan;
use crate::array::storage::{Buffer, INLINE, Storage};
use crate::array::trace;
use crate::element::Element;
use crate::ops::{Kernel, Params, RawResults};

/// The value, or a panic with the error's message, located at the user's call.
#[track_caller]
pub fn unwrap_or_panic<T>(result: Result<T, impl core::fmt::Display>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// No parameters.
pub const NONE: Params = null();

/// The results of a kernel whose results have type `O`.
///
/// # Panics
///
/// If they have more than `isize::MAX` bytes.
///
/// # Safety
///
/// The operands have the element types of the kernel, and its results have type `O`. The parameters
/// are those of the kernel.
#[inline]
#[track_caller]
pub unsafe fn evaluate<O: Element, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    plan: &Option<StaticPlan<N>>,
    sizes: &[usize],
    operands: &[ErasedView<'_>; N],
) -> Storage<O>
where
    Kernel<N>: Run<N>,
{
    if len_in_memory(sizes, size_of::<O>()) <= INLINE {
        let mut results = [O::ZERO; INLINE];
        // SAFETY: `results` has room for every result; the caller promises the rest.
        unsafe { kernel.write(params, plan, sizes, operands, results.as_mut_ptr().cast()) };
        return Storage::Inline(results);
    }
    // SAFETY: as the caller promises; all results are written, and they are of type `O`.
    Storage::Heap(unsafe { Buffer::from_raw(kernel.collect(params, plan, sizes, operands)) })
}

/// The results of a kernel on `len` contiguous elements of each operand, or one element for a splat.
///
/// # Safety
///
/// As [`evaluate`], and each pointer is valid for `len` elements, or for one if it is a splat.
#[inline]
pub(crate) unsafe fn evaluate_contiguous<O: Element, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
) -> Storage<O>
where
    Kernel<N>: Run<N>,
{
    if len <= INLINE {
        let mut results = [O::ZERO; INLINE];
        let out = results.as_mut_ptr().cast();
        // SAFETY: `results` has room for every result; the caller promises the rest.
        unsafe { kernel.write_contiguous(params, firsts, splats, len, out) };
        return Storage::Inline(results);
    }
    // SAFETY: as the caller promises; all results are written, and they are of type `O`.
    Storage::Heap(unsafe {
        Buffer::from_raw(kernel.collect_contiguous(params, firsts, splats, len))
    })
}

/// The results of a kernel on every element.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub unsafe fn map_erased<T: Element, O: Element>(
    kernel: &Kernel<1>,
    params: Params,
    x: ErasedView<'_, T>,
) -> Storage<O> {
    // SAFETY: as the caller promises; a contiguous operand has the elements of its sizes.
    unsafe {
        match x.as_slice() {
            Some(elements) => {
                let first = elements.as_ptr().cast();
                evaluate_contiguous(kernel, params, [first], Splats::NONE, elements.len())
            }
            None => evaluate(kernel, params, &None, x.sizes, &[x.untyped()]),
        }
    }
}

/// The results of a kernel on every element, tracked if the operand is: compiled once for each element type.
///
/// # Safety
///
/// As [`evaluate`]; the operand has these sizes, and the kernel has no parameters.
#[inline(never)]
#[track_caller]
pub unsafe fn call_view<T: Element, O: Element>(
    kernel: &'static Kernel<1>,
    rule: Option<&'static dyn Backward>,
    sizes: &[usize],
    x: &Source<'_, T>,
) -> (Storage<O>, Layout) {
    if is_traced(x.layout()) {
        // SAFETY: as the caller promises.
        return unsafe {
            with_storage(trace::row_step(kernel, T::ELEMENT_TYPE, rule, sizes, [x.part(sizes)]))
        };
    }
    // SAFETY: as the caller promises.
    let storage: Storage<O> = unsafe { map_erased(kernel, NONE, x.with_sizes(sizes)) };
    let layout = recorded_parts(rule, sizes, &storage, &[x.part(sizes)]);
    (storage, layout)
}

/// The storage and the layout of results.
///
/// # Safety
///
/// The results are of type `O`.
pub unsafe fn with_storage<O: Element>((results, layout): RawResults) -> (Storage<O>, Layout) {
    // SAFETY: as the caller promises.
    (Storage::Heap(unsafe { Buffer::from_raw(results) }), layout)
}

/// The layout of a result, with a history if an operand is tracked.
pub fn recorded_parts<O: Element>(
    rule: Option<&'static dyn Backward>,
    sizes: &[usize],
    result: &Storage<O>,
    operands: &[Part<'_>],
) -> Layout {
    match rule {
        Some(rule) if operands.iter().any(Part::is_recorded) => {
            recorded_result(PartSizes::Known(sizes), result, rule.into(), &operands)
        }
        _ => Layout::ROW_MAJOR,
    }
}

/// The elements in row-major order.
#[track_caller]
pub fn copy_to_vec<T: Element>(x: ErasedView<'_, T>) -> Vec<T> {
    if let Some(elements) = x.as_slice() {
        return elements.to_vec();
    }
    let len = len_in_memory(x.sizes, size_of::<T>());
    let mut elements = Vec::<T>::with_capacity(len);
    // SAFETY: `copy` has room for the `len` elements of this size that the kernel writes.
    unsafe {
        T::COPY.write(NONE, &None, x.sizes, &[x.untyped()], elements.as_mut_ptr().cast());
        elements.set_len(len);
    }
    elements
}

/// The results of a kernel on two operands, tracked if one of them is: compiled once for each element type.
///
/// # Panics
///
/// If the results have more than `isize::MAX` bytes.
///
/// # Safety
///
/// The operands have the element types of the kernel, whose results are of type `O`, and these sizes;
/// `sizes` is their broadcast. The kernel has no parameters.
#[inline(never)]
#[track_caller]
pub unsafe fn call_views<T: Element, O: Element>(
    kernel: &'static Kernel<2>,
    rule: Option<&'static dyn Backward>,
    plan: &Option<StaticPlan<2>>,
    [sizes, of_a, of_b]: [&[usize]; 3],
    a: &Source<'_, T>,
    b: &Source<'_, T>,
) -> (Storage<O>, Layout) {
    if is_traced(a.layout()) || is_traced(b.layout()) {
        let parts = [a.part(of_a), b.part(of_b)];
        // SAFETY: as the caller promises.
        return unsafe {
            with_storage(trace::row_step(kernel, T::ELEMENT_TYPE, rule, sizes, parts))
        };
    }
    let operands = &[a.with_sizes(of_a).untyped(), b.with_sizes(of_b).untyped()];
    // SAFETY: as the caller promises.
    let storage = unsafe { evaluate(kernel, NONE, plan, sizes, operands) };
    let layout = recorded_parts(rule, sizes, &storage, &[a.part(of_a), b.part(of_b)]);
    (storage, layout)
}

/// [`call_view`] with a scalar as the operand number `operand_number`.
///
/// # Safety
///
/// As [`evaluate`]; the operand has these sizes, and the kernel has no parameters.
#[inline(never)]
#[track_caller]
pub unsafe fn call_with_scalar<T: Element, O: Element>(
    kernel: &'static Kernel<2>,
    rule: Option<&'static dyn Backward>,
    sizes: &[usize],
    x: &Source<'_, T>,
    scalar: &T,
    operand_number: usize,
) -> (Storage<O>, Layout) {
    let of_scalar = Part { sizes: PartSizes::Known(&[]), layout: None, elements: scalar };
    let mut parts = [of_scalar; 2];
    parts[1 - operand_number] = x.part(sizes);
    if is_traced(x.layout()) {
        // SAFETY: as the caller promises.
        return unsafe {
            with_storage(trace::row_step(kernel, T::ELEMENT_TYPE, rule, sizes, parts))
        };
    }
    // SAFETY: as the caller promises.
    let storage: Storage<O> =
        unsafe { with_scalar_erased(kernel, x.with_sizes(sizes), scalar, operand_number) };
    let layout = recorded_parts(rule, sizes, &storage, &parts);
    (storage, layout)
}

/// The results of a kernel on every element and a scalar, which is operand number `operand_number`.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn with_scalar_erased<T: Element, O: Element>(
    kernel: &Kernel<2>,
    x: ErasedView<'_, T>,
    scalar: &T,
    operand_number: usize,
) -> Storage<O> {
    let of_scalar = core::ptr::from_ref(scalar).cast();
    match x.as_slice() {
        Some(elements) => {
            let mut firsts = [of_scalar; 2];
            firsts[1 - operand_number] = elements.as_ptr().cast();
            // SAFETY: as the caller promises.
            unsafe {
                evaluate_contiguous(
                    kernel,
                    NONE,
                    firsts,
                    Splats::only(operand_number),
                    elements.len(),
                )
            }
        }
        None => {
            let mut operands = [ErasedView::contiguous(&[], of_scalar, 1); 2];
            operands[1 - operand_number] = x.untyped();
            // SAFETY: as the caller promises.
            unsafe { evaluate(kernel, NONE, &None, x.sizes, &operands) }
        }
    }
}
