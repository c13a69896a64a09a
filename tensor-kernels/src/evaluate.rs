//! Results of kernels on arrays without shape types: compiled once for each element type.

use core::any::TypeId;
use core::ptr::null;
use std::sync::Arc;

use crate::array_ref::ArrayRef;
use crate::arrays;
use crate::element::Element;
use crate::instances::instances;
use crate::kernel::elementwise::Run;
use crate::layout::graph::{Part, RowCall, Run as StepRun, recorded, traced};
use crate::layout::{ErasedView, Layout, is_traced, len_in_memory, num_elements};
use crate::ops::{ElementwiseCall, Kernel, Params, RawResults};
use crate::plan::StaticPlan;
use crate::sizes::Sizes;
use crate::storage::{Buffer, INLINE, RawBuffer, Storage};

/// The value, or a panic with the error's message, located at the user's call.
#[inline]
#[track_caller]
pub fn unwrap_or_panic<T>(result: Result<T, impl core::fmt::Display>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic_with(&error),
    }
}

/// Compiled once: panicking with an error is part of operations on any shape.
#[cold]
#[inline(never)]
#[track_caller]
fn panic_with(error: &dyn core::fmt::Display) -> ! {
    panic!("{error}")
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
    // SAFETY: as the caller promises.
    unsafe { evaluate(kernel, params, &None, x.sizes, &[x.untyped()]) }
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

/// The operation of a kernel that is a row of the table, and whether its results are masks. Other results have the type of
/// the operands, or in kernels that are shared by types with the same bits, another type with these bits.
fn operation<const N: usize>(kernel: &Kernel<N>) -> Option<(RowCall<'static>, bool)> {
    let recording = kernel.recording.as_ref()?;
    Some((RowCall::Elementwise(recording.row?), recording.result == TypeId::of::<bool>()))
}

/// A step that is a row of the table on elements of type `T`: the layout of its result, and memory without elements.
///
/// # Safety
///
/// The kernel takes elements of type `T` and no parameters.
#[cold]
#[inline(never)]
#[track_caller]
unsafe fn step<T: Element, const N: usize>(
    kernel: &'static Kernel<N>,
    sizes: &[usize],
    operands: [Part<'_>; N],
) -> RawResults
where
    Kernel<N>: Run<N>,
{
    let (operation, is_mask) = operation(kernel).expect("a row of the table");
    // SAFETY: as the caller promises; results are masks or have the type of the operands.
    unsafe {
        if is_mask {
            step_of::<T, bool, N>(kernel, operation, sizes, operands)
        } else {
            step_of::<T, T, N>(kernel, operation, sizes, operands)
        }
    }
}

/// [`step`] with results of type `O`.
///
/// # Safety
///
/// As [`step`], and the results have type `O`.
#[track_caller]
unsafe fn step_of<T: Element, O: Element, const N: usize>(
    kernel: &'static Kernel<N>,
    operation: RowCall<'_>,
    sizes: &[usize],
    operands: [Part<'_>; N],
) -> RawResults
where
    Kernel<N>: Run<N>,
{
    let of_result = Sizes::from_slice(sizes);
    let run: StepRun = Arc::new(move |operands| {
        let of: [Sizes; N] = arrays::from_fn(|k| operands[k].sizes.get());
        let views = arrays::from_fn(|k| operands[k].array::<T>().with_sizes(&of[k]).untyped());
        // SAFETY: as the caller promises.
        let results = unsafe { kernel.collect(NONE, &None, &of_result, &views) };
        // SAFETY: the results have type `O`.
        Box::new(Storage::<O>::Heap(unsafe { Buffer::from_raw(results) }))
    });
    let layout = traced(&operation, O::NUMBER, sizes, &operands, run);
    (Buffer::<O>::from_slice(&[]).into_raw(), layout)
}

/// The elements in row-major order.
#[inline(never)]
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

impl<'a, const N: usize> ElementwiseCall<'a, N> {
    /// The operands with their sizes, for kernels.
    #[inline(always)]
    pub(crate) fn views<T: Element>(&self, operands: [ArrayRef<'a, T>; N]) -> [ErasedView<'a>; N] {
        arrays::from_fn(|k| operands[k].with_sizes(self.operands[k]).untyped())
    }
}

/// The operands of a call without their element type.
fn parts<'a, T: Element, const N: usize>(
    call: &ElementwiseCall<'a, N>,
    operands: [ArrayRef<'a, T>; N],
) -> [Part<'a>; N] {
    arrays::from_fn(|k| operands[k].part(call.operands[k]))
}

/// What a kernel computes of operands, in memory of its own, tracked if one of them is.
///
/// # Safety
///
/// As [`call_views`], but for the type of the results.
#[inline(never)]
#[track_caller]
pub(crate) unsafe fn call<T: Element, const N: usize>(
    kernel: &'static Kernel<N>,
    call: &ElementwiseCall<'_, N>,
    operands: [ArrayRef<'_, T>; N],
) -> RawResults
where
    Kernel<N>: Run<N>,
{
    if operands.iter().any(|operand| is_traced(operand.layout())) {
        // SAFETY: as the caller promises.
        return unsafe { step::<T, N>(kernel, call.sizes, parts(call, operands)) };
    }
    let views = call.views(operands);
    // SAFETY: as the caller promises.
    let results = unsafe { kernel.collect(NONE, &call.plan, call.sizes, &views) };
    if operands.iter().any(|operand| operand.is_recorded()) {
        // SAFETY: as the caller promises.
        return unsafe { recorded_row(results, kernel, call, operands) };
    }
    (results, Layout::ROW_MAJOR)
}

/// The results with their node, unless they are masks, which are constants. A separate function, so that untracked
/// results do not pay for it.
///
/// # Safety
///
/// The results are those of the kernel, which takes elements of type `T`.
#[cold]
#[inline(never)]
unsafe fn recorded_row<T: Element, const N: usize>(
    results: RawBuffer,
    kernel: &Kernel<N>,
    call: &ElementwiseCall<'_, N>,
    operands: [ArrayRef<'_, T>; N],
) -> RawResults {
    let Some((operation, false)) = operation(kernel) else { return (results, Layout::ROW_MAJOR) };
    // SAFETY: results that are no masks have the type of the operands.
    let storage = Storage::Heap(unsafe { Buffer::<T>::from_raw(results) });
    let layout = recorded(&operation, call.sizes, &storage, &parts(call, operands));
    let Storage::Heap(results) = storage else { unreachable!("it was right before") };
    (results.into_raw(), layout)
}

/// [`call`] that writes the results from `out` on, unless an operand is traced.
///
/// # Safety
///
/// As [`call`], and there is room for the results, which are at most [`INLINE`].
#[inline(never)]
#[track_caller]
pub(crate) unsafe fn call_into<T: Element, const N: usize>(
    kernel: &'static Kernel<N>,
    call: &ElementwiseCall<'_, N>,
    operands: [ArrayRef<'_, T>; N],
    out: *mut u8,
) -> Layout
where
    Kernel<N>: Run<N>,
{
    let len = num_elements(call.sizes);
    if operands.iter().any(|operand| is_traced(operand.layout())) {
        // SAFETY: as the caller promises.
        return unsafe { self::call(kernel, call, operands) }.1;
    }
    let views = call.views(operands);
    // SAFETY: as the caller promises.
    unsafe { kernel.write(NONE, &call.plan, call.sizes, &views, out) };
    if operands.iter().any(|operand| operand.is_recorded())
        && let Some((operation, false)) = operation(kernel)
    {
        let mut results = [T::ZERO; INLINE];
        // SAFETY: the kernel wrote `len` results at `out`; they are of type `T`, because they are no masks.
        let written = unsafe { core::slice::from_raw_parts(out.cast(), len) };
        results[..len].copy_from_slice(written);
        let storage = Storage::Inline(results);
        return recorded(&operation, call.sizes, &storage, &parts(call, operands));
    }
    Layout::ROW_MAJOR
}

/// What a kernel without parameters computes of operands that broadcast, tracked if one of them is.
///
/// # Panics
///
/// If the results have more than `isize::MAX` bytes.
///
/// # Safety
///
/// The operands have the element types of the kernel, whose results are of type `O`, and of type `T` if it is a row of
/// the table without masks as results; the operands and the results have the sizes of the call.
#[inline(never)]
#[track_caller]
pub unsafe fn call_views<T: Element, O: Element, const N: usize>(
    kernel: &'static Kernel<N>,
    call: &ElementwiseCall<'_, N>,
    operands: [ArrayRef<'_, T>; N],
) -> (Storage<O>, Layout)
where
    Kernel<N>: Run<N>,
{
    // SAFETY: as the caller promises; `results` has room for results that are as few.
    unsafe {
        if len_in_memory(call.sizes, size_of::<O>()) <= INLINE {
            let mut results = [O::ZERO; INLINE];
            let layout = call_into(kernel, call, operands, results.as_mut_ptr().cast());
            return (Storage::Inline(results), layout);
        }
        with_storage(self::call(kernel, call, operands))
    }
}

/// [`call_views`] of an array of these sizes and a scalar, which is operand number `operand_number`.
///
/// # Safety
///
/// The same.
#[inline(never)]
#[track_caller]
pub unsafe fn call_with_scalar<T: Element, O: Element>(
    kernel: &'static Kernel<2>,
    sizes: &[usize],
    x: ArrayRef<'_, T>,
    scalar: &T,
    operand_number: usize,
) -> (Storage<O>, Layout) {
    let (mut operands, mut of) = ([ArrayRef::scalar(scalar); 2], [&[][..]; 2]);
    (operands[1 - operand_number], of[1 - operand_number]) = (x, sizes);
    // SAFETY: as the caller promises.
    unsafe { call_views(kernel, &ElementwiseCall::new(sizes, of), operands) }
}

instances!(copy_to_vec::<f32>, copy_to_vec::<f64>, copy_to_vec::<i64>, copy_to_vec::<bool>);
