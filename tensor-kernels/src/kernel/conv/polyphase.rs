//! Transposed convolution with a stride, split into the phases of its results.
//!
//! ```text
//! results[s · q + r] = Σ weights[t] image[(s · q + r + t · dilation - before) / s]
//! ```
//!
//! Results that are a stride `s` apart read the same elements of the window, those for which the division
//! has no remainder: so a phase `r` is a convolution with that part of the window, without zeros between the
//! elements of the image, and the phases together have as many products as the convolution.

use core::mem::MaybeUninit;

use super::implicit::ImplicitGemm;
use super::{GemmElement, zeros};
use crate::kernel::parallel::for_each_part;
use crate::layout::{ErasedView, num_elements};
use crate::sizes::Sizes;
use crate::sizes::windows::{Convolution, WindowAxis};
use crate::storage::Storage;

/// More phases than this are left to [`fold`](super::fold).
const MOST_PHASES: usize = 16;

/// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`; `false` if
/// the type, the machine or the sizes do not support it: then the results must be written again.
pub(super) fn convolve<A: ImplicitGemm>(
    plan: &Convolution,
    input: &ErasedView<'_, A>,
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) -> bool {
    if !A::IS_IMPLICIT {
        return false;
    }
    let phases = plan.axes.iter().try_fold(1_usize, |all, axis| all.checked_mul(axis.spread));
    let Some((last, outer)) = plan.axes.split_last() else { return false };
    if phases.is_none_or(|phases| phases > MOST_PHASES) || input.sizes.contains(&0) {
        return false;
    }
    let planes = num_elements(&[plan.images, plan.groups, plan.outputs]);
    let counts: Sizes = outer.iter().map(|axis| axis.spread).collect();
    for number in 0..num_elements(&counts) {
        let outer_phases = index_of(number, &counts);
        let outer: Option<Sizes> = (outer.iter().zip(&outer_phases))
            .map(|(axis, &phase)| Some(positions(axis, phase)).filter(|&positions| positions > 0))
            .collect();
        // The phase has no results.
        let Some(outer) = outer else { continue };
        let rows = num_elements(&[planes, num_elements(&outer)]);
        let mut of_last = Vec::new();
        for phase in 0..last.spread {
            let mut all = outer_phases.clone();
            all.push(phase);
            let mut is_written = true;
            let write = |slots: &mut [MaybeUninit<A>]| {
                is_written = slots.is_empty() || convolve_phase(plan, &all, input, weights, slots);
                if !is_written {
                    zeros(slots);
                }
            };
            // SAFETY: every element is written: with the convolution, or with zero.
            of_last.push(unsafe { Storage::build(rows * positions(last, phase), write) });
            if !is_written {
                return false;
            }
        }
        interleave(plan, &outer_phases, &outer, &of_last, results);
    }
    true
}

/// The index with this number in row-major order.
fn index_of(number: usize, sizes: &[usize]) -> Sizes {
    let mut rest = number;
    let mut index = Sizes::from_elem(0, sizes.len());
    for (index, size) in index.iter_mut().zip(sizes).rev() {
        (*index, rest) = (rest % size, rest / size);
    }
    index
}

/// The next index in row-major order; the first one after the last.
#[inline(always)]
fn next_index(index: &mut [usize], sizes: &[usize]) {
    for (index, &size) in index.iter_mut().zip(sizes).rev() {
        *index += 1;
        if *index < size {
            return;
        }
        *index = 0;
    }
}

/// The number of results of an axis that are in a phase.
fn positions(axis: &WindowAxis, phase: usize) -> usize {
    axis.positions.saturating_sub(phase).div_ceil(axis.spread)
}

/// The elements of the window that the results of a phase read: the first one, their distance, and the
/// axis with these elements alone.
fn part_of_window(axis: &WindowAxis, phase: usize) -> Option<(usize, usize, WindowAxis)> {
    let WindowAxis { window, dilation, before, spread, .. } = *axis;
    let element = |tap: usize| (phase + tap * dilation) as isize - before;
    let mut meets = (0..window).filter(|&tap| element(tap).rem_euclid(spread as isize) == 0);
    let first = meets.next()?;
    let step = meets.next().map_or(window, |second| second - first);
    let part = WindowAxis {
        window: (window - first).div_ceil(step),
        dilation: step * dilation / spread,
        before: -element(first).div_euclid(spread as isize),
        spread: 1,
        positions: positions(axis, phase),
        ..*axis
    };
    Some((first, step, part))
}

/// Writes the results of a phase; `false` if the type, the machine or the sizes do not support it.
fn convolve_phase<A: ImplicitGemm>(
    plan: &Convolution,
    phases: &[usize],
    input: &ErasedView<'_, A>,
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) -> bool {
    let parts = plan.axes.iter().zip(phases).map(|(axis, &phase)| part_of_window(axis, phase));
    let Some(parts) = parts.collect::<Option<Vec<_>>>() else {
        // The phase reads no element of the window.
        zeros(results);
        return true;
    };
    let windows: Sizes = plan.axes.iter().map(|axis| axis.window).collect();
    let counts: Sizes = parts.iter().map(|(_, _, part)| part.window).collect();
    let offsets: Vec<usize> = (0..num_elements(&counts))
        .map(|number| {
            let index = index_of(number, &counts);
            let taps =
                index.iter().zip(&parts).map(|(index, (first, step, _))| first + index * step);
            taps.zip(&windows).fold(0, |offset, (tap, window)| offset * window + tap)
        })
        .collect();
    let weights = weights.chunks_exact(num_elements(&windows));
    let weights = weights.flat_map(|window| offsets.iter().map(move |&offset| window[offset]));
    let mut result = plan.result.clone();
    let lead = result.len() - parts.len();
    for (size, (_, _, part)) in result[lead..].iter_mut().zip(&parts) {
        *size = part.positions;
    }
    let axes = parts.into_iter().map(|(_, _, part)| part).collect();
    let plan = Convolution { axes, is_transposed: false, result, ..plan.clone() };
    A::convolve_implicit(&plan, *input, &weights.collect::<Vec<A>>(), results)
}

/// Writes the results of some phases of all axes but the last, given all phases of the last axis.
fn interleave<A: GemmElement>(
    plan: &Convolution,
    phases: &[usize],
    outer: &[usize],
    of_last: &[Storage<A>],
    results: &mut [MaybeUninit<A>],
) {
    let sizes: Sizes = plan.axes.iter().map(|axis| axis.positions).collect();
    let (last, rows) = (sizes[sizes.len() - 1], num_elements(outer));
    let unit = num_elements(&sizes);
    let of_last: Vec<&[A]> = of_last.iter().map(Storage::as_slice).collect();
    for_each_part(results, unit, |start, results| {
        for (index, results) in results.chunks_exact_mut(unit).enumerate() {
            let plane = start / unit + index;
            let mut index = Sizes::from_elem(0, outer.len());
            for row in 0..rows {
                let mut at = 0;
                for (axis, (&index, &phase)) in index.iter().zip(phases).enumerate() {
                    at = at * sizes[axis] + index * plan.axes[axis].spread + phase;
                }
                let to = &mut results[at * last..][..last];
                write_row(&of_last, plane * rows + row, to);
                next_index(&mut index, outer);
            }
        }
    });
}

/// Writes a row of results from one row of each phase.
#[inline(always)]
fn write_row<A: Copy>(phases: &[&[A]], row: usize, to: &mut [MaybeUninit<A>]) {
    let (size, count) = (to.len(), phases.len());
    let of_phase = |phase: usize| {
        let len = size.saturating_sub(phase).div_ceil(count);
        &phases[phase][row * len..][..len]
    };
    if count == 2 {
        let (even, odd) = (of_phase(0), of_phase(1));
        let (pairs, rest) = to.as_chunks_mut::<2>();
        for ((pair, &even), &odd) in pairs.iter_mut().zip(even).zip(odd) {
            *pair = [MaybeUninit::new(even), MaybeUninit::new(odd)];
        }
        if let ([slot], [.., last]) = (rest, even) {
            slot.write(*last);
        }
        return;
    }
    for phase in 0..count.min(size) {
        let slots = to[phase..].iter_mut().step_by(count);
        slots.zip(of_phase(phase)).for_each(|(slot, &element)| _ = slot.write(element));
    }
}
