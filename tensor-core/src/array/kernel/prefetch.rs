//! Prefetching.

/// Prefetches bytes that will soon be read or written. Where they are strided, the processor does not
/// see by itself which come next.
#[inline(always)]
pub(super) fn prefetch(first: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for offset in (0..bytes).step_by(64) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has the instruction; it changes nothing but the cache,
        // whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(offset).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (first, bytes);
}
