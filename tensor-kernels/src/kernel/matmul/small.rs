//! Products of small matrices: nothing is packed, and rows have a constant length.

use core::mem::MaybeUninit;
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicBool, Ordering};

use super::GemmElement;
use super::matrix::Matrix;
#[cfg(target_arch = "x86_64")]
use crate::element::Element;
#[cfg(target_arch = "x86_64")]
use crate::ops::products::MatmulKernels;

/// The maximum size of a small product: the columns of two or four vectors.
const SMALL: usize = 8;

/// Whether a product is so small that three loops are the fastest way without AVX2.
pub const fn is_small([m, k, n]: [usize; 3]) -> bool {
    m <= SMALL && k <= SMALL && n <= SMALL
}

/// The product of [small](is_small) matrices by three loops. The rows of the right side are padded
/// with zeros to a constant length.
pub(super) fn gemm_naive<A: GemmElement>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    right: Matrix<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let mut rows = [[A::ZERO; SMALL]; SMALL];
    for (l, row) in rows[..k].iter_mut().enumerate() {
        for (j, element) in row[..n].iter_mut().enumerate() {
            *element = right.get(l, j);
        }
    }
    for (i, results) in results.chunks_exact_mut(n.max(1)).enumerate().take(m) {
        let mut sums = [A::ZERO; SMALL];
        for (l, row) in rows[..k].iter().enumerate() {
            let factor = left.get(i, l);
            for j in 0..SMALL {
                sums[j] = sums[j].add(factor.mul(row[j]));
            }
        }
        for (result, &sum) in results.iter_mut().zip(&sums) {
            result.write(sum);
        }
    }
}

/// The sizes `m`, `k` and `n` of a product, as constants.
#[cfg(target_arch = "x86_64")]
pub trait StaticMkn {
    /// The sizes.
    const MKN: [usize; 3];
}

/// Whether [`detect_fma`] has found AVX2 and FMA; `false` before the detection.
#[cfg(target_arch = "x86_64")]
static HAS_FMA: AtomicBool = AtomicBool::new(false);

/// Whether [`gemm_unrolled_fma`] is known to run on this machine: a single load, because the calls of
/// `is_x86_feature_detected!` would need a stack frame.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn has_fma() -> bool {
    HAS_FMA.load(Ordering::Relaxed)
}

/// [`has_fma`], detected on this machine.
#[cfg(target_arch = "x86_64")]
pub fn detect_fma() -> bool {
    let found =
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    HAS_FMA.store(found, Ordering::Relaxed);
    found
}

/// The product of [small](is_small) contiguous matrices by fused multiply-adds, unrolled: at most 512
/// of them, in vectors of a row. Calls `write` with the index of each element of the result and the element.
///
/// # Safety
///
/// The machine has AVX2 and FMA.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,fma")]
pub fn gemm_unrolled_fma<S: StaticMkn, T: Element + MatmulKernels>(
    left: &[T],
    right: &[T],
    mut write: impl FnMut(usize, T),
) {
    let [m, k, n] = const { S::MKN };
    let (left, right) = (&left[..m * k], &right[..k * n]);
    for i in 0..m {
        let mut sums = [T::ZERO; SMALL];
        for l in 0..k {
            for j in 0..n {
                sums[j] = T::matmul_fma(left[i * k + l], right[l * n + j], sums[j]);
            }
        }
        for (j, &sum) in sums[..n].iter().enumerate() {
            write(i * n + j, sum);
        }
    }
}
