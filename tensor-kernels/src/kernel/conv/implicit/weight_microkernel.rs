//! The micro-kernels of the gradient of the weights: up to [`ROWS`] channels of the results by [`COLUMNS`]
//! elements of the windows, their sums in registers, one lane for each position.

use super::microkernel::ROWS;
use super::offset_table::Store;
use crate::arrays;
use crate::kernel::matmul::{Avx512Element, Lanes};

/// The maximum number of elements of the windows in a tile.
pub(super) const COLUMNS: usize = 3;

/// Some rows of positions of an image, and the gradient of the results there.
pub(super) struct ReductionSlice<'a, T> {
    /// The element of the image whose number is that of the first position.
    pub image: *const T,
    /// The gradient of the results, numbered in the same way: that of the first of some channels.
    pub gradient: *const T,
    /// The stride from one channel to the next.
    pub gradient_row: usize,
    /// `[vectors, taps]`: the lanes that have elements.
    pub masks: &'a [Lanes],
    /// The lanes of each vector that are positions.
    pub stores: &'a [Store],
}

/// The weights of a tile, and the inputs that they are summed from; strides in elements.
pub(super) struct WeightTile<'a, T> {
    pub slices: &'a [ReductionSlice<'a, T>],
    /// The number of elements of a window in a channel.
    pub taps: usize,
    /// For each column of the tile, the offset from a position to the element of the image.
    pub windows: [isize; COLUMNS],
    /// The tap of each column.
    pub tap_of: [usize; COLUMNS],
    /// The first channel of the results.
    pub row: usize,
}

/// A micro-kernel of the gradient of the weights.
pub(super) type WeightFn<T> = unsafe fn(&WeightTile<'_, T>, &mut SumLanes<T>);

/// The lanes of the sums of a tile.
pub(super) type SumLanes<T> = [[[T; MOST_LANES]; COLUMNS]; ROWS];

/// The maximum number of lanes of a vector.
pub(super) const MOST_LANES: usize = 16;

/// Computes `R` channels of the results by `C` elements of the windows.
///
/// # Safety
///
/// AVX-512 is available. Every slice has `taps` masks for each of its vectors, and each of `tap_of` is below
/// `taps`. The lanes of the masks are readable elements of the image; and so are the kept lanes of `R` rows
/// of the gradient, starting with row `row`.
#[target_feature(enable = "avx512f")]
unsafe fn weight_microkernel<T: Avx512Element, const R: usize, const C: usize>(
    tile: &WeightTile<'_, T>,
    lanes: &mut SumLanes<T>,
) {
    // SAFETY: as the caller promises. Addresses of lanes outside the masks are computed by wrapping
    // arithmetic and not read. A slice has masks of `taps` taps for each of its vectors.
    unsafe {
        let mut sums = [[T::splat(T::ZERO); C]; R];
        for slice in tile.slices {
            let (mut image, mut masks) = (slice.image, slice.masks.as_ptr());
            let mut gradient = slice.gradient.wrapping_add(tile.row * slice.gradient_row);
            for store in slice.stores {
                let mut windows = [T::splat(T::ZERO); C];
                for (column, window) in windows.iter_mut().enumerate() {
                    let mask = *masks.add(tile.tap_of[column]);
                    *window = T::load(image.wrapping_offset(tile.windows[column]), mask);
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let row = T::load(gradient.wrapping_add(i * slice.gradient_row), store.keep);
                    // By index, as in the products of matrices.
                    for column in 0..C {
                        sums[column] = T::fmadd(row, windows[column], sums[column]);
                    }
                }
                image = image.wrapping_add(T::LANES);
                gradient = gradient.wrapping_add(T::LANES);
                masks = masks.wrapping_add(tile.taps);
            }
        }
        for (lanes, sums) in lanes.iter_mut().zip(&sums) {
            for (lanes, &sum) in lanes.iter_mut().zip(sums) {
                T::store(sum, lanes.as_mut_ptr(), Lanes::MAX);
            }
        }
    }
}

/// The sums of the lanes of a row. Not within the micro-kernel: without AVX-512 VL, the code that adds the
/// halves of a vector cannot use the upper 16 registers, and the sums there would not stay in them.
///
/// # Safety
///
/// AVX-512 is available.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn sums_of_lanes<T: Avx512Element>(
    row: &[[T; MOST_LANES]; COLUMNS],
) -> [T; COLUMNS] {
    arrays::from_fn(
        #[inline(always)]
        // SAFETY: AVX-512 is available, and a column has one element for each lane of a vector.
        |column| unsafe { T::sum_of_lanes(T::load(row[column].as_ptr(), Lanes::MAX)) },
    )
}

/// The micro-kernel for these sizes.
pub(super) fn weight_kernel_of<T: Avx512Element>(rows: usize, columns: usize) -> WeightFn<T> {
    match (rows, columns) {
        (8, 3) => weight_microkernel::<T, 8, 3>,
        (8, 2) => weight_microkernel::<T, 8, 2>,
        (8, 1) => weight_microkernel::<T, 8, 1>,
        (4, 3) => weight_microkernel::<T, 4, 3>,
        (4, 2) => weight_microkernel::<T, 4, 2>,
        (4, 1) => weight_microkernel::<T, 4, 1>,
        (3, 3) => weight_microkernel::<T, 3, 3>,
        (3, 2) => weight_microkernel::<T, 3, 2>,
        (3, 1) => weight_microkernel::<T, 3, 1>,
        (2, 3) => weight_microkernel::<T, 2, 3>,
        (2, 2) => weight_microkernel::<T, 2, 2>,
        (2, 1) => weight_microkernel::<T, 2, 1>,
        (1, 3) => weight_microkernel::<T, 1, 3>,
        (1, 2) => weight_microkernel::<T, 1, 2>,
        (1, 1) => weight_microkernel::<T, 1, 1>,
        _ => unreachable!("a size of a tile"),
    }
}
