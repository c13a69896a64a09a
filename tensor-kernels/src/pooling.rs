//! Pooling and interpolation, compiled for each element type.

use smallvec::SmallVec;

use crate::element::{Element, Float, Number};
use crate::instances::instances;
use crate::kernel::pool;
use crate::kernel::row_major::RowMajor;
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::rows::Reduction;
use crate::sizes::windows::Pooling;
use crate::storage::{Storage, each_from};

pub use crate::kernel::pool::{avg_unpooled, resized, resized_transposed};

/// The maximum of each window; NaN if it contains one. Padding is ignored, and a window of padding
/// alone gives the smallest number of the type.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
#[inline(never)]
pub fn max_pooled<T: Number>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    if plan.is_of_whole_images() {
        reduced_images(plan, input, T::MAX_ROW)
    } else {
        pool::max_pooled(plan, input)
    }
}

/// The mean of each window, summed in the type of sums.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
#[inline(never)]
pub fn avg_pooled<T: Float>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    if plan.is_of_whole_images() {
        reduced_images(plan, input, T::MEAN_ROW)
    } else {
        pool::avg_pooled(plan, input)
    }
}

/// The result of reducing each image.
#[track_caller]
fn reduced_images<T: Element>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    reduction: &Reduction<T, T>,
) -> Storage<T> {
    let rank = input.sizes.len();
    let axes: SmallVec<[usize; 6]> = (rank - plan.axes.len()..rank).collect();
    reduction.axes(input, &axes, len_in_memory(&plan.result, size_of::<T>()), 0)
}

/// Adds an element for each window to the maximum of the window.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes are not those of the plan.
#[track_caller]
#[inline(never)]
pub fn max_unpooled<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    if !plan.is_of_whole_images() {
        return pool::max_unpooled(plan, input, elements);
    }
    assert_eq!(elements.sizes, &plan.result[..], "an element for each window");
    let len = len_in_memory(input.sizes, size_of::<T>());
    let (maxima, elements) = (maxima_of_images(plan, input), RowMajor::of(elements));
    let mut results = Storage::zeros(len);
    let images = results.make_mut()[..len].chunks_exact_mut(plan.image());
    for ((image, &at), &element) in images.zip(maxima.as_slice()).zip(elements.as_slice()) {
        image[at as usize] = element;
    }
    results
}

/// Picks the element at the position of the maximum of each window, or 0 for a window of padding alone.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes differ.
#[track_caller]
#[inline(never)]
pub fn max_picked<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    if !plan.is_of_whole_images() {
        return pool::max_picked(plan, input, elements);
    }
    assert_eq!(input.sizes, elements.sizes, "one element for another");
    let (maxima, elements) = (maxima_of_images(plan, input), RowMajor::of(elements));
    let (maxima, elements) = (maxima.as_slice(), elements.as_slice());
    each_from(num_elements(&plan.result), |image| {
        elements[image * plan.image() + maxima[image] as usize]
    })
}

/// The position of the maximum of each image.
#[track_caller]
fn maxima_of_images<T: Float>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<i64> {
    let (input, images) = (RowMajor::of(input), num_elements(&plan.result));
    let sizes = [images, plan.image()];
    let rows = ErasedView::new(&sizes, None, input.as_slice());
    T::ARGMAX_ROW.axes(rows, &[1], images, 0)
}

macro_rules! pooling {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        pooling!(@$class $T);
    )*};
    (@boolean $T:ident) => {};
    (@float $T:ident) => {
        instances!(
            max_pooled::<$T>, max_unpooled::<$T>, max_picked::<$T>, avg_pooled::<$T>, avg_unpooled::<$T>,
            resized::<$T>, resized_transposed::<$T>,
        );
    };
    (@half $T:ident) => { pooling!(@float $T); };
    (@$class:ident $T:ident) => { instances!(max_pooled::<$T>); };
}

for_each_element!(pooling);
