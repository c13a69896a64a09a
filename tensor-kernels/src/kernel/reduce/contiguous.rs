//! Loops that reduce contiguous elements: many adjacent accumulators, so that the loop is
//! vectorised, and runs of them are combined, so that the error of a sum grows slowly.
//!
//! The number of lanes and the order of combination do not depend on the machine: results are
//! bit-identical everywhere.

use core::hint::black_box;
use core::ops::Range;

use super::ops::{FlipBits, Largest, Reducer};
use crate::element::Element;

/// The number of elements that are reduced together: a second pass over them finds them in the L2 cache.
/// Blocks are combined pairwise.
pub(crate) const BLOCK: usize = 1 << 14;

/// The parameters of the elements of a slice.
pub(crate) trait ElementParams<P>: Copy {
    /// The parameters of a range of elements.
    fn within(self, range: Range<usize>) -> Self;

    /// The parameters of `L` elements, starting at `start`.
    fn lanes<const L: usize>(self, start: usize) -> [P; L];

    /// The parameter of one element.
    fn one(self, index: usize) -> P;
}

/// The same parameter for all elements.
#[derive(Clone, Copy)]
pub(crate) struct Uniform<P>(pub P);

impl<P: Copy> ElementParams<P> for Uniform<P> {
    #[inline(always)]
    fn within(self, _: Range<usize>) -> Self {
        self
    }

    #[inline(always)]
    fn lanes<const L: usize>(self, _: usize) -> [P; L] {
        [self.0; L]
    }

    #[inline(always)]
    fn one(self, _: usize) -> P {
        self.0
    }
}

/// A parameter for each element.
impl<P: Copy> ElementParams<P> for &[P] {
    #[inline(always)]
    fn within(self, range: Range<usize>) -> Self {
        &self[range]
    }

    #[inline(always)]
    fn lanes<const L: usize>(self, start: usize) -> [P; L] {
        *self[start..].first_chunk().expect("one for each element")
    }

    #[inline(always)]
    fn one(self, index: usize) -> P {
        self[index]
    }
}

/// The number of elements that each lane takes in a row; the few runs of a block are then combined.
pub(crate) const STEPS: usize = 64;

/// The accumulator of at least one and at most [`BLOCK`] elements.
#[inline(always)]
pub(in crate::kernel) fn fold_slice<T: Element, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    params: impl ElementParams<R::Param>,
) -> R::Accumulator {
    // Integers are combined in any order: the compiler finds vectors itself.
    if !T::IS_FLOAT {
        return fold_scalar(reducer, elements, params.within(0..elements.len()));
    }
    // The lanes fill half of the vector registers, so that additions overlap.
    match (elements.len(), size_of::<R::Accumulator>()) {
        (..8, _) => fold_scalar(reducer, elements, params),
        (..64, _) => fold_lanes::<T, R, 8>(reducer, elements, params),
        (_, ..=4) => fold_lanes::<T, R, 32>(reducer, elements, params),
        _ => fold_lanes::<T, R, 16>(reducer, elements, params),
    }
}

#[inline(always)]
fn fold_scalar<T: Copy, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    params: impl ElementParams<R::Param>,
) -> R::Accumulator {
    let mut accumulator = reducer.start(elements[0]);
    for (index, &element) in elements.iter().enumerate() {
        accumulator = reducer.combine(accumulator, reducer.map_element(element, params.one(index)));
    }
    accumulator
}

#[inline(always)]
fn fold_lanes<T: Copy, R: Reducer<T>, const L: usize>(
    reducer: R,
    elements: &[T],
    params: impl ElementParams<R::Param>,
) -> R::Accumulator {
    let run = if R::PAIRWISE { STEPS * L } else { elements.len() };
    let mut lanes = [reducer.start(elements[0]); L];
    for (index, elements) in elements.chunks(run).enumerate() {
        let start = index * run;
        let params = params.within(start..start + elements.len());
        let of_run = fold_run::<T, R, L>(reducer, elements, params);
        for lane in 0..L {
            lanes[lane] = reducer.combine(lanes[lane], of_run[lane]);
        }
    }
    // Through memory, where lanes are adjacent: the compiler otherwise builds vectors of the
    // pairs that are combined here.
    let mut lanes = black_box(lanes);
    let mut width = L;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = reducer.combine(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

/// The number of lanes of [`fold_group`].
pub(super) const GROUP: usize = 8;

/// The lengths of the lanes of [`fold_group`].
pub(super) const GROUPED: Range<usize> = GROUP..64;

/// The accumulators of lanes of the same length, one of [`GROUPED`], with the bits of [`fold_slice`]: the last eight
/// accumulators of all lanes are combined together.
#[inline(always)]
pub(super) fn fold_group<T: Copy, R: Reducer<T>>(
    reducer: R,
    lines: [&[T]; GROUP],
    params: [R::Param; GROUP],
) -> [R::Accumulator; GROUP] {
    let mut lanes = [[reducer.start(lines[0][0]); GROUP]; GROUP];
    for (index, lanes) in lanes.iter_mut().enumerate() {
        let start = [reducer.start(lines[index][0]); GROUP];
        let of_run = fold_run::<T, R, GROUP>(reducer, lines[index], Uniform(params[index]));
        for lane in 0..GROUP {
            lanes[lane] = reducer.combine(start[lane], of_run[lane]);
        }
    }
    // Through memory, where the accumulators of a lane are adjacent; then those of all lanes are.
    let of_lines = black_box(lanes);
    for line in 0..GROUP {
        for lane in 0..GROUP {
            lanes[lane][line] = of_lines[line][lane];
        }
    }
    for width in [4, 2, 1] {
        for lane in 0..width {
            let others = lanes[lane + width];
            for (lane, other) in lanes[lane].iter_mut().zip(others) {
                *lane = reducer.combine(*lane, other);
            }
        }
    }
    lanes[0]
}

/// Lane `i` takes the elements `i`, `i + L`, `i + 2 L` …
#[inline(always)]
fn fold_run<T: Copy, R: Reducer<T>, const L: usize>(
    reducer: R,
    elements: &[T],
    params: impl ElementParams<R::Param>,
) -> [R::Accumulator; L] {
    let mut lanes = [reducer.start(elements[0]); L];
    let (chunks, rest) = elements.as_chunks::<L>();
    for (index, chunk) in chunks.iter().enumerate() {
        let params = params.lanes::<L>(index * L);
        for lane in 0..L {
            lanes[lane] =
                reducer.combine(lanes[lane], reducer.map_element(chunk[lane], params[lane]));
        }
    }
    // A load of the vectors that were stored for the next loop would wait.
    if rest.is_empty() {
        return lanes;
    }
    // Through memory, so that the loop above does not split its vectors for this one.
    let mut lanes = black_box(lanes);
    let done = chunks.len() * L;
    for (lane, &element) in rest.iter().enumerate() {
        lanes[lane] =
            reducer.combine(lanes[lane], reducer.map_element(element, params.one(done + lane)));
    }
    lanes
}

/// The largest of at least one and at most [`BLOCK`] elements after some of their bits are flipped; these
/// bits stay flipped in the result. NaN if there is one.
#[inline(always)]
pub(super) fn largest_of_slice<T: FlipBits>(elements: &[T], bits: T::Bits) -> T {
    const LANES: usize = 32;
    if elements.len() < 2 * LANES || !T::IS_FLOAT {
        return fold_slice(Largest(bits), elements, Uniform(()));
    }
    // NaNs are collected separately: testing in one step whether an element is larger or NaN takes
    // several instructions, each of which waits for the one before.
    let first = elements[0].flip(bits);
    let (mut largest, mut nans) = ([first; LANES], [first; LANES]);
    let (chunks, rest) = elements.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            let element = chunk[lane].flip(bits);
            largest[lane] = if element > largest[lane] { element } else { largest[lane] };
            nans[lane] = if element.is_nan() { element } else { nans[lane] };
        }
    }
    // Through memory, as in `fold_lanes`.
    let (mut largest, nans) = black_box((largest, nans));
    for lane in 0..LANES {
        // A lane without a NaN has the first element here.
        largest[lane] = largest[lane].maximum(nans[lane]);
    }
    for (lane, &element) in rest.iter().enumerate() {
        largest[lane] = largest[lane].maximum(element.flip(bits));
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            largest[lane] = largest[lane].maximum(largest[lane + width]);
        }
    }
    largest[0]
}
