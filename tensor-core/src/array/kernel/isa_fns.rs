//! Loops compiled for several instruction sets, as function pointers for the tables of operations.

use crate::element::{Element, Isa};
pub(crate) use crate::ops::IsaFns;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// Which instruction sets pay for loops over elements of this type.
pub(crate) trait LoopTargets {
    /// Whether AVX-512 does: for floats.
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

/// Compiles a generic `unsafe` function for the baseline, AVX2 and AVX-512, as a module of its name whose
/// constructors make [`IsaFns`] of it.
///
/// The body gets the [`Isa`] that it is compiled with; what it calls is compiled with it only where it
/// is inlined. Constants among the generic parameters come last, behind a semicolon.
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
            /// As the type of the function says.
            #[inline(always)]
            unsafe fn body<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $isa: $crate::element::Isa $(, $arg: $Arg)*
            ) $(-> $R)? $body

            /// # Safety
            ///
            /// As the type of the function says.
            unsafe fn baseline<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $($arg: $Arg),*
            ) $(-> $R)? {
                // SAFETY: as the caller promises.
                unsafe { body::<$($G,)* $($C)?>($crate::element::Isa::BASELINE $(, $arg)*) }
            }

            /// # Safety
            ///
            /// As the type of the function says, and the machine has AVX2 and FMA.
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
            /// As the type of the function says, and the machine has AVX2, FMA and AVX-512 F, VL, BW
            /// and DQ.
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
            unsafe fn avx512<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
                $($arg: $Arg),*
            ) $(-> $R)? {
                // SAFETY: as the caller promises.
                unsafe { body::<$($G,)* $($C)?>($crate::element::Isa::FMA $(, $arg)*) }
            }

            /// For the baseline, AVX2 and AVX-512.
            #[allow(dead_code, reason = "a function for fewer")]
            pub(crate) const fn all<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::array::kernel::isa_fns::IsaFns<$Fn> {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the functions need what their attributes say.
                return unsafe {
                    $crate::array::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                        avx512::<$($G,)* $($C)?>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                baseline_only::<$($G,)* $($C)?>()
            }

            /// For the baseline and AVX2.
            #[allow(dead_code, reason = "a function for more, or fewer")]
            pub(crate) const fn up_to_avx2<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::array::kernel::isa_fns::IsaFns<$Fn> {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the functions need what their attributes say.
                return unsafe {
                    $crate::array::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                        avx2::<$($G,)* $($C)?>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                baseline_only::<$($G,)* $($C)?>()
            }

            /// For the baseline alone.
            #[allow(dead_code, reason = "a function for more")]
            pub(crate) const fn baseline_only<$($G $(: $Bound)?,)* $(const $C: $CType)?>(
            ) -> $crate::array::kernel::isa_fns::IsaFns<$Fn> {
                $crate::array::kernel::isa_fns::IsaFns::baseline_only(
                    baseline::<$($G,)* $($C)?>,
                )
            }
        }
    )*};
}

pub(crate) use isa_fns;

isa_fns! {
    /// Runs a closure.
    unsafe fn run[R, W: FnOnce(Isa) -> R](isa, work: W) -> R as unsafe fn(W) -> R {
        work(isa)
    }
}

/// [`with_best_isa`] for moves of elements of type `T`: AVX-512 pays where they are at least as large as an `f32`.
#[inline]
pub(crate) fn move_with_best_isa<T, R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const {
        if size_of::<T>() >= size_of::<f32>() {
            run::all::<R, W>()
        } else {
            run::up_to_avx2::<R, W>()
        }
    }
    .best();
    // SAFETY: nothing is asked of the caller but the machine.
    unsafe { run(work) }
}

/// [`with_best_isa`] for computations with elements of type `T`: for floats alone.
#[inline]
pub(crate) fn compute_with_best_isa<T: Element, R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const { if T::IS_FLOAT { run::all::<R, W>() } else { run::baseline_only::<R, W>() } }
        .best();
    // SAFETY: nothing is asked of the caller but the machine.
    unsafe { run(work) }
}

/// `work` with the best instruction set of this machine.
///
/// What `work` calls is compiled with it only where it is inlined: closures handed to this function
/// are `#[inline(always)]`.
#[inline]
pub(crate) fn with_best_isa<R, W: FnOnce(Isa) -> R>(work: W) -> R {
    let run = const { run::all::<R, W>() }.best();
    // SAFETY: nothing is asked of the caller but the machine.
    unsafe { run(work) }
}
