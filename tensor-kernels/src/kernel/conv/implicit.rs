//! Convolution as an implicit GEMM: the windows are read from the image, not stored.
//!
//! ```text
//! forward.rs             the forward convolution, tile by tile
//! microkernel.rs           8 channels of the results by 3 vectors of positions, their sums in registers
//! depthwise.rs             single channels: rows of the image, each loaded once for all rows of the window
//! weights.rs             the gradient with respect to the weights
//! weight_microkernel.rs    8 channels of the results by 3 elements of the windows
//! offset_table.rs        which elements of the image a vector of positions reads: offsets and masks
//! image.rs               the image in place, or its elements in the order of the positions
//! ```
//!
//! For floats on AVX-512. A result is summed in the order of its weights, wherever it is in a tile, so that
//! its bits do not depend on threads. If all images together have few window positions, [`conv`](super) uses
//! another algorithm, whose bits may differ.

use core::mem::MaybeUninit;

use super::GemmElement;
use crate::layout::ErasedView;
use crate::ops::InstructionSet;
use crate::sizes::windows::{Convolution, WindowAxis};

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

/// Windows of more elements than this are left to other algorithms.
const MOST_TAPS: usize = 1024;

/// How many times as long as rows an image may be, so that masks for each row take little time compared with the products.
const MOST_ROWS: usize = 8;

/// Whether rows are fast even if they are short, because the micro-kernels read several in a vector: on machines that
/// support implicit GEMMs, if most lanes are positions.
pub(super) fn has_dense_vectors(axes: &[WindowAxis]) -> bool {
    let taps = axes.iter().map(|axis| axis.window).fold(1, usize::saturating_mul);
    let longest = axes.iter().map(|axis| axis.positions).max().unwrap_or_default();
    // Positions are numbered with the pitch of the image, or of its phases.
    let pitch = |axis: &WindowAxis| axis.size.div_ceil(axis.stride).max(axis.positions);
    let share: f64 =
        axes[1..].iter().map(|axis| axis.positions as f64 / pitch(axis) as f64).product();
    InstructionSet::of_this_machine() == InstructionSet::Avx512
        && taps <= MOST_TAPS
        && axes.iter().all(|axis| axis.spread == 1)
        && longest / MOST_ROWS <= axes[axes.len() - 1].positions
        && share >= 0.5
}

/// An element type whose convolutions may be computed as implicit GEMMs.
pub(super) trait ImplicitGemm: GemmElement {
    /// Whether any machine supports them for this type.
    const IS_IMPLICIT: bool = false;

    /// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`; `false`
    /// if the type, the machine or the sizes do not support it.
    fn convolve_implicit(
        _plan: &Convolution,
        _input: ErasedView<'_, Self>,
        _weights: &[Self],
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }

    /// Writes the gradient of the weights, given that of the results in row-major order; `false` if the
    /// type, the machine or the sizes do not support it.
    fn weights_implicit(
        _plan: &Convolution,
        _input: ErasedView<'_, Self>,
        _gradient: &[Self],
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }
}

impl ImplicitGemm for u32 {}
impl ImplicitGemm for u64 {}

macro_rules! implicit_gemm {
    ($($T:ident)*) => {$(
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
    )*};
}

implicit_gemm!(f32 f64);
