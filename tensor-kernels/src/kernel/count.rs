//! Integer tensors as indices, and counts of numbers.

use super::row_major::RowMajor;
use crate::element::Integer;
use crate::element::Number;
use crate::layout::ErasedView;
use crate::plan::row_major_strides;
use crate::sizes::index_error::IndexError;
use crate::storage::Storage;

/// Resolves indices along an axis of `size` elements; negative ones count from its end.
///
/// # Errors
///
/// The first index that is out of range.
#[track_caller]
#[inline(never)]
pub fn resolve<T: Integer>(
    view: ErasedView<'_, T>,
    axis: usize,
    size: usize,
) -> Result<Storage<i64>, IndexError> {
    let indices = RowMajor::of(view);
    let end = i64::try_from(size).unwrap_or(i64::MAX);
    let mut resolved = Vec::with_capacity(indices.as_slice().len());
    for (flat, &index) in indices.as_slice().iter().enumerate() {
        let from_front =
            i64::try_from(index.to_i128()).ok().map(|i| if i < 0 { i + end } else { i });
        match from_front {
            Some(index) if (0..end).contains(&index) => resolved.push(index),
            _ => return Err(error(index.to_i128(), flat, view.sizes, [axis, size], true)),
        }
    }
    Ok(Storage::from_vec(resolved))
}

#[cold]
fn error(
    index: i128,
    flat: usize,
    sizes: &[usize],
    [axis, size]: [usize; 2],
    is_signed: bool,
) -> IndexError {
    let steps = row_major_strides(sizes).into_iter().zip(sizes);
    let position = steps.map(|(step, size)| flat / (step as usize).max(1) % size).collect();
    IndexError { index, position, size, axis, is_signed }
}

/// The number of occurrences of each number below `bins`.
///
/// # Errors
///
/// The first number that is negative, or too large.
#[track_caller]
#[inline(never)]
pub fn bincount<T: Integer>(x: ErasedView<'_, T>, bins: usize) -> Result<Storage<i64>, IndexError> {
    let numbers = RowMajor::of(x);
    let mut storage = Storage::zeros(bins);
    let counts = &mut storage.make_mut()[..bins];
    for (flat, &number) in numbers.as_slice().iter().enumerate() {
        let bin = usize::try_from(number.to_i128()).ok();
        match bin.and_then(|bin| counts.get_mut(bin)) {
            Some(count) => *count += 1,
            None => return Err(error(number.to_i128(), flat, x.sizes, [0, bins], false)),
        }
    }
    Ok(storage)
}

/// The number of elements in each of `bins` equal intervals of a range; the last interval includes its end.
#[track_caller]
#[inline(never)]
pub fn histogram<T: Number>(
    x: ErasedView<'_, T>,
    bins: usize,
    (low, high): (f64, f64),
) -> Storage<i64> {
    let x = RowMajor::of(x);
    let mut storage = Storage::zeros(bins);
    let counts = &mut storage.make_mut()[..bins];
    if bins > 0 {
        let step = (high - low) / bins as f64;
        let edge = |bin: usize| if bin == bins { high } else { low + bin as f64 * step };
        let inside = x.as_slice().iter().map(|element| element.to_f64());
        for element in inside.filter(|element| (low..=high).contains(element)) {
            let mut bin = (((element - low) / (high - low) * bins as f64) as usize).min(bins - 1);
            // The quotient is rounded, so the exact edges decide.
            if element < edge(bin) {
                bin -= 1;
            } else if bin + 1 < bins && element >= edge(bin + 1) {
                bin += 1;
            }
            counts[bin] += 1;
        }
    }
    storage
}
