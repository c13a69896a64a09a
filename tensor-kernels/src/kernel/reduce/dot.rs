//! Inner products of two slices.

use core::mem::MaybeUninit;

use super::ReduceKernel;
use super::contiguous::{BLOCK, fold_slice};
use super::loops::{ErasedAccumulator, LoopElement, ReduceLoops, Widening};
use super::lowered::Lowered;
use super::ops::{DotProduct, SumOf};
use super::pairwise::{FEW, reduce_blocks};
use crate::kernel::isa_fns::{IsaFns, isa_fns};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::products::DotSlices;

/// Writes `Σ a b` for two blocks.
///
/// # Safety
///
/// There are from 1 to [`BLOCK`] initialised elements of the function's type on either side, and
/// aligned memory for a sum.
type DotFn = unsafe fn(*const u8, *const u8, usize, *mut u8);

/// The kernel of inner products.
#[derive(Clone, Copy)]
struct DotKernel {
    /// The loops of sums.
    sum: ReduceLoops,
    dot: IsaFns<DotFn>,
    widening: Option<&'static Widening>,
}

isa_fns! {
    /// [`DotFn`]
    unsafe fn dot[T: LoopElement](_isa, a: *const u8, b: *const u8, len: usize, sum: *mut u8) as DotFn {
        // SAFETY: there are `len` elements on either side, as the caller promises.
        let (a, b) = unsafe {
            (
                core::slice::from_raw_parts(a.cast::<T>(), len),
                core::slice::from_raw_parts(b.cast::<T>(), len),
            )
        };
        // SAFETY: there is room for a sum, as the caller promises.
        unsafe { sum.cast::<T>().write(fold_slice(SumOf(DotProduct), a, b)) }
    }
}

impl DotKernel {
    const fn new<T: Lowered>() -> Self {
        Self {
            sum: ReduceKernel::sum::<T>().get().loops,
            dot: dot::up_to_avx2::<T::Loop>(),
            widening: T::WIDENING,
        }
    }

    /// `Σ a b`, as an accumulator of sums.
    ///
    /// # Safety
    ///
    /// There are `len` initialised elements of the kernel on either side, at least one.
    unsafe fn dot(&self, a: *const u8, b: *const u8, len: usize) -> ErasedAccumulator {
        let size = self.sum.element;
        // SAFETY: the elements are initialised, have no padding, and are not written.
        let [a, b] = [a, b].map(|side| unsafe { core::slice::from_raw_parts(side, len * size) });
        let function = if len < FEW { self.dot.baseline() } else { self.dot.best() };
        let of_block = |start: usize, len: usize| {
            let [a, b] = [a, b].map(|side| side[start * size..].as_ptr());
            let mut sum = ErasedAccumulator::UNINIT;
            // SAFETY: the block is within both sides, and there is room for its sum.
            unsafe {
                match self.widening {
                    None => function(a, b, len, sum.as_mut_ptr()),
                    Some(widening) => dot_widened(widening, function, [a, b], len, &mut sum),
                }
            }
            sum
        };
        // SAFETY: the accumulators are sums.
        unsafe { reduce_blocks(&self.sum, len, &of_block) }
    }
}

/// The inner product of blocks that are widened first.
///
/// # Safety
///
/// There are from 1 to [`BLOCK`] initialised elements on either side, and the function is for `f32`.
#[inline(never)]
unsafe fn dot_widened(
    widening: &Widening,
    function: DotFn,
    sides: [*const u8; 2],
    len: usize,
    sum: &mut ErasedAccumulator,
) {
    assert!(len <= BLOCK, "a block");
    let mut buffers = [[const { MaybeUninit::<f32>::uninit() }; BLOCK]; 2];
    let [a, b] = buffers.each_mut().map(|buffer| buffer.as_mut_ptr().cast::<f32>());
    // SAFETY: the buffers have room for the elements of both sides, which are written here.
    unsafe {
        (widening.widen.best())(sides[0], len, a);
        (widening.widen.best())(sides[1], len, b);
        function(a.cast(), b.cast(), len, sum.as_mut_ptr());
    }
}

macro_rules! dot_slices {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* dot_slices!(@$class $T); )*
    };
    (@boolean $T:ident) => {};
    (@$number:ident $T:ident) => {
        impl DotSlices for $T {
            #[inline(never)]
            fn dot_slices(a: &[Self], b: &[Self]) -> Self {
                static KERNEL: DotKernel = DotKernel::new::<$T>();
                assert!(a.len() == b.len() && !a.is_empty(), "slices of one length");
                // SAFETY: there are `len` elements on either side; sums have the type of the
                // loops for these elements.
                unsafe {
                    let sum = KERNEL.dot(a.as_ptr().cast(), b.as_ptr().cast(), a.len());
                    <$T>::lower(sum.as_ptr().cast::<<$T as Lowered>::Loop>().read())
                }
            }
        }
    };
}

for_each_element!(dot_slices);
