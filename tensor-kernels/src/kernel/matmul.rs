//! Matrix products, `[m, k] × [k, n] → [m, n]`, compiled once for each element type.
//!
//! ```text
//! kernels.rs      MatmulKernels: the entry point of each element type, called from the user's crate
//! batched.rs      leading axes
//! matmul.rs       one product, by the loops for its size and element type:
//!   gemv.rs         m = 1 or n = 1
//!   gemm.rs         f32, f64 on machines with AVX-512 or AVX2, in tiles by microkernel.rs
//!   small.rs        small products: packing would take longer
//!   matrixmultiply  f32, f64 on other machines
//!   gemm_blocked    integers, by blocks of the right side that stay in the cache
//! ```

use core::mem::MaybeUninit;

use super::parallel::for_each_part_weighted;
use crate::element::Number;
use crate::layout::{ErasedView, checked_len};

mod batched;
#[cfg(target_arch = "x86_64")]
mod gemm;
mod gemv;
mod kernels;
mod matrix;
#[cfg(target_arch = "x86_64")]
mod microkernel;
#[cfg(target_arch = "x86_64")]
mod microkernel_avx2;
#[cfg(target_arch = "x86_64")]
mod microkernel_avx512;
#[cfg(target_arch = "x86_64")]
mod pack;
mod packed;
mod small;
#[cfg(target_arch = "x86_64")]
mod squares_avx512;
#[cfg(test)]
mod tests;

use gemv::{axpy_block, gemv, gemv_of_rows, is_of_few_rows};
pub(super) use kernels::widened;
pub(super) use matrix::Matrix;
#[cfg(target_arch = "x86_64")]
pub(super) use microkernel::Lanes;
#[cfg(target_arch = "x86_64")]
use microkernel_avx2::{Avx2, is_available as is_avx2_available};
#[cfg(target_arch = "x86_64")]
pub(super) use microkernel_avx512::{
    Avx512, Avx512Element, is_available as is_avx512_available, lanes_in,
};
pub(super) use packed::{PackBlock, Piece};
use small::gemm_naive;
pub use small::is_small;
#[cfg(target_arch = "x86_64")]
pub use small::{StaticMkn, detect_fma, gemm_unrolled_fma, has_fma};

/// The product of two matrices plus one row that is added to all rows of the results, which are contiguous.
pub(super) type GemmPlusRow<T> =
    fn([usize; 3], Matrix<'_, T>, Matrix<'_, T>, &[T], &mut [MaybeUninit<T>]);

/// An element type whose products are summed in the type itself.
///
/// Other types use its loops: signed integers those of unsigned ones, 16-bit floats those of `f32`.
pub(super) trait GemmElement: Number<Sum = Self> {
    /// Computes the product by [`gemm`]; `false` if the type or the machine does not support it.
    fn gemm_vectors(
        _mkn: [usize; 3],
        _left: Matrix<'_, Self>,
        _right: Matrix<'_, Self>,
        _next: Option<[Matrix<'_, Self>; 2]>,
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }

    /// The product plus a row, by [`gemm`]; `None` if the type or the machine does not support it.
    fn gemm_plus_row() -> Option<GemmPlusRow<Self>> {
        None
    }

    /// Computes the product by [`gemm`] with a right side that is packed one block at a time: see
    /// [`gemm_packed`](GemmElement::gemm_packed); `false` if the type or the machine does not support it.
    fn gemm_packed_vectors(
        _mkn: [usize; 3],
        _left: Matrix<'_, Self>,
        _pack: &PackBlock<'_, Self>,
        _room: &mut Vec<Self>,
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }

    /// Packs rows that consist of pieces by [`pack::pack_pieces`]; `false` if the type or the machine
    /// does not support it.
    fn pack_pieces_avx512(
        _elements: &[Self],
        _starts: &[usize],
        _pieces: &[Piece],
        _width: usize,
        _slots: &mut [Self],
    ) -> bool {
        false
    }

    /// Adds a product by the crate `matrixmultiply` to some of the `n` columns of the results; `false`
    /// if the type does not support it.
    fn gemm_add_matrixmultiply(
        _mkn: [usize; 3],
        _left: Matrix<'_, Self>,
        _right: Matrix<'_, Self>,
        _results: &mut [Self],
        _n_column: [usize; 2],
    ) -> bool {
        false
    }

    /// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order, on this thread. `pack` writes
    /// blocks of the right side when they are needed, into memory that `room` keeps between calls.
    ///
    /// # Panics
    ///
    /// If strides reach beyond the elements, `results` has another length, or there is nothing to sum.
    fn gemm_packed(
        mkn: [usize; 3],
        left: Matrix<'_, Self>,
        pack: &PackBlock<'_, Self>,
        room: &mut Vec<Self>,
        results: &mut [MaybeUninit<Self>],
    ) {
        if !Self::gemm_packed_vectors(mkn, left, pack, room, results) {
            packed::gemm_packed(mkn, left, pack, room, results);
        }
    }

    /// Computes the product by the crate `matrixmultiply`; `false` if the type does not support it.
    fn gemm_matrixmultiply(
        _mkn: [usize; 3],
        _left: Matrix<'_, Self>,
        _right: Matrix<'_, Self>,
        _results: &mut [MaybeUninit<Self>],
    ) -> bool {
        false
    }
}

// Their loops serve signed integers too; smaller ones are widened to 32 bits.
impl GemmElement for u32 {}
impl GemmElement for u64 {}

/// Implements [`GemmElement`] for a float type, by a function of `matrixmultiply`.
macro_rules! float_accumulators {
    ($($T:ident: $gemm:path;)*) => {$(
        impl GemmElement for $T {
            #[cfg(target_arch = "x86_64")]
            fn gemm_vectors(
                mkn: [usize; 3],
                left: Matrix<'_, Self>,
                right: Matrix<'_, Self>,
                next: Option<[Matrix<'_, Self>; 2]>,
                results: &mut [MaybeUninit<Self>],
            ) -> bool {
                if is_avx512_available() {
                    gemm::gemm::<$T, Avx512>(mkn, left, right, next, results);
                } else if is_avx2_available() {
                    gemm::gemm::<$T, Avx2>(mkn, left, right, next, results);
                } else {
                    return false;
                }
                true
            }

            #[cfg(target_arch = "x86_64")]
            fn gemm_plus_row() -> Option<GemmPlusRow<Self>> {
                if is_avx512_available() {
                    Some(gemm::gemm_plus_row::<$T, Avx512>)
                } else {
                    is_avx2_available().then_some(gemm::gemm_plus_row::<$T, Avx2>)
                }
            }

            #[cfg(target_arch = "x86_64")]
            fn gemm_packed_vectors(
                mkn: [usize; 3],
                left: Matrix<'_, Self>,
                pack: &PackBlock<'_, Self>,
                room: &mut Vec<Self>,
                results: &mut [MaybeUninit<Self>],
            ) -> bool {
                if is_avx512_available() {
                    gemm::gemm_packed::<$T, Avx512>(mkn, left, pack, room, results);
                } else if is_avx2_available() {
                    gemm::gemm_packed::<$T, Avx2>(mkn, left, pack, room, results);
                } else {
                    return false;
                }
                true
            }

            #[cfg(target_arch = "x86_64")]
            fn pack_pieces_avx512(
                elements: &[Self],
                starts: &[usize],
                pieces: &[Piece],
                width: usize,
                slots: &mut [Self],
            ) -> bool {
                let is_available = is_avx512_available();
                if is_available {
                    // SAFETY: AVX-512 is available, as was checked.
                    unsafe { pack::pack_pieces(elements, starts, pieces, width, slots) };
                }
                is_available
            }

            fn gemm_add_matrixmultiply(
                [m, k, columns]: [usize; 3],
                left: Matrix<'_, Self>,
                right: Matrix<'_, Self>,
                results: &mut [Self],
                [n, column]: [usize; 2],
            ) -> bool {
                left.assert_holds(m, k);
                right.assert_holds(k, columns);
                assert_eq!(Some(results.len()), m.checked_mul(n));
                assert!(column <= n && columns <= n - column, "columns of the results");
                let a = left.elements.as_ptr().wrapping_offset(left.start);
                let b = right.elements.as_ptr().wrapping_offset(right.start);
                let c = results[column..].as_mut_ptr();
                // SAFETY: as in `gemm_matrixmultiply`. The results are initialised, and the columns are
                // within the `n` of each row, so that the strides `n` and 1 keep `c` within its elements and
                // reach none twice.
                unsafe {
                    $gemm(
                        m,
                        k,
                        columns,
                        1.0,
                        a,
                        left.row,
                        left.column,
                        b,
                        right.row,
                        right.column,
                        1.0,
                        c,
                        n as isize,
                        1,
                    );
                }
                true
            }

            fn gemm_matrixmultiply(
                [m, k, n]: [usize; 3],
                left: Matrix<'_, Self>,
                right: Matrix<'_, Self>,
                results: &mut [MaybeUninit<Self>],
            ) -> bool {
                left.assert_holds(m, k);
                right.assert_holds(k, n);
                assert_eq!(Some(results.len()), m.checked_mul(n));
                let a = left.elements.as_ptr().wrapping_offset(left.start);
                let b = right.elements.as_ptr().wrapping_offset(right.start);
                let c = results.as_mut_ptr().cast();
                // SAFETY: every index that the function computes in `a` and `b` is that of a row and a
                // column of the matrix; those were checked above, without overflow, to lie within
                // the elements. The strides `n` and 1 keep `c` within its `m * n` elements and reach
                // none twice. `c` is borrowed mutably, so it does not overlap `a` and `b`, and it is
                // not read, because `beta` is 0.
                unsafe {
                    $gemm(
                        m,
                        k,
                        n,
                        1.0,
                        a,
                        left.row,
                        left.column,
                        b,
                        right.row,
                        right.column,
                        0.0,
                        c,
                        n as isize,
                        1,
                    );
                }
                true
            }
        }
    )*};
}

float_accumulators! {
    f32: matrixmultiply::sgemm;
    f64: matrixmultiply::dgemm;
}

/// The blocks of large products of `f32` on this machine: MR, NR, KC and NC; `None` if `matrixmultiply` chooses them.
pub fn block_sizes() -> Option<[usize; 4]> {
    #[cfg(target_arch = "x86_64")]
    if is_avx512_available() {
        return Some(gemm::block_sizes::<f32, Avx512>());
    } else if is_avx2_available() {
        return Some(gemm::block_sizes::<f32, Avx2>());
    }
    None
}

/// The cost of a product, as the number of bytes moved in the same time: decides whether threads pay.
pub(super) fn cost_in_bytes([m, k, n]: [usize; 3]) -> usize {
    /// The number of multiply-adds that take as long as moving one byte.
    const OPERATIONS: usize = 4;
    m.saturating_mul(k).saturating_mul(n) / OPERATIONS
}

/// Writes the product of two tensors of rank 1 or more, whose sizes were checked to match; `result` is
/// the sizes of the result. A side of rank 1 is a vector: it lacks the axis of the rows or of the columns.
///
/// # Panics
///
/// If `results` has another length, or a stride leads out of the elements.
fn matmul_erased<A: GemmElement>(
    result: &[usize],
    left: ErasedView<'_, A>,
    right: ErasedView<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    assert_eq!(Some(results.len()), checked_len(result, size_of::<A>()), "one slot per result");
    // Strides are computed only if the operands have elements.
    if results.is_empty() {
    } else if left.sizes[left.sizes.len() - 1] == 0 {
        zeros(results);
    } else if left.sizes.len() <= 2 && right.sizes.len() <= 2 {
        matmul_2d(left, right, results);
    } else {
        batched::matmul_batched(result, left, right, results);
    }
}

/// [`matmul_erased`] of matrices or vectors.
fn matmul_2d<A: GemmElement>(
    left: ErasedView<'_, A>,
    right: ErasedView<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let (m, k, row, column) = match (left.sizes, &left.strides()[..]) {
        (&[m, k], &[row, column]) => (m, k, row, column),
        (sizes, strides) => (1, sizes[0], 0, strides[0]),
    };
    let a = Matrix { elements: left.elements(), start: left.offset() as isize, row, column };
    let (n, row, column) = match (right.sizes, &right.strides()[..]) {
        (&[_, n], &[row, column]) => (n, row, column),
        (_, strides) => (1, strides[0], 0),
    };
    let b = Matrix { elements: right.elements(), start: right.offset() as isize, row, column };
    if is_of_few_rows([m, k, n], b) {
        return gemv_of_rows([m, k, n], a, b, results);
    }
    gemm_dispatch([m, k, n], a, b, None, results);
}

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order. The operands of the `next`
/// product of these sizes may be prefetched during the computation.
///
/// # Panics
///
/// If `results` has another length, or a stride leads out of the elements.
pub(super) fn gemm_dispatch<A: GemmElement>(
    mkn @ [m, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    right: Matrix<'_, A>,
    next: Option<[Matrix<'_, A>; 2]>,
    results: &mut [MaybeUninit<A>],
) {
    assert_eq!(Some(results.len()), m.checked_mul(n));
    if results.is_empty() {
    } else if k == 0 {
        zeros(results);
    } else if n == 1 && !is_small(mkn) {
        gemv(left, right.transposed(), k, results);
    } else if m == 1 && !is_small(mkn) {
        gemv(right.transposed(), left, k, results);
    } else if A::gemm_vectors(mkn, left, right, next, results) {
    } else if is_small(mkn) {
        gemm_naive(mkn, left, right, results);
    } else {
        gemm_by_rows(mkn, left, right, results);
    }
}

/// Writes zero everywhere, and returns the results for accumulation.
pub(super) fn zeros<A: GemmElement>(results: &mut [MaybeUninit<A>]) -> &mut [A] {
    for result in results.iter_mut() {
        result.write(A::ZERO);
    }
    // SAFETY: every element was written above.
    unsafe { results.assume_init_mut() }
}

/// The product by `matrixmultiply` or by [`gemm_blocked`]; threads share the rows. Both
/// sum an element of the result in an order that does not depend on the division into rows.
fn gemm_by_rows<A: GemmElement>(
    mkn @ [_, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    right: Matrix<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    for_each_part_weighted(results, cost_in_bytes(mkn), n, |start, results| {
        let (m, left) = (results.len() / n, left.from(start / n, 0));
        if !A::gemm_matrixmultiply([m, k, n], left, right, results) {
            gemm_blocked([m, k, n], left, right, results);
        }
    });
}

/// The number of rows and of columns of a block of the right side: the block stays in
/// the cache while all rows of the left side are multiplied with it.
const BLOCK_ROWS: usize = 64;
const BLOCK_COLUMNS: usize = 256;

/// The product, computed block by block of the right side.
fn gemm_blocked<A: GemmElement>(
    [_, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    right: Matrix<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let results = zeros(results);
    let mut packed = Vec::new();
    for j in (0..n).step_by(BLOCK_COLUMNS) {
        let columns = BLOCK_COLUMNS.min(n - j);
        for l in (0..k).step_by(BLOCK_ROWS) {
            let inner = BLOCK_ROWS.min(k - l);
            let block = if right.column == 1 {
                right.from(l, j)
            } else {
                packed.clear();
                for l in l..l + inner {
                    packed.extend((j..j + columns).map(|j| right.get(l, j)));
                }
                Matrix::row_major_strides(&packed, columns)
            };
            axpy_block(results, [n, j, columns], block, left.from(0, l), inner);
        }
    }
}
