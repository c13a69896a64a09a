//! Loops in the instruction set of the machine that they run on.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::element::Instructions;

/// `work` of what the machine has, compiled for several instruction sets, the best of this machine chosen as it runs.
///
/// What `work` calls is compiled with it only where it is inlined: closures handed to this function
/// are `#[inline(always)]`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma", "x86_64+avx2+fma"))]
pub(crate) fn in_vectors<R>(work: impl FnOnce(Instructions) -> R) -> R {
    let fused = target_cfg_f!(target_feature = "fma");
    work(if fused { Instructions::FUSED } else { Instructions::OF_THE_BUILD })
}
