//! Convolution as an implicit GEMM: the windows are read from the image, not stored.
//!
//! ```text
//! forward.rs             the convolution, tile by tile
//! microkernel.rs           8 channels of the results by 3 vectors of places, their sums in registers
//! depthwise.rs             single channels: rows of the image, each loaded once for all rows of the window
//! weights.rs             the gradient with regard to the weights
//! weight_microkernel.rs    8 channels of the results by 3 elements of the windows
//! offset_table.rs        which elements of the image a vector of places meets: offsets and masks
//! image.rs               the image as it is, or its elements in the order of the places
//! ```
//!
//! For floats on AVX-512. A result is summed in the order of its weights, wherever it is in a tile, so that
//! its bits do not depend on threads. Where all images together have few places, [`conv`](super) takes another
//! way, whose bits may be others.

use core::mem::MaybeUninit;

use super::Accumulator;
use crate::array::layout::ErasedView;
use crate::ops::elements::for_each_element;
use crate::sizes::windows::Convolution;

#[cfg(target_arch = "x86_64")]
mod depthwise;
#[cfg(target_arch = "x86_64")]
mod forward;
#[cfg(target_arch = "x86_64")]
mod image;
#[cfg(target_arch = "x86_64")]
mod microkernel;
#[cfg(target_arch = "x86_64")]
mod offset_table;
#[cfg(target_arch = "x86_64")]
mod weight_microkernel;
#[cfg(target_arch = "x86_64")]
mod weights;

/// An element type whose convolutions may be implicit products.
pub(super) trait ImplicitGemm: Accumulator {
    /// Whether they are for this type on any machine.
    const IS_IMPLICIT: bool = false;

    /// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`; `false`
    /// where it is not for this type, machine or size.
    fn convolve_implicit(
        _plan: &Convolution,
        _input: ErasedView<'_, Self>,
        _weights: &[Self],
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }

    /// Writes the gradient of the weights, with that of the results in row-major order; `false` where it is
    /// not for this type, machine or size.
    fn weights_implicit(
        _plan: &Convolution,
        _input: ErasedView<'_, Self>,
        _gradient: &[Self],
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }
}

macro_rules! implicit_gemm {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( implicit_gemm!(@$class $T); )*
    };
    (@unsigned $T:ident) => {
        impl ImplicitGemm for $T {}
    };
    (@float $T:ident) => {
        impl ImplicitGemm for $T {
            const IS_IMPLICIT: bool = cfg!(target_arch = "x86_64");

            #[cfg(target_arch = "x86_64")]
            fn convolve_implicit(
                plan: &Convolution,
                input: ErasedView<'_, Self>,
                weights: &[Self],
                results: &mut [MaybeUninit<Self>],
            ) -> bool {
                forward::convolve(plan, input, weights, results)
            }

            #[cfg(target_arch = "x86_64")]
            fn weights_implicit(
                plan: &Convolution,
                input: ErasedView<'_, Self>,
                gradient: &[Self],
                results: &mut [MaybeUninit<Self>],
            ) -> bool {
                weights::weights(plan, input, gradient, results)
            }
        }
    };
    (@$other:ident $T:ident) => {};
}

for_each_element!(implicit_gemm);
