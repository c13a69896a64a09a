//! The micro-kernels of the convolution: up to [`ROWS`] channels of the results by some vectors of positions.
//!
//! Of 32 registers 24 hold sums, 3 elements of the image and one a broadcast weight: 24 multiply-adds are
//! paired with 11 loads and 3 masks.

use super::offset_table::Store;
use crate::kernel::matmul::{Avx512Element, Lanes, lanes_in};

/// The maximum number of channels of the results in a tile.
pub(super) const ROWS: usize = 8;

/// The inputs and outputs of a tile; strides in elements.
pub(super) struct Tile<'a, T> {
    pub channels: usize,
    /// The stride from one channel of the image to the next.
    pub channel: isize,
    /// The offset from a position to the element of the image for each element of the window.
    pub taps: &'a [isize],
    /// The element of the image whose number is that of the first position.
    pub image: *const T,
    /// For each element of the window, the lanes of each vector that have elements.
    pub masks: *const Lanes,
    pub masks_step: usize,
    /// The weights of all rows, for each channel and element of the window.
    pub weights: *const T,
    pub weights_step: usize,
    pub results: *mut T,
    pub results_row: usize,
    /// The destination of each vector of results.
    pub stores: *const Store,
}

/// A micro-kernel.
pub(super) type ConvTileFn<T> = unsafe fn(&Tile<'_, T>);

/// Computes `R` channels of the results by `V` vectors of positions.
///
/// # Safety
///
/// AVX-512 is available. In every channel, for every tap, the lanes of the masks are elements that may be
/// read; there are `R` weights in each step; and each of `R` rows of the results has room for the
/// lanes that are kept, starting at their position.
#[target_feature(enable = "avx512f")]
unsafe fn microkernel<T: Avx512Element, const R: usize, const V: usize>(tile: &Tile<'_, T>) {
    // SAFETY: as the caller promises. Addresses of lanes outside the masks are computed by wrapping
    // arithmetic and not read.
    unsafe {
        let mut sums = [[T::splat(T::ZERO); V]; R];
        let (mut image, mut weights) = (tile.image, tile.weights);
        for _ in 0..tile.channels {
            let mut masks = tile.masks;
            for &tap in tile.taps {
                let from = image.wrapping_offset(tap);
                let mut row = [T::splat(T::ZERO); V];
                for (vector, elements) in row.iter_mut().enumerate() {
                    *elements = T::load(from.wrapping_add(vector * T::LANES), *masks.add(vector));
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let weight = T::splat(*weights.add(i));
                    // By index, as in the products of matrices.
                    for vector in 0..V {
                        sums[vector] = T::fmadd(weight, row[vector], sums[vector]);
                    }
                }
                weights = weights.wrapping_add(tile.weights_step);
                masks = masks.wrapping_add(tile.masks_step);
            }
            image = image.wrapping_offset(tile.channel);
        }
        for vector in 0..V {
            let Store { position, keep } = *tile.stores.add(vector);
            let count = keep.count_ones();
            let is_whole = count as usize == T::LANES;
            let first_lanes = lanes_in(0..count as usize);
            for (i, sums) in sums.iter().enumerate() {
                let to = tile.results.add(i * tile.results_row + position);
                if is_whole {
                    T::store(sums[vector], to, Lanes::MAX);
                } else {
                    T::store(T::compress(sums[vector], keep), to, first_lanes);
                }
            }
        }
    }
}

/// The micro-kernel for these sizes: 8 rows by 1, 2 or 3 vectors, or up to 4 rows by these or 6 vectors.
pub(super) fn kernel_of<T: Avx512Element>(rows: usize, vectors: usize) -> ConvTileFn<T> {
    match (rows, vectors) {
        (8, 3) => microkernel::<T, 8, 3>,
        (8, 2) => microkernel::<T, 8, 2>,
        (8, 1) => microkernel::<T, 8, 1>,
        (4, 6) => microkernel::<T, 4, 6>,
        (4, 3) => microkernel::<T, 4, 3>,
        (4, 2) => microkernel::<T, 4, 2>,
        (4, 1) => microkernel::<T, 4, 1>,
        (3, 6) => microkernel::<T, 3, 6>,
        (3, 3) => microkernel::<T, 3, 3>,
        (3, 2) => microkernel::<T, 3, 2>,
        (3, 1) => microkernel::<T, 3, 1>,
        (2, 6) => microkernel::<T, 2, 6>,
        (2, 3) => microkernel::<T, 2, 3>,
        (2, 2) => microkernel::<T, 2, 2>,
        (2, 1) => microkernel::<T, 2, 1>,
        (1, 6) => microkernel::<T, 1, 6>,
        (1, 3) => microkernel::<T, 1, 3>,
        (1, 2) => microkernel::<T, 1, 2>,
        (1, 1) => microkernel::<T, 1, 1>,
        _ => unreachable!("a size of a tile"),
    }
}
