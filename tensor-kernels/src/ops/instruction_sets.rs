//! Functions compiled for several instruction sets, and which of them this machine runs.

#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering};

/// Whether the baseline is used only on machines without AVX2: then its code size counts for more than
/// its speed.
pub(crate) const BASELINE_IS_RARE: bool = cfg!(target_arch = "x86_64");

/// The instruction sets that loops are compiled for.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there is one"))]
pub(crate) enum InstructionSet {
    Baseline,
    Avx2,
    Avx512,
}

/// One more than the number of the instruction set of this machine; 0 before it is detected.
#[cfg(target_arch = "x86_64")]
static FOUND: AtomicU8 = AtomicU8::new(0);

/// From now on, kernels do not use AVX-512, to measure those for machines without it.
#[doc(hidden)]
pub fn without_avx512() {
    #[cfg(target_arch = "x86_64")]
    if InstructionSet::of_this_machine() == InstructionSet::Avx512 {
        FOUND.store(1 + InstructionSet::Avx2 as u8, Ordering::Relaxed);
    }
}

impl InstructionSet {
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn of_this_machine() -> Self {
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

/// The same function for each [`InstructionSet`]; one that does not pay repeats a smaller one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsaFns<F>([F; 3]);

impl<F: Copy> IsaFns<F> {
    /// # Safety
    ///
    /// `avx2` may need AVX2 and FMA, `avx512` also AVX-512 F, VL, BW and DQ, and nothing else
    /// beyond the target of the build.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there is one"))]
    pub(crate) const unsafe fn new(baseline: F, avx2: F, avx512: F) -> Self {
        Self([baseline, avx2, avx512])
    }

    /// The same without a function for machines that have the baseline alone, if these are rare.
    pub(crate) const fn where_it_pays(self) -> IsaFns<Option<F>> {
        let [baseline, avx2, avx512] = self.0;
        IsaFns([if BASELINE_IS_RARE { None } else { Some(baseline) }, Some(avx2), Some(avx512)])
    }

    /// The same with another function for machines that have the baseline alone.
    pub(crate) const fn with_baseline(self, baseline: Self) -> Self {
        Self([baseline.0[0], self.0[1], self.0[2]])
    }

    /// The same function for all machines.
    pub(crate) const fn baseline_only(baseline: F) -> Self {
        Self([baseline; 3])
    }

    /// The function for any machine.
    #[inline]
    pub(crate) fn baseline(&self) -> F {
        self.0[InstructionSet::Baseline as usize]
    }

    /// The best function that this machine can run.
    #[inline]
    pub(crate) fn best(&self) -> F {
        self.0[InstructionSet::of_this_machine() as usize]
    }

    /// All functions that this machine can run.
    #[cfg(test)]
    pub(crate) fn runnable(&self) -> &[F] {
        &self.0[..=InstructionSet::of_this_machine() as usize]
    }
}
