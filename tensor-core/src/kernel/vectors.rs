//! Loops in the instruction set of the machine that they run on.

use multiversion::multiversion;

/// `work()`, compiled for several instruction sets, the best of this machine chosen as it runs.
///
/// What `work` calls is compiled with it only where it is inlined: closures handed to this function
/// are `#[inline(always)]`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2", "x86_64+avx2"))]
pub(crate) fn in_vectors<R>(work: impl FnOnce() -> R) -> R {
    work()
}
