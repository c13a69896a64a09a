//! Cache prefetching.

#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};

/// Prefetches bytes that will soon be read or written. The hardware does not predict strided
/// accesses by itself.
#[inline(always)]
pub(super) fn prefetch(first: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    prefetch_lines::<_MM_HINT_T0>(first, bytes);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, bytes);
}

/// Prefetches bytes into the L2 cache, for data that is read after the L1 cache was filled with other data.
#[inline(always)]
pub(super) fn prefetch_l2(first: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    prefetch_lines::<_MM_HINT_T1>(first, bytes);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, bytes);
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_lines<const HINT: i32>(first: *const u8, bytes: usize) {
    for offset in (0..bytes).step_by(64) {
        // SAFETY: every processor of this architecture has the instruction; it has no effect but on the
        // cache, whatever the address.
        unsafe { _mm_prefetch::<HINT>(first.wrapping_add(offset).cast()) }
    }
}
