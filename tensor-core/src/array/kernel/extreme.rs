//! Where the largest or the smallest element is: the first of them, or the first NaN.
//!
//! The extreme is found first, by its [fold](super::reductions), and then its place. Both are loops
//! of vector instructions, and the second one often ends early.

use core::mem::MaybeUninit;

use super::columns::{ROWS, Rows, reduce_columns};
use super::lanes::{All, Reduction, reduce_slice};
use super::lines::{Lines, Source};
use super::reduce::{WIDTH, reduce_all};
use super::simd_dispatch::in_vectors;
use crate::array::plan::Loops;
use crate::element::Number;

/// The reduction to the largest or to the smallest element.
pub(crate) trait Extreme<T>: Reduction<T, About = (), Partial = T, Result = T> {}

impl<T, R: Reduction<T, About = (), Partial = T, Result = T>> Extreme<T> for R {}

/// Whether an element is the extreme, which is NaN if some element is.
#[inline(always)]
fn is_extreme<T: Number>(element: T, extreme: T) -> bool {
    (element == extreme) | (element.is_nan() & extreme.is_nan())
}

/// The first place of the extreme in a slice that has it.
fn place_in_slice<T: Number>(elements: &[T], extreme: T) -> usize {
    let before = in_vectors(
        #[inline(always)]
        |_| {
            let mut before = 0;
            for chunk in elements.chunks(64) {
                let mut found = false;
                for &element in chunk {
                    found |= is_extreme(element, extreme);
                }
                if found {
                    break;
                }
                before += chunk.len();
            }
            before
        },
    );
    let mut rest = elements[before..].iter();
    before + rest.position(|&x| is_extreme(x, extreme)).expect("an element is the extreme")
}

/// The place of the extreme among all elements, in row-major order.
pub(crate) fn place_of_all<T: Number>(source: Source<'_, T>, extreme: impl Extreme<T>) -> usize {
    let extreme = reduce_all(source, extreme, ());
    let loops = Loops::of_strides(source.sizes, [source.strides], [source.offset]);
    let [rows, columns] = loops.block();
    let (mut passed, mut place) = (0, None);
    loops.for_each_block(|[start]| {
        if place.is_some() {
            return;
        }
        let indices = (0..rows.size * columns.size).map(|index| {
            let (row, column) = ((index / columns.size) as isize, (index % columns.size) as isize);
            start + row * rows.strides[0] + column * columns.strides[0]
        });
        for (index, at) in indices.enumerate() {
            if is_extreme(source.elements[at as usize], extreme) {
                place = Some(passed + index);
                return;
            }
        }
        passed += rows.size * columns.size;
    });
    place.expect("an element is the extreme")
}

/// The place of the extreme in a slice that is not empty.
pub(crate) fn place_of_slice<T: Number>(elements: &[T], extreme: impl Extreme<T>) -> usize {
    place_in_slice(elements, reduce_slice(extreme, elements, All(())))
}

/// Writes the places of the extremes along `axis`, which has at least one element; the results are
/// in row-major order of the other axes.
///
/// # Panics
///
/// When `results` has another length, or when a stride leads out of the elements.
pub(crate) fn place_along_axis<T: Number>(
    source: Source<'_, T>,
    axis: usize,
    extreme: impl Extreme<T>,
    results: &mut [MaybeUninit<i64>],
) {
    let lines = Lines::of(source, axis);
    assert_eq!(results.len(), lines.count, "one slot for each result");
    if results.is_empty() {
        return;
    }
    let (along, columns, elements) = (lines.along, lines.columns, source.elements);
    let width = WIDTH.min(columns.size);
    let countable = u32::try_from(along.size).is_ok();
    if along.strides[0] != 1 && columns.strides[0] == 1 && width > 1 && countable {
        let mut found = Found::new(elements[source.offset], width);
        lines.for_each_row(|start, result| {
            for first in (0..columns.size).step_by(width) {
                let width = width.min(columns.size - first);
                let start = start + first as isize;
                let rows = Rows { elements, start, stride: along.strides[0], count: along.size };
                for (column, &place) in found.in_rows(rows, extreme, width).iter().enumerate() {
                    let result = result + (first + column) as isize * columns.strides[1];
                    results[result as usize].write(i64::from(place));
                }
            }
        });
    } else {
        let mut gathered = Vec::new();
        lines.for_each_row(|start, result| {
            for column in 0..columns.size as isize {
                let start = start + column * columns.strides[0];
                let line = if along.strides[0] == 1 {
                    &elements[start as usize..][..along.size]
                } else {
                    let steps = 0..along.size as isize;
                    gathered.clear();
                    gathered.extend(
                        steps.map(|step| elements[(start + step * along.strides[0]) as usize]),
                    );
                    &gathered
                };
                let place = place_of_slice(line, extreme) as i64;
                results[(result + column * columns.strides[1]) as usize].write(place);
            }
        });
    }
}

/// The extremes of neighbouring columns and their places, of all rows so far and of a block of them.
///
/// Places have 32 bits, so that as many fit into a vector as elements of the usual types.
struct Found<T> {
    extremes: Vec<T>,
    places: Vec<u32>,
    of_block: Vec<T>,
    in_block: Vec<u32>,
}

impl<T: Number> Found<T> {
    fn new(any: T, width: usize) -> Self {
        let (extremes, places) = (vec![any; width], vec![0; width]);
        Self { of_block: extremes.clone(), in_block: places.clone(), extremes, places }
    }

    /// The first row that has the extreme of its column, for some columns. A block of rows is read
    /// again while it is in the cache.
    fn in_rows(&mut self, rows: Rows<'_, T>, extreme: impl Extreme<T>, width: usize) -> &[u32] {
        let (extremes, places) = (&mut self.extremes[..width], &mut self.places[..width]);
        let (of_block, in_block) = (&mut self.of_block[..width], &mut self.in_block[..width]);
        for first in (0..rows.count).step_by(ROWS) {
            let block = Rows { count: ROWS.min(rows.count - first), ..rows.from(first) };
            reduce_columns(extreme, block, All(()), of_block, &mut []);
            places_in_rows(block, of_block, in_block);
            if first == 0 {
                extremes.copy_from_slice(of_block);
                places.copy_from_slice(in_block);
            } else {
                let places = places.iter_mut().zip(&*in_block);
                let found = extremes.iter_mut().zip(&*of_block).zip(places);
                for ((best, &of_block), (place, &in_block)) in found {
                    if !is_extreme(*best, extreme.join(*best, of_block)) {
                        (*best, *place) = (of_block, first as u32 + in_block);
                    }
                }
            }
        }
        places
    }
}

/// The first row that has the extreme of its column: the last one found from the end. A function of
/// its own, so that the compiler knows that `places` is apart from the rest.
#[inline(never)]
fn places_in_rows<T: Number>(rows: Rows<'_, T>, extremes: &[T], places: &mut [u32]) {
    for row in (0..rows.count).rev() {
        let elements = rows.row(row, extremes.len());
        for ((place, &element), &extreme) in places.iter_mut().zip(elements).zip(extremes) {
            let before = *place;
            *place = if is_extreme(element, extreme) { row as u32 } else { before };
        }
    }
}
