//! Run-time choice of the instruction set.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use crate::element::Isa;

/// `work` of the available instruction set, compiled for several and chosen at run time.
///
/// What `work` calls is compiled with it only where it is inlined: closures handed to this function
/// are `#[inline(always)]`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma", "x86_64+avx2+fma"))]
pub(crate) fn with_best_isa<R>(work: impl FnOnce(Isa) -> R) -> R {
    let fma = target_cfg_f!(target_feature = "fma");
    work(if fma { Isa::FMA } else { Isa::BASELINE })
}
