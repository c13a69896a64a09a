//! Functions compiled for several instruction sets, as function pointers for the tables of operations.

use crate::element::{Element, Isa};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
pub(crate) use crate::ops::{BASELINE_IS_RARE, IsaFns};

/// Whether a loop for this instruction set is used only on machines without AVX2.
#[inline(always)]
pub(crate) fn is_rare(isa: Isa) -> bool {
    BASELINE_IS_RARE && isa == Isa::NO_FMA
}

/// The instruction sets that pay for loops over elements of this type.
pub(crate) trait LoopTargets {
    /// Whether AVX-512 pays: for floats.
    const AVX512: bool;
}

macro_rules! loop_targets {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $(
            $(#[$cfg])*
            impl LoopTargets for $T {
                const AVX512: bool = loop_targets!(@$class);
            }
        )*
    };
    (@float) => { true };
    (@$other:ident) => { false };
}

for_each_element!(loop_targets);

/// Compiles a generic `unsafe` function for the baseline, AVX2 and AVX-512, in a module of its name whose
/// constructors make [`IsaFns`] of it.
///
/// The body receives the [`Isa`] that it is compiled for; functions it calls are compiled for it only if they
/// are inlined. Constants among the generic parameters come last, after a semicolon.
macro_rules! isa_fns {
    ($(
        $(#[$doc:meta])*
        $vis:vis unsafe fn $name:ident[
            $($G:ident $(: $Bound:path)?),* $(; const $C:ident: $CType:ty)?
        ]($isa:ident $(, $arg:ident: $Arg:ty)*) $(-> $R:ty)? as $Fn:ty $body:block
    )*) => {$(
        $(#[$doc])*
        $vis mod $name {
            use super::*;

            /// # Safety
            ///
            /// As the function type requires.
            #[inline(always)]
            unsafe fn body<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $isa: $crate::element::Isa $(, $arg: $Arg)*
            ) $(-> $R)? $body

            /// # Safety
            ///
            /// As the function type requires.
            unsafe fn baseline<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $($arg: $Arg),*
            ) $(-> $R)? {
                // SAFETY: as the caller promises.
                unsafe { body::<$($G,)* $($C)?>($crate::element::Isa::BASELINE $(, $arg)*) }
            }

            /// # Safety
            ///
            /// As the function type requires, and AVX2 and FMA are available.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $($arg: $Arg),*
            ) $(-> $R)? {
                // SAFETY: as the caller promises.
                unsafe { body::<$($G,)* $($C)?>($crate::element::Isa::FMA $(, $arg)*) }
            }

            /// # Safety
            ///
            /// As the function type requires, and AVX2, FMA and AVX-512 F, VL, BW and DQ are
            /// available.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
            unsafe fn avx512<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $($arg: $Arg),*
            ) $(-> $R)? {
                // SAFETY: as the caller promises.
                unsafe { body::<$($G,)* $($C)?>($crate::element::Isa::FMA $(, $arg)*) }
            }

            /// The function for the baseline, AVX2 and AVX-512.
            #[allow(dead_code, reason = "a function for fewer")]
            pub(crate) const fn all<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::kernel::isa_fns::IsaFns<$Fn> {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: beyond its type, each function needs only the features of its attribute.
                return unsafe {
                    $crate::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                        avx512::<$($G,)* $($C)?>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                baseline_only::<$($G,)* $($C)?>()
            }

            /// The function for the baseline and AVX2.
            #[allow(dead_code, reason = "a function for more, or fewer")]
            pub(crate) const fn up_to_avx2<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::kernel::isa_fns::IsaFns<$Fn> {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: beyond its type, each function needs only the features of its attribute.
                return unsafe {
                    $crate::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                baseline_only::<$($G,)* $($C)?>()
            }

            /// The function for the baseline alone.
            #[allow(dead_code, reason = "a function for more")]
            pub(crate) const fn baseline_only<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::kernel::isa_fns::IsaFns<$Fn> {
                $crate::kernel::isa_fns::IsaFns::baseline_only(
                    baseline::<$($G,)* $($C)?>,
                )
            }
        }
    )*};
}

pub(crate) use isa_fns;

isa_fns! {
    /// Calls a closure.
    unsafe fn run[R, W: FnOnce(Isa) -> R](isa, work: W) -> R as unsafe fn(W) -> R {
        work(isa)
    }
}

/// [`with_best_isa`] where AVX-512 does not pay, as for moves.
#[inline]
pub(crate) fn with_avx2<R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const { run::up_to_avx2::<R, W>() }.best();
    // SAFETY: `run` has no requirements beyond the instruction set, which is available.
    unsafe { run(work) }
}

/// [`with_best_isa`] for computations with elements of type `T`: AVX-512 pays for floats alone.
#[inline]
pub(crate) fn compute_with_best_isa<T: Element, R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const { if T::IS_FLOAT { run::all::<R, W>() } else { run::baseline_only::<R, W>() } }
        .best();
    // SAFETY: `run` has no requirements beyond the instruction set, which is available.
    unsafe { run(work) }
}

/// Calls `work` with the best available instruction set.
///
/// Functions that `work` calls are compiled for it only if they are inlined: closures passed to this function
/// are `#[inline(always)]`.
#[inline]
pub fn with_best_isa<R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const { run::all::<R, W>() }.best();
    // SAFETY: `run` has no requirements beyond the instruction set, which is available.
    unsafe { run(work) }
}
