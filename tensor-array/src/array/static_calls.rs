//! Operations on arrays of static sizes, compiled once for each element type.
//!
//! `&a + &b` in a user's crate compiles to a call of one of these functions: arguments and results are
//! in registers, and everything that depends on the shapes is a constant.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use core::ptr::null;

use crate::array::array_ref::{ArrayRef, Source};
use crate::array::evaluate::call_views;
use crate::array::history::parts::{Part, PartSizes, recorded_result};
use crate::array::history::{Backward, Recording, Rule};
use crate::array::kernel::elementwise::{Run, Splats, collect_contiguous, write_contiguous};
use crate::array::layout::{ErasedView, Layout, is_contiguous, is_traced, num_elements};
use crate::array::plan::StaticPlan;
use crate::array::storage::{Buffer, INLINE, RawBuffer, Storage};
use crate::array::trace;
use crate::element::{Element, Number};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::{
    Kernel, Params, RawResults, StaticCall, StaticCalls, StaticProduct, StaticProducts,
    for_each_static_call,
};

/// No parameters.
const NONE: Params = null();

/// The gradient rule of a kernel.
#[inline(always)]
fn rule<const N: usize>(kernel: &Kernel<N>) -> Option<&'static dyn Backward> {
    let Recording { rule, .. } = kernel.recording.as_ref()?;
    *rule
}

/// The results with their history, if the operation has a rule. A separate function, so that untracked
/// results do not pay for it.
///
/// # Safety
///
/// The results are of type `T`.
#[cold]
#[inline(never)]
unsafe fn recorded<T: Element>(
    results: RawBuffer,
    sizes: &[usize],
    rule: Option<&'static dyn Backward>,
    operands: &[Part<'_>],
) -> RawResults {
    let Some(rule) = rule else { return (results, Layout::ROW_MAJOR) };
    // SAFETY: as the caller promises.
    let storage = Storage::Heap(unsafe { Buffer::<T>::from_raw(results) });
    let layout = recorded_result(PartSizes::Known(sizes), &storage, Rule::from(rule), &operands);
    let Storage::Heap(results) = storage else { unreachable!("it was right before") };
    (results.into_raw(), layout)
}

/// [`StaticCalls::call_unary`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_unary<T: Element>(
    kernel: &'static Kernel<1>,
    sizes: &[usize],
    x: ArrayRef<'_, T>,
) -> RawResults {
    if is_traced(x.layout) {
        // SAFETY: as the caller promises.
        return unsafe {
            trace::row_step(kernel, T::ELEMENT_TYPE, rule(kernel), sizes, [x.part(sizes)])
        };
    }
    let view = x.with_sizes(sizes);
    // SAFETY: as the caller promises; a contiguous operand has the elements of its sizes.
    let results = unsafe {
        match view.as_slice() {
            Some(elements) => {
                let firsts = [elements.as_ptr().cast()];
                collect_contiguous(kernel, NONE, firsts, Splats::NONE, elements.len())
            }
            None => kernel.collect(NONE, &None, sizes, &[view.untyped()]),
        }
    };
    if x.is_recorded() {
        // SAFETY: the results are of type `T`, like those of every kernel that has a rule.
        return unsafe { recorded::<T>(results, sizes, rule(kernel), &[x.part(sizes)]) };
    }
    (results, Layout::ROW_MAJOR)
}

/// [`StaticCalls::call_binary`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_binary<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
) -> RawResults {
    // SAFETY: as the caller promises; contiguous operands have `len` elements.
    unsafe {
        match (call.contiguous, a.layout, b.layout) {
            (Some(len), None, None) => {
                let firsts = [a.first(len), b.first(len)];
                (collect_contiguous(kernel, NONE, firsts, Splats::NONE, len), Layout::ROW_MAJOR)
            }
            _ => call_binary_outlined(kernel, call, a, b),
        }
    }
}

/// [`call_binary`] for operands that differ in sizes, are strided or tracked. A separate function, so that
/// other operands do not pay for its stack frame.
///
/// # Safety
///
/// The same.
#[inline(never)]
unsafe fn call_binary_outlined<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
) -> RawResults {
    let [of_a, of_b] = call.operands;
    if is_traced(a.layout) || is_traced(b.layout) {
        let parts = [a.part(of_a), b.part(of_b)];
        // SAFETY: as the caller promises.
        return unsafe {
            trace::row_step(kernel, T::ELEMENT_TYPE, rule(kernel), call.sizes, parts)
        };
    }
    // SAFETY: as the caller promises; contiguous operands have `len` elements.
    let results = unsafe {
        match call.contiguous {
            Some(len) if is_contiguous(a.layout) && is_contiguous(b.layout) => {
                let firsts = [a.first(len), b.first(len)];
                collect_contiguous(kernel, NONE, firsts, Splats::NONE, len)
            }
            _ => {
                let operands = &[a.with_sizes(of_a).untyped(), b.with_sizes(of_b).untyped()];
                kernel.collect(NONE, &call.plan, call.sizes, operands)
            }
        }
    };
    if a.is_recorded() || b.is_recorded() {
        let parts = [a.part(of_a), b.part(of_b)];
        // SAFETY: the results are of type `T`, like those of every kernel that has a rule.
        return unsafe { recorded::<T>(results, call.sizes, rule(kernel), &parts) };
    }
    (results, Layout::ROW_MAJOR)
}

/// [`StaticCalls::call_binary_into`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_binary_into<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    a: ArrayRef<'_, T>,
    b: ArrayRef<'_, T>,
    out: *mut u8,
) -> Layout {
    if is_traced(a.layout) || is_traced(b.layout) {
        let parts = [a.part(call.operands[0]), b.part(call.operands[1])];
        // SAFETY: as the caller promises.
        let (results, layout) =
            unsafe { trace::row_step(kernel, T::ELEMENT_TYPE, rule(kernel), call.sizes, parts) };
        let bytes = call.sizes.iter().product::<usize>() * kernel.result_bytes;
        // SAFETY: there is room for the results, and the memory of the step holds one for each index of the sizes.
        unsafe { out.copy_from_nonoverlapping(results.first().as_ptr(), bytes) };
        return layout;
    }
    // SAFETY: as the caller promises; contiguous operands have `len` elements.
    unsafe {
        match call.contiguous {
            Some(len) if is_contiguous(a.layout) && is_contiguous(b.layout) => {
                let firsts = [a.first(len), b.first(len)];
                kernel.write_contiguous(NONE, firsts, Splats::NONE, len, out);
            }
            _ => {
                let [of_a, of_b] = call.operands;
                let operands = &[a.with_sizes(of_a).untyped(), b.with_sizes(of_b).untyped()];
                kernel.write(NONE, &call.plan, call.sizes, operands, out);
            }
        }
    }
    if !(a.is_recorded() || b.is_recorded()) {
        return Layout::ROW_MAJOR;
    }
    let Some(rule) = rule(kernel) else { return Layout::ROW_MAJOR };
    let mut results = [T::ZERO; INLINE];
    let len = call.sizes.iter().product::<usize>();
    // SAFETY: `out` has `len` results, which the kernel wrote; they are of type `T`, because it has a rule.
    results[..len].copy_from_slice(unsafe { core::slice::from_raw_parts(out.cast(), len) });
    let storage = Storage::Inline(results);
    let parts = [a.part(call.operands[0]), b.part(call.operands[1])];
    recorded_result(PartSizes::Known(call.sizes), &storage, Rule::from(rule), &&parts[..])
}

/// [`StaticCalls::call_assign`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_assign<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    b: ArrayRef<'_, T>,
) {
    if let (Some(len), true, None) = (call.contiguous, layout.is_none(), b.layout)
        && let Some(elements) = storage.get_mut()
    {
        let out = elements[..len].as_mut_ptr();
        let firsts = [out.cast_const().cast(), b.first(len)];
        // SAFETY: as the caller promises; both have `len` elements, and the results overwrite the first operand.
        return unsafe {
            write_contiguous(kernel, NONE, firsts, Splats::NONE, len, out.cast());
        };
    }
    // SAFETY: as the caller promises.
    unsafe { call_assign_outlined(kernel, call, layout, storage, Source::Array(b)) }
}

/// [`call_assign`] for operands that differ in sizes, are strided, shared or tracked, as
/// [`call_binary_outlined`].
///
/// # Safety
///
/// The same.
#[inline(never)]
unsafe fn call_assign_outlined<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    b: Source<'_, T>,
) {
    // SAFETY: as the caller promises.
    unsafe { T::call_assign_views(kernel, &call.plan, call.operands, layout, storage, &b) }
}

/// [`StaticCalls::call_assign_scalar`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_assign_scalar<T: Element>(
    kernel: &'static Kernel<2>,
    call: &StaticCall,
    layout: &mut Layout,
    storage: &mut Storage<T>,
    scalar: &T,
) {
    if layout.is_none()
        && let Some(elements) = storage.get_mut()
    {
        let len = num_elements(call.sizes);
        let out = elements[..len].as_mut_ptr();
        let firsts = [out.cast_const().cast(), core::ptr::from_ref(scalar).cast()];
        // SAFETY: as the caller promises; the first operand has `len` elements, which the results overwrite.
        return unsafe {
            write_contiguous(kernel, NONE, firsts, Splats::only(1), len, out.cast());
        };
    }
    // SAFETY: as the caller promises.
    unsafe { call_assign_outlined(kernel, call, layout, storage, Source::Scalar(scalar)) }
}

/// [`StaticCalls::call_assign_views`]
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn call_assign_views<T: Element>(
    kernel: &'static Kernel<2>,
    plan: &Option<StaticPlan<2>>,
    [sizes, of_b]: [&[usize]; 2],
    layout: &mut Layout,
    storage: &mut Storage<T>,
    b: &Source<'_, T>,
) {
    if layout.is_none()
        && !b.is_recorded()
        && let Some(elements) = storage.get_mut()
    {
        let len = num_elements(sizes);
        let out = elements[..len].as_mut_ptr();
        let a = ErasedView::contiguous(sizes, out.cast_const().cast(), len);
        let operands = &[a, b.with_sizes(of_b).untyped()];
        // SAFETY: as the caller promises; the results overwrite the first operand, which is contiguous, and
        // whose memory no other array owns.
        return unsafe { kernel.write(NONE, plan, sizes, operands, out.cast()) };
    }
    let a = Source::Array(ArrayRef { layout: layout.as_deref(), storage });
    // SAFETY: as the caller promises; results that are assigned have the type of the first operand.
    let results = unsafe { call_views(kernel, rule(kernel), plan, [sizes, sizes, of_b], &a, b) };
    (*storage, *layout) = results;
}

/// [`StaticProducts::call_matmul`]
#[inline(always)]
fn call_matmul<T: Number>(
    call: &StaticProduct,
    left: ArrayRef<'_, T>,
    right: ArrayRef<'_, T>,
) -> RawResults {
    if is_traced(left.layout) || is_traced(right.layout) {
        let parts = [left.part(call.operands[0]), right.part(call.operands[1])];
        return trace::matmul_step::<T>(call.rule, call.sizes, parts);
    }
    let storage = match call.mkn {
        Some(mkn) if is_contiguous(left.layout) && is_contiguous(right.layout) => {
            T::matmul_contiguous(mkn, left.storage.as_slice(), right.storage.as_slice())
        }
        _ => {
            let [of_left, of_right] = call.operands;
            T::matmul_strided(call.sizes, left.with_sizes(of_left), right.with_sizes(of_right))
        }
    };
    let Storage::Heap(results) = storage else {
        unreachable!("there are more results than a value holds");
    };
    let results = results.into_raw();
    if left.is_recorded() || right.is_recorded() {
        let parts = [left.part(call.operands[0]), right.part(call.operands[1])];
        // SAFETY: the results are of type `T`.
        return unsafe { recorded::<T>(results, call.sizes, Some(call.rule), &parts) };
    }
    (results, Layout::ROW_MAJOR)
}

/// Generates the functions for an element type, which call those above.
macro_rules! called {
    ($T:ident; $(
        $(#[$doc:meta])*
        unsafe fn $call:ident($($argument:ident: $Argument:ty),* $(,)?) $(-> $Output:ty)? $(as $cold:ident)?;
    )*) => {
        impl StaticCalls for $T {$(
            $(#[$cold])?
            #[inline(never)]
            unsafe fn $call($($argument: $Argument),*) $(-> $Output)? {
                // SAFETY: as the caller promises.
                unsafe { $call::<Self>($($argument),*) }
            }
        )*}
    };
}

/// Generates the functions for each element type.
macro_rules! static_calls {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        for_each_static_call!(called! $T);
        $(#[$cfg])*
        static_calls!(@$class $T);
    )*};
    (@boolean $T:ident) => {};
    (@$class:ident $T:ident) => {
        impl StaticProducts for $T {
            #[inline(never)]
            fn call_matmul(
                call: &StaticProduct,
                left: ArrayRef<'_, $T>,
                right: ArrayRef<'_, $T>,
            ) -> RawResults {
                call_matmul(call, left, right)
            }
        }
    };
}

for_each_element!(static_calls);
