//! Assignment to a selection of elements of an array: one loop for any strides on both sides.

use smallvec::SmallVec;

/// An axis: its size, the stride in the target, and the stride in the source.
pub(crate) type AssignAxis = (usize, isize, isize);

/// The axes without those of size 1; neighbouring axes are merged where one stride covers both, in the
/// target and in the source.
fn merged(axes: &[AssignAxis]) -> SmallVec<[AssignAxis; 6]> {
    let mut merged: SmallVec<[AssignAxis; 6]> = SmallVec::new();
    for &(size, to, from) in axes.iter().filter(|axis| axis.0 != 1) {
        let steps = |stride: isize| stride.wrapping_mul(size as isize);
        match merged.last_mut() {
            Some(outer) if outer.1 == steps(to) && outer.2 == steps(from) => {
                *outer = (outer.0 * size, to, from);
            }
            _ => merged.push((size, to, from)),
        }
    }
    merged
}

/// Copies elements of `source`, starting at `start`, to elements of `target`, starting at `first`,
/// along the given axes of both.
///
/// # Panics
///
/// If the axes leave either slice.
#[inline(never)]
pub(crate) fn assign<T: Copy>(
    target: &mut [T],
    first: usize,
    axes: &[AssignAxis],
    source: &[T],
    start: usize,
) {
    if axes.iter().any(|axis| axis.0 == 0) {
        return;
    }
    let mut axes = merged(axes);
    let (size, to_step, from_step) = axes.pop().unwrap_or((1, 1, 1));
    let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, axes.len());
    let (mut to, mut from) = (first as isize, start as isize);
    loop {
        match (to_step, from_step) {
            (1, 1) => {
                let row = &source[from as usize..][..size];
                target[to as usize..][..size].copy_from_slice(row);
            }
            (1, 0) => target[to as usize..][..size].fill(source[from as usize]),
            _ => {
                for position in 0..size as isize {
                    let element = source[(from + position * from_step) as usize];
                    target[(to + position * to_step) as usize] = element;
                }
            }
        }
        // Advances to the next row: increments the last axis that has steps left.
        let mut next = None;
        for (axis, &(size, to_step, from_step)) in axes.iter().enumerate().rev() {
            index[axis] += 1;
            (to, from) = (to + to_step, from + from_step);
            if index[axis] < size {
                next = Some(axis);
                break;
            }
            to -= to_step * size as isize;
            from -= from_step * size as isize;
            index[axis] = 0;
        }
        if next.is_none() {
            return;
        }
    }
}
