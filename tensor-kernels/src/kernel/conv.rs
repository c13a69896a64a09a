//! Convolution, `[images.., c, ..n] * [o, c / g, ..k] → [images.., o, ..positions]`, as products of matrices.
//!
//! ```text
//! kernels.rs     NumberWindows and FloatWindows: the functions of each element type
//! conv.rs        images and groups, on threads: each is a product of the weights with the windows
//! image.rs         an image with its padding, so that every window lies within it
//! columns.rs       the windows as the columns of a matrix, one block at a time
//! depthwise.rs     one channel in each group: row by row, without a matrix
//! implicit.rs      floats on AVX-512: the windows are read from the image, not stored
//! direct.rs        padding that is much larger than the image: element by element
//! polyphase.rs     with a stride, transposed: results a stride apart are one convolution
//! fold.rs        transposed, for any size and weights, and for one output: each element is multiplied and added to the
//!                results
//! weights.rs     the gradient with respect to the weights
//! ```
//!
//! A transposed convolution is the convolution of an image with zeros between its elements.

use core::mem::MaybeUninit;

use super::matmul::{GemmElement, Matrix, Piece, cost_in_bytes, gemm_dispatch, zeros};
use super::parallel::for_each_part_weighted;
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::sizes::windows::{Convolution, product_of};

mod columns;
mod depthwise;
mod direct;
mod fold;
mod image;
mod implicit;
mod kernels;
mod polyphase;
mod weights;

use columns::Columns;
use image::{Geometry, Image};
use implicit::ImplicitGemm;

/// If there are fewer products than this, one for each image and group, threads share the rows of each.
const MANY_PRODUCTS: usize = 16;

/// From this number of filters of one channel on, a matrix product is faster where rows are short.
const MANY_OUTPUTS: usize = 4;

/// Writes the convolution.
///
/// # Panics
///
/// If the sizes are not those of the plan, `results` has another length, or a stride leads out of the
/// elements.
fn convolve<A: ImplicitGemm>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    weights: ErasedView<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    // Without images, the number of window positions may overflow.
    if results.is_empty() {
        return;
    }
    let Convolution { images, groups, channels, outputs, .. } = *plan;
    let positions = product_of(&plan.axes, |axis| axis.positions);
    let all = num_elements(&[images, groups, outputs, positions]);
    assert_eq!(results.len(), all, "one slot per result");
    if channels == 0 {
        zeros(results);
        return;
    }
    let taps = product_of(&plan.axes, |axis| axis.window);
    let inner = num_elements(&[channels, taps]);
    let weights = weight_matrix(plan, weights, taps);
    let has_zeros_between = fold::applies(plan);
    let is_thin = !has_zeros_between && fold::is_thin(plan);
    let are_finite =
        (plan.is_transposed || is_thin) && weights.iter().all(|weight| weight.is_finite());
    // A weight that is not finite is NaN times the zeros around and between the elements: those of a transposed convolution
    // are not there, those of another one are.
    let is_scattered = if are_finite { is_thin } else { plan.is_transposed };
    if is_scattered || has_zeros_between {
        if is_scattered || !polyphase::convolve(plan, &input, &weights, results) {
            fold::convolve(plan, input, &weights, results);
        }
        return;
    }
    // A window of one element needs no packing: the image itself is the matrix.
    let is_matrix = taps == 1 && plan.axes.iter().all(|axis| axis.stride == 1 && axis.before == 0);
    if !is_matrix && A::convolve_implicit(plan, input, &weights, results) {
        return;
    }
    let Some(geometry) = Geometry::new(plan, &input) else {
        return direct::convolve(plan, input, &weights, results);
    };
    let (elements, sizes, offset) = (input.elements(), input.sizes, input.offset());
    let products = images * groups;
    let unit = if products >= MANY_PRODUCTS { outputs * positions } else { positions };
    let bytes = cost_in_bytes([num_elements(&[products, outputs]), inner, positions]);
    for_each_part_weighted(results, bytes, unit, |start, results| {
        let mut image = Image::new(&geometry);
        let mut room = Vec::new();
        let (mut row, end) = (start / positions, (start + results.len()) / positions);
        let mut results = results;
        while row < end {
            let (product, first) = (row / outputs, row % outputs);
            let rows = (outputs - first).min(end - row);
            let (here, rest) = results.split_at_mut(rows * positions);
            let (group, left) =
                (product % groups, group_rows(&weights, inner, row % (groups * outputs)));
            let elements = image.of((elements, sizes, offset), product / groups, group * channels);
            if channels == 1 && (outputs < MANY_OUTPUTS || geometry.row >= depthwise::FEW_SUMS) {
                depthwise::convolve(&geometry, elements, &left, here);
            } else if let Some(row) = geometry.is_matrix() {
                let right = Matrix { elements, start: 0, row, column: 1 };
                gemm_dispatch([rows, inner, positions], left, right, None, here);
            } else if positions == 1 {
                room.clear();
                room.extend(geometry.taps.iter().map(|&tap| elements[tap]));
                let right = Matrix::row_major_strides(&room, 1);
                gemm_dispatch([rows, inner, 1], left, right, None, here);
            } else {
                let columns = Columns { elements, geometry: &geometry };
                columns.multiply([rows, inner, positions], left, &mut room, here);
            }
            (row, results) = (row + rows, rest);
        }
    });
}

/// The rows of the weight matrix from `row` on, `inner` elements each.
fn group_rows<A: Copy>(weights: &[A], inner: usize, row: usize) -> Matrix<'_, A> {
    Matrix { elements: weights, start: (row * inner) as isize, row: inner as isize, column: 1 }
}

/// The weights as a matrix, `[groups · outputs, channels · taps]`, in row-major order; the taps of a
/// transposed convolution are mirrored.
fn weight_matrix<'a, A: GemmElement>(
    plan: &Convolution,
    weights: ErasedView<'a, A>,
    taps: usize,
) -> std::borrow::Cow<'a, [A]> {
    let Convolution { groups, channels, outputs, is_transposed, .. } = *plan;
    let elements = match weights.as_slice() {
        Some(elements) if !is_transposed => return elements.into(),
        Some(elements) => std::borrow::Cow::Borrowed(elements),
        None => row_major(weights).into(),
    };
    if !is_transposed {
        return elements;
    }
    let mut mirrored = Vec::with_capacity(elements.len());
    for group in 0..groups {
        for output in 0..outputs {
            for channel in 0..channels {
                let start = ((group * channels + channel) * outputs + output) * taps;
                mirrored.extend(elements[start..start + taps].iter().rev());
            }
        }
    }
    mirrored.into()
}

/// The elements of a view in row-major order.
///
/// # Panics
///
/// If they do not fit into memory.
#[track_caller]
pub(super) fn row_major<T: Copy>(view: ErasedView<'_, T>) -> Vec<T> {
    let len = len_in_memory(view.sizes, size_of::<T>());
    let mut all = Vec::with_capacity(len);
    if len > 0 {
        push_axes(view.elements(), view.sizes, &view.strides(), view.offset() as isize, &mut all);
    }
    all
}

/// Appends the elements of a strided view that starts at `start`, axis by axis.
fn push_axes<T: Copy>(
    elements: &[T],
    sizes: &[usize],
    strides: &[isize],
    start: isize,
    all: &mut Vec<T>,
) {
    match (sizes, strides) {
        ([], []) => all.push(elements[start as usize]),
        ([size], [1]) => all.extend_from_slice(&elements[start as usize..][..*size]),
        ([size, sizes @ ..], [stride, strides @ ..]) => {
            for index in 0..*size as isize {
                push_axes(elements, sizes, strides, start + index * stride, all);
            }
        }
        _ => unreachable!("a stride for each axis"),
    }
}
