//! Loops that reduce contiguous elements: many accumulators next to each other, so that the loop is
//! made of vector instructions, and runs of them combined, so that the error of a sum grows slowly.
//!
//! How many lanes there are and which of them combine does not depend on the machine: results are the
//! same everywhere, bit for bit.

use core::hint::black_box;
use core::ops::Range;

use super::ops::{FlipBits, Largest, Reducer};

/// How many elements are reduced together: a second pass over them finds them in the L2 cache.
/// Blocks combine pairwise.
pub(crate) const BLOCK: usize = 1 << 14;

/// The parameters of the elements of a slice.
pub(crate) trait Params<P>: Copy {
    /// Those of some elements.
    fn within(self, range: Range<usize>) -> Self;

    /// Those of `L` elements from `start` on.
    fn lanes<const L: usize>(self, start: usize) -> [P; L];

    /// That of one element.
    fn one(self, index: usize) -> P;
}

/// The same parameter for all elements.
#[derive(Clone, Copy)]
pub(crate) struct Uniform<P>(pub P);

impl<P: Copy> Params<P> for Uniform<P> {
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
impl<P: Copy> Params<P> for &[P] {
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

/// How many elements each lane takes one after the other; the runs of a block, a few, combine.
const STEPS: usize = 64;

/// The accumulator of at least one and at most [`BLOCK`] elements.
#[inline(always)]
pub(super) fn fold_slice<T: Copy, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    params: impl Params<R::Param>,
) -> R::Accumulator {
    // As many lanes as fill half of the vector registers, so that additions overlap.
    match (elements.len(), size_of::<R::Accumulator>()) {
        (..8, _) => fold_scalar(reducer, elements, params),
        (..64, _) => fold_lanes::<T, R, 8>(reducer, elements, params),
        (_, ..=1) => fold_lanes::<T, R, 64>(reducer, elements, params),
        (_, ..=4) => fold_lanes::<T, R, 32>(reducer, elements, params),
        _ => fold_lanes::<T, R, 16>(reducer, elements, params),
    }
}

#[inline(always)]
fn fold_scalar<T: Copy, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    params: impl Params<R::Param>,
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
    params: impl Params<R::Param>,
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
    // Through memory, where lanes lie side by side: the compiler otherwise makes vectors of the
    // pairs that combine here.
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

/// Lane `i` takes the elements `i`, `i + L`, `i + 2 L` …
#[inline(always)]
fn fold_run<T: Copy, R: Reducer<T>, const L: usize>(
    reducer: R,
    elements: &[T],
    params: impl Params<R::Param>,
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
    // Through memory, so that the loop above does not split its vectors for the sake of this one.
    let mut lanes = black_box(lanes);
    let done = chunks.len() * L;
    for (lane, &element) in rest.iter().enumerate() {
        lanes[lane] =
            reducer.combine(lanes[lane], reducer.map_element(element, params.one(done + lane)));
    }
    lanes
}

/// The largest of at least one and at most [`BLOCK`] elements after some of their bits are flipped, which
/// stay flipped; NaN if there is one.
#[inline(always)]
pub(super) fn largest_of_slice<T: FlipBits>(elements: &[T], bits: T::Bits) -> T {
    const LANES: usize = 32;
    if elements.len() < 2 * LANES {
        return fold_slice(Largest(bits), elements, Uniform(()));
    }
    // NaNs apart from the others: to find out in one go whether an element is larger or NaN takes
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
        // Without a NaN there is the first element.
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
