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
    match elements.len() {
        ..8 => fold_scalar(reducer, elements, params),
        8..64 => fold_few(reducer, elements, params),
        _ if const { size_of::<R::Accumulator>() <= 4 } => {
            fold_lanes::<T, R, 32>(reducer, elements, params)
        }
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

/// [`fold_lanes`] for eight lanes and one run.
#[inline(always)]
fn fold_few<T: Copy, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    params: impl ElementParams<R::Param>,
) -> R::Accumulator {
    let done = elements.len() / 8 * 8;
    let of_run = fold_run::<T, R, 8>(reducer, &elements[..done], params.within(0..done));
    combine_eight(
        of_run,
        #[inline(always)]
        |a, b| reducer.combine(a, b),
        elements.len() - done,
        #[inline(always)]
        |lane| reducer.map_element(elements[done + lane], params.one(done + lane)),
    )
}

/// Combines eight lanes, of which the first `rest` take another accumulator each before.
#[inline(always)]
fn combine_eight<A: Copy>(
    lanes: [A; 8],
    combine: impl Fn(A, A) -> A,
    rest: usize,
    of_rest: impl Fn(usize) -> A,
) -> A {
    if rest == 0 {
        // Through memory, as in `fold_lanes`.
        let mut lanes = black_box(lanes);
        for width in [4, 2, 1] {
            for lane in 0..width {
                lanes[lane] = combine(lanes[lane], lanes[lane + width]);
            }
        }
        return lanes[0];
    }
    // One by one: loads of vectors would wait for the stores of their lanes.
    let lanes = black_box(lanes);
    let mut halves = [lanes[0]; 4];
    for lane in 0..4 {
        let [mut a, mut b] = [lanes[lane], lanes[lane + 4]];
        if lane < rest {
            a = combine(a, of_rest(lane));
        }
        if lane + 4 < rest {
            b = combine(b, of_rest(lane + 4));
        }
        halves[lane] = black_box(combine(a, b));
    }
    combine(combine(halves[0], halves[2]), combine(halves[1], halves[3]))
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
    if elements.len() < 8 || !T::IS_FLOAT {
        return fold_slice(Largest(bits), elements, Uniform(()));
    }
    if elements.len() < 2 * LANES {
        return largest_of_few(elements, bits);
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

/// [`largest_of_slice`] for at least eight elements, fewer than several vectors.
#[inline(always)]
fn largest_of_few<T: FlipBits>(elements: &[T], bits: T::Bits) -> T {
    let (mut largest, mut has_nan) = ([elements[0].flip(bits); 8], false);
    let (chunks, rest) = elements.as_chunks::<8>();
    for chunk in chunks {
        for lane in 0..8 {
            let element = chunk[lane].flip(bits);
            largest[lane] = if element > largest[lane] { element } else { largest[lane] };
            has_nan |= element.is_nan();
        }
    }
    for &element in rest {
        has_nan |= element.is_nan();
    }
    if has_nan {
        return fold_scalar(Largest(bits), elements, Uniform(()));
    }
    combine_eight(
        largest,
        #[inline(always)]
        |a, b| if b > a { b } else { a },
        rest.len(),
        #[inline(always)]
        |lane| rest[lane].flip(bits),
    )
}
