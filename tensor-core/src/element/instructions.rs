//! What the processor offers beyond the basic operations.

/// What the processor has that the functions of this module make use of.
///
/// A value, which the kernel hands to them: a constant in each version of a loop, so that nothing is
/// left of it where the loop runs.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions {
    /// Whether `a * b + c` is one instruction, which rounds once.
    fused: bool,
}

impl Instructions {
    /// With fused multiply-adds. Only for code that is compiled with them: elsewhere each one is a
    /// slow call.
    pub(crate) const FUSED: Self = Self { fused: true };

    /// Without fused multiply-adds.
    pub(crate) const PLAIN: Self = Self { fused: false };

    /// What all code of this build may use. ARM has fused multiply-adds always.
    pub(crate) const OF_THE_BUILD: Self =
        if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
            Self::FUSED
        } else {
            Self::PLAIN
        };

    /// What either of two has.
    #[inline(always)]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self { fused: self.fused | other.fused }
    }
}
