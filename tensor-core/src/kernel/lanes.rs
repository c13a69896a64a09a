//! Reducing a slice: many partial results next to each other, so that the loop is made of vector
//! instructions, and blocks of them joined pairwise, so that the error of a sum grows with the
//! logarithm of its length.

use core::array::from_fn;
use core::ops::Range;

/// How elements become one result: each is lifted to a partial result, and partial results join.
///
/// Joining is associative and commutes, up to rounding; elements join in no particular order.
pub(crate) trait Reduction<T>: Copy {
    /// What is known beforehand about the result that an element goes to, for example its mean.
    type About: Copy;
    /// What some of the elements amount to.
    type Partial: Copy;
    /// What all of them give.
    type Result;

    /// Whether rounding makes it worth while to join halves rather than one after the other.
    const PAIRWISE: bool;

    /// A partial result that changes nothing when it joins `first` and others: the one of no
    /// element, or `first` again where it does not count how often an element joins.
    fn start(self, first: T) -> Self::Partial;

    /// The partial result of one element.
    fn lift(self, element: T, about: Self::About) -> Self::Partial;

    /// The partial result of both.
    fn join(self, a: Self::Partial, b: Self::Partial) -> Self::Partial;

    /// The partial result of no element; `None` where there is none, and the operation has refused
    /// to reduce nothing.
    fn empty(self) -> Option<Self::Partial>;

    /// The result of all elements.
    fn finish(self, partial: Self::Partial, about: Self::About) -> Self::Result;
}

/// What is known about the elements of a slice.
pub(crate) trait Known<A>: Copy {
    /// About some elements of it.
    fn within(self, range: Range<usize>) -> Self;

    /// About `L` elements from `start` on.
    fn lanes<const L: usize>(self, start: usize) -> [A; L];

    /// About one element.
    fn one(self, index: usize) -> A;
}

/// The same about all elements.
#[derive(Clone, Copy)]
pub(crate) struct All<A>(pub A);

impl<A: Copy> Known<A> for All<A> {
    #[inline(always)]
    fn within(self, _: Range<usize>) -> Self {
        self
    }

    #[inline(always)]
    fn lanes<const L: usize>(self, _: usize) -> [A; L] {
        [self.0; L]
    }

    #[inline(always)]
    fn one(self, _: usize) -> A {
        self.0
    }
}

/// Something about each element.
impl<A: Copy> Known<A> for &[A] {
    #[inline(always)]
    fn within(self, range: Range<usize>) -> Self {
        &self[range]
    }

    #[inline(always)]
    fn lanes<const L: usize>(self, start: usize) -> [A; L] {
        *self[start..].first_chunk().expect("as many as there are elements")
    }

    #[inline(always)]
    fn one(self, index: usize) -> A {
        self[index]
    }
}

/// How many elements each lane takes one after the other before halves join.
const STEPS: usize = 64;

/// The partial result of a slice that is not empty.
#[inline(always)]
pub(crate) fn reduce_slice<T: Copy, R: Reduction<T>>(
    reduction: R,
    elements: &[T],
    about: impl Known<R::About>,
) -> R::Partial {
    // As many lanes as fill half of the vector registers, so that additions overlap.
    match (elements.len(), size_of::<R::Partial>()) {
        (..8, _) => one_by_one(reduction, elements, about),
        (..64, _) => in_lanes::<T, R, 8>(reduction, elements, about),
        (_, ..=1) => in_lanes::<T, R, 64>(reduction, elements, about),
        (_, ..=4) => in_lanes::<T, R, 32>(reduction, elements, about),
        _ => in_lanes::<T, R, 16>(reduction, elements, about),
    }
}

#[inline(always)]
fn one_by_one<T: Copy, R: Reduction<T>>(
    reduction: R,
    elements: &[T],
    about: impl Known<R::About>,
) -> R::Partial {
    let mut partial = reduction.start(elements[0]);
    for (index, &element) in elements.iter().enumerate() {
        partial = reduction.join(partial, reduction.lift(element, about.one(index)));
    }
    partial
}

#[inline(never)]
fn in_lanes<T: Copy, R: Reduction<T>, const L: usize>(
    reduction: R,
    elements: &[T],
    about: impl Known<R::About>,
) -> R::Partial {
    let mut lanes = in_blocks::<T, R, L>(reduction, elements, about);
    let mut width = L;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = reduction.join(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

/// Lane `i` reduces the elements `i`, `i + L`, `i + 2 L` …
fn in_blocks<T: Copy, R: Reduction<T>, const L: usize>(
    reduction: R,
    elements: &[T],
    about: impl Known<R::About>,
) -> [R::Partial; L] {
    let len = elements.len();
    if R::PAIRWISE && len > STEPS * L {
        let half = (len / 2).next_multiple_of(STEPS * L);
        let first = in_blocks::<T, R, L>(reduction, &elements[..half], about.within(0..half));
        let second = in_blocks::<T, R, L>(reduction, &elements[half..], about.within(half..len));
        return from_fn(|lane| reduction.join(first[lane], second[lane]));
    }
    let mut lanes = [reduction.start(elements[0]); L];
    let (chunks, rest) = elements.as_chunks::<L>();
    for (index, chunk) in chunks.iter().enumerate() {
        let about = about.lanes::<L>(index * L);
        for lane in 0..L {
            lanes[lane] = reduction.join(lanes[lane], reduction.lift(chunk[lane], about[lane]));
        }
    }
    let done = chunks.len() * L;
    for (lane, &element) in rest.iter().enumerate() {
        lanes[lane] = reduction.join(lanes[lane], reduction.lift(element, about.one(done + lane)));
    }
    lanes
}
