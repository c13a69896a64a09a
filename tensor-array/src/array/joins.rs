//! Joins and rearrangements of arrays: the checks, and the construction of the results.

use crate::array::kernel::moves::{
    Fill, IndexMap, Program, Side, assemble, padded, repeated, rolled,
};
use crate::array::layout::{ErasedView, checked_len};
use crate::array::storage::Storage;
use crate::element::Element;
use crate::ops::Padding;
use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

/// The sizes and the elements of a result.
type Joined<T> = Result<(Sizes, Storage<T>), ShapeError>;

/// The parts concatenated along an axis: `[..a, m, ..b], [..a, n, ..b] → [..a, m + n, ..b]`.
///
/// # Errors
///
/// If there are none, if other axes differ, or if the result is too large.
pub(crate) fn concat<T: Element>(parts: &[ErasedView<'_, T>], axis: usize) -> Joined<T> {
    let sizes = concat_sizes(&mut parts.iter().map(|part| part.sizes), axis)?;
    check_memory::<T>(&sizes)?;
    let storage = assemble(&sizes, &Program::concat(parts.iter().copied(), axis));
    Ok((sizes, storage))
}

/// The parts stacked along a new axis: `n · [..a, ..b] → [..a, n, ..b]`.
///
/// # Errors
///
/// If there are none, if they differ, or if the result is too large.
pub(crate) fn stack<T: Element>(parts: &[ErasedView<'_, T>], axis: usize) -> Joined<T> {
    let sizes = stack_sizes(&mut parts.iter().map(|part| part.sizes), axis)?;
    check_memory::<T>(&sizes)?;
    // The axes after the new one are written like those after a concatenated axis.
    let storage = assemble(&sizes, &Program::concat(parts.iter().copied(), axis));
    Ok((sizes, storage))
}

pub(crate) fn concat_sizes(
    parts: &mut dyn Iterator<Item = &[usize]>,
    axis: usize,
) -> Result<Sizes, ShapeError> {
    let operation = "concat";
    let Some(first) = parts.next() else { return Err(ShapeError::NoTensors { operation }) };
    let mut sizes = Sizes::from_slice(first);
    for (operand, part) in (1..).zip(parts) {
        let rank = part.len() == first.len();
        let differs = |&other: &usize| other != axis && part[other] != first[other];
        if !rank || (0..first.len()).any(|other| differs(&other)) {
            let sizes = Box::new([part.to_vec(), first.to_vec()]);
            return Err(ShapeError::Joined { operand, sizes, axis: Some(axis) });
        }
        sizes[axis] = fits(sizes[axis].saturating_add(part[axis]), axis, &sizes)?;
    }
    Ok(sizes)
}

pub(crate) fn stack_sizes(
    parts: &mut dyn Iterator<Item = &[usize]>,
    axis: usize,
) -> Result<Sizes, ShapeError> {
    let operation = "stack";
    let Some(first) = parts.next() else { return Err(ShapeError::NoTensors { operation }) };
    let mut count = 1;
    for part in parts {
        if part != first {
            let sizes = Box::new([part.to_vec(), first.to_vec()]);
            return Err(ShapeError::Joined { operand: count, sizes, axis: None });
        }
        count += 1;
    }
    let mut sizes = Sizes::from_slice(first);
    sizes.insert(axis, count);
    Ok(sizes)
}

/// The size of the axis along which parts are joined.
///
/// # Errors
///
/// If it is above `isize::MAX`: the error has the other sizes, too.
fn fits(size: usize, axis: usize, sizes: &[usize]) -> Result<usize, ShapeError> {
    if isize::try_from(size).is_ok() {
        return Ok(size);
    }
    let mut sizes = sizes.to_vec();
    sizes[axis] = size;
    Err(ShapeError::TooLarge { sizes })
}

/// # Errors
///
/// If a tensor of these sizes has more than `isize::MAX` bytes.
pub(crate) fn check_memory<T>(sizes: &[usize]) -> Result<(), ShapeError> {
    match checked_len(sizes, size_of::<T>()) {
        Some(_) => Ok(()),
        None => Err(ShapeError::TooLarge { sizes: sizes.to_vec() }),
    }
}

/// The array padded by the given amounts before and after each axis.
///
/// # Errors
///
/// If there is not a pair of amounts for each axis, if a negative one takes off more than there is, if
/// there is no element to pad with, or if the result is too large.
pub(crate) fn pad<T: Element>(
    x: ErasedView<'_, T>,
    amounts: &[[isize; 2]],
    padding: Padding<T>,
) -> Joined<T> {
    let (fill, kind) = match padding {
        Padding::Constant(value) => (value, Padding::Constant(())),
        Padding::Edge => (T::ZERO, Padding::Edge),
        Padding::Reflect => (T::ZERO, Padding::Reflect),
        Padding::Symmetric => (T::ZERO, Padding::Symmetric),
        Padding::Wrap => (T::ZERO, Padding::Wrap),
    };
    let sizes = padded_sizes(x.sizes, amounts, &kind)?;
    check_memory::<T>(&sizes)?;
    let axes = x.sizes.iter().zip(amounts);
    let maps: Vec<IndexMap> = match sizes.contains(&0) {
        // The result is empty, and the maps may not fit into memory.
        true => Vec::new(),
        false => axes.map(|(&size, &amounts)| padded(size, amounts, &kind)).collect(),
    };
    Ok(rearranged(x, sizes, &maps, fill))
}

pub(crate) fn padded_sizes(
    sizes: &[usize],
    amounts: &[[isize; 2]],
    padding: &Padding<()>,
) -> Result<Sizes, ShapeError> {
    if amounts.len() != sizes.len() {
        let (expected, found) = (sizes.len(), amounts.len());
        return Err(ShapeError::Entries { entries: "pairs of amounts", expected, found });
    }
    let mut result = Sizes::new();
    for (axis, (&size, &amounts)) in sizes.iter().zip(amounts).enumerate() {
        let [before, after] = amounts;
        if size == 0 && *padding != Padding::Constant(()) && (before > 0 || after > 0) {
            return Err(ShapeError::PadsEmpty { axis });
        }
        let cropped = before.min(0).unsigned_abs().checked_add(after.min(0).unsigned_abs());
        if cropped.is_none_or(|cropped| cropped > size) {
            return Err(ShapeError::CropsTooMuch { axis, size, amounts });
        }
        let kept = size - cropped.unwrap_or(0);
        let added = before.max(0).unsigned_abs() + after.max(0).unsigned_abs();
        result.push(fits(kept.saturating_add(added), axis, sizes)?);
    }
    Ok(result)
}

/// The elements rolled along an axis by `shift` positions; those that leave one end enter at the other.
pub(crate) fn roll<T: Element>(
    x: ErasedView<'_, T>,
    axes: &[usize],
    shifts: &[isize],
) -> Storage<T> {
    if x.sizes.contains(&0) {
        return Storage::zeros(0);
    }
    let mut maps: Vec<IndexMap> = x.sizes.iter().map(|&size| IndexMap::whole(size)).collect();
    for (&axis, &shift) in axes.iter().zip(shifts) {
        maps[axis] = rolled(x.sizes[axis], shift);
    }
    rearranged(x, x.sizes.into(), &maps, T::ZERO).1
}

/// Repeats each index along an axis; `counts` has the number of repetitions of each.
///
/// # Errors
///
/// If there is not one count for each index, or if the result is too large.
pub(crate) fn repeat_each<T: Element>(
    x: ErasedView<'_, T>,
    axis: usize,
    counts: &[usize],
) -> Joined<T> {
    if counts.len() != x.sizes[axis] {
        let (expected, found) = (x.sizes[axis], counts.len());
        return Err(ShapeError::Entries { entries: "counts", expected, found });
    }
    let mut sizes = Sizes::from_slice(x.sizes);
    let sum = counts.iter().fold(0_usize, |sum, &count| sum.saturating_add(count));
    sizes[axis] = fits(sum, axis, x.sizes)?;
    check_memory::<T>(&sizes)?;
    let mut maps: Vec<IndexMap> = x.sizes.iter().map(|&size| IndexMap::whole(size)).collect();
    maps[axis] = repeated(counts);
    Ok(rearranged(x, sizes, &maps, T::ZERO))
}

fn rearranged<T: Element>(
    x: ErasedView<'_, T>,
    sizes: Sizes,
    maps: &[IndexMap],
    fill: T,
) -> (Sizes, Storage<T>) {
    if sizes.contains(&0) {
        return (sizes, Storage::zeros(0));
    }
    let storage = assemble(&sizes, &Program::rearrange(x, maps, &Fill(fill)));
    (sizes, storage)
}

/// The triangle of matrices on one side of a diagonal, with 0 on the other side.
#[track_caller]
pub(crate) fn triangle<T: Element>(
    x: ErasedView<'_, T>,
    side: Side,
    diagonal: isize,
    fill: T,
) -> Storage<T> {
    assemble(x.sizes, &Program::triangle(x, side, diagonal, &Fill(fill)))
}

/// Matrices of these sizes with vectors as their diagonals.
///
/// # Panics
///
/// If the result has more than `isize::MAX` bytes.
#[track_caller]
pub(crate) fn diagonals<T: Element>(x: ErasedView<'_, T>, sizes: &[usize]) -> Storage<T> {
    assemble(sizes, &Program::diagonal(x, &Fill(T::ZERO)))
}
