//! Operands that are contiguous or splats: they need no plan.

use core::ptr::null;

use super::{Call, run_large};
use crate::arrays;
use crate::kernel::parallel;
use crate::layout::ErasedView;
use crate::ops::{Block, Kernel, Params};
use crate::plan::{Loop, Loops};

/// A bit mask of the operands that are splats, one element repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splats(u8);

impl Splats {
    /// No operand.
    pub const NONE: Self = Self(0);

    /// The mask with operand `k` alone.
    pub const fn only(k: usize) -> Self {
        Self(1 << k)
    }

    /// The mask with operand `k`, too.
    pub(super) const fn and(self, k: usize) -> Self {
        Self(self.0 | 1 << k)
    }

    pub(super) const fn contains(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }
}

/// [`Run::write_contiguous`](super::Run::write_contiguous), inlined: for functions that take the operands in
/// registers.
///
/// # Safety
///
/// The same.
#[inline(always)]
pub(crate) unsafe fn write_contiguous<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
    out: *mut u8,
) {
    let bytes = len.saturating_mul(kernel.result_bytes);
    if parallel::is_parallel(bytes) {
        // SAFETY: as the caller promises.
        return unsafe { write_large(kernel, params, firsts, splats, len, out) };
    }
    if let Some(contiguous) = &kernel.contiguous
        && len >= contiguous.vector
        && splats.0 & !contiguous.splats == 0
        && (N != 2 || splats.0 != 0b11)
        && let Some(run) = contiguous.loops.best()
    {
        let first = |k: usize| if k < N { firsts[k] } else { null() };
        // SAFETY: as the caller promises, for at least one vector, and splats that the loops take.
        return unsafe { run(out, len, first(0), first(1), first(2), splats.0) };
    }
    let mut block = Block::new(out, [1, 1, len]);
    for (k, operand) in block.operands.iter_mut().enumerate() {
        (operand.first, operand.is_splat) = (firsts[k], splats.contains(k));
    }
    // SAFETY: as the caller promises.
    unsafe { kernel.inner()(kernel, params, &block) }
}

/// [`write_contiguous`] for large results: on several threads, and past the caches if that pays. A separate
/// function, so that small operands do not pay for its stack frame.
///
/// # Safety
///
/// As [`write_contiguous`].
#[cold]
#[inline(never)]
unsafe fn write_large<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
    out: *mut u8,
) {
    let strides = arrays::from_fn(|k| isize::from(!splats.contains(k)));
    let loops = Loops::of_single(Loop { size: len, strides });
    let operands = arrays::from_fn(|k| {
        let len = if splats.contains(k) { 1 } else { len };
        // SAFETY: as the caller promises.
        unsafe { ErasedView::contiguous(&[], firsts[k], len) }
    });
    // SAFETY: as the caller promises.
    unsafe { run_large(&Call::new(kernel, params, &operands), &loops, out) }
}
