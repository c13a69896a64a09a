//! One loop compiled for several instruction sets, as function pointers for the tables of operations.

/// The same function for several instruction sets; a set that does not pay repeats a smaller one.
#[derive(Clone, Copy)]
pub(crate) struct IsaFns<F> {
    baseline: F,
    avx2: F,
    avx512: F,
}

impl<F: Copy> IsaFns<F> {
    /// # Safety
    ///
    /// `avx2` may need AVX2 and FMA, `avx512` also AVX-512 F, VL, BW and DQ, and nothing else
    /// beyond the target of the build.
    pub(crate) const unsafe fn new(baseline: F, avx2: F, avx512: F) -> Self {
        Self { baseline, avx2, avx512 }
    }

    /// The same function for all machines.
    pub(crate) const fn baseline_only(baseline: F) -> Self {
        Self { baseline, avx2: baseline, avx512: baseline }
    }

    /// The function for any machine.
    #[inline]
    pub(crate) fn baseline(&self) -> F {
        self.baseline
    }

    /// The best function that this machine can run.
    #[inline]
    pub(crate) fn best(&self) -> F {
        match Isa::of_this_machine() {
            Isa::Baseline => self.baseline,
            Isa::Avx2 => self.avx2,
            Isa::Avx512 => self.avx512,
        }
    }

    /// All functions that this machine can run.
    #[cfg(test)]
    pub(crate) fn runnable(&self) -> Vec<F> {
        match Isa::of_this_machine() {
            Isa::Baseline => vec![self.baseline],
            Isa::Avx2 => vec![self.baseline, self.avx2],
            Isa::Avx512 => vec![self.baseline, self.avx2, self.avx512],
        }
    }
}

/// The instruction sets that loops are compiled for.
#[derive(Clone, Copy)]
pub(crate) enum Isa {
    Baseline,
    Avx2,
    Avx512,
}

impl Isa {
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn of_this_machine() -> Self {
        use core::sync::atomic::{AtomicU8, Ordering};

        static FOUND: AtomicU8 = AtomicU8::new(0);

        #[cold]
        fn find() -> u8 {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq");
            let found = 1 + u8::from(avx2) + u8::from(avx512);
            FOUND.store(found, Ordering::Relaxed);
            found
        }

        match FOUND.load(Ordering::Relaxed) {
            0 => match find() {
                1 => Self::Baseline,
                2 => Self::Avx2,
                _ => Self::Avx512,
            },
            1 => Self::Baseline,
            2 => Self::Avx2,
            _ => Self::Avx512,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline]
    pub(crate) fn of_this_machine() -> Self {
        Self::Baseline
    }
}

/// Compiles a generic `unsafe` function for the baseline, AVX2 and AVX-512, as a module `$name` with
/// the constants `three` and `two` that make [`IsaFns`] of it: with AVX-512 and without.
///
/// The body gets the [`Isa`](crate::element::Isa) that it is compiled with; what it
/// calls is compiled with them only where it is inlined.
macro_rules! isa_fns {
    ($(
        $(#[$doc:meta])*
        $vis:vis unsafe fn $name:ident[$($G:ident: $Bound:path),*]($isa:ident $(, $arg:ident: $Arg:ty)*) -> $R:ty as $Fn:ty
        where [$($where:tt)*] $body:block
    )*) => {$(
        $(#[$doc])*
        $vis mod $name {
            use super::*;

            #[inline(always)]
            unsafe fn body<$($G: $Bound),*>(
                $isa: $crate::element::Isa $(, $arg: $Arg)*
            ) -> $R where $($where)* $body

            unsafe fn baseline<$($G: $Bound),*>($($arg: $Arg),*) -> $R where $($where)* {
                // SAFETY: the caller keeps the contract of the function.
                unsafe { body::<$($G),*>($crate::element::Isa::BASELINE $(, $arg)*) }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            unsafe fn avx2<$($G: $Bound),*>($($arg: $Arg),*) -> $R where $($where)* {
                // SAFETY: the caller keeps the contract of the function.
                unsafe { body::<$($G),*>($crate::element::Isa::FMA $(, $arg)*) }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
            unsafe fn avx512<$($G: $Bound),*>($($arg: $Arg),*) -> $R where $($where)* {
                // SAFETY: the caller keeps the contract of the function.
                unsafe { body::<$($G),*>($crate::element::Isa::FMA $(, $arg)*) }
            }

            /// For the baseline, AVX2 and AVX-512.
            #[allow(dead_code)]
            pub(crate) const fn three<$($G: $Bound),*>() -> $crate::array::kernel::isa_fns::IsaFns<$Fn>
            where $($where)* {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the functions need what their attributes say.
                return unsafe {
                    $crate::array::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G),*>, avx2::<$($G),*>, avx512::<$($G),*>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                $crate::array::kernel::isa_fns::IsaFns::baseline_only(baseline::<$($G),*>)
            }

            /// For the baseline and AVX2.
            #[allow(dead_code)]
            pub(crate) const fn two<$($G: $Bound),*>() -> $crate::array::kernel::isa_fns::IsaFns<$Fn>
            where $($where)* {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the functions need what their attributes say.
                return unsafe {
                    $crate::array::kernel::isa_fns::IsaFns::new(
                        baseline::<$($G),*>, avx2::<$($G),*>, avx2::<$($G),*>,
                    )
                };
                #[cfg(not(target_arch = "x86_64"))]
                $crate::array::kernel::isa_fns::IsaFns::baseline_only(baseline::<$($G),*>)
            }

            /// For the baseline alone.
            #[allow(dead_code)]
            pub(crate) const fn one<$($G: $Bound),*>() -> $crate::array::kernel::isa_fns::IsaFns<$Fn>
            where $($where)* {
                $crate::array::kernel::isa_fns::IsaFns::baseline_only(baseline::<$($G),*>)
            }
        }
    )*};
}

pub(crate) use isa_fns;
