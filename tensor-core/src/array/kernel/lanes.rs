//! Reducing a slice: many partial results next to each other, so that the loop is made of vector
//! instructions, and blocks of them joined pairwise, so that the error of a sum grows with the
//! logarithm of its length.
//!
//! How many lanes there are and which of them join does not depend on the machine, nor on who
//! reduces which block: results are the same everywhere, bit for bit.

use core::hint::black_box;
use core::ops::Range;

use smallvec::SmallVec;

use super::columns::{Rows, fold_rows};
use super::parallel::{for_each_part_by_bytes, is_shared};
use super::reductions::{AllTrue, AnyTrue, Maximum, Minimum, Product, Sum, Terms, Truth};
use super::simd_dispatch::in_vectors;
use crate::element::{Instructions, Number};

/// How elements become one result, a block of them at a time: a block has a partial result, and
/// partial results join.
///
/// Joining is associative and commutes, up to rounding; elements join in no particular order. What
/// reduces a block is `#[inline(always)]`, so that it takes the instruction set of its caller.
pub(crate) trait Reduction<T>: Copy + Sync {
    /// What is known beforehand about the result that an element goes to, for example a factor.
    type About: Copy + Sync;
    /// What some of the elements amount to.
    type Partial: Copy + Send;
    /// What all of them give.
    type Result: Send;

    /// Whether rounding makes it worth while to join halves rather than one after the other.
    const PAIRWISE: bool;

    /// The same with what the machine has.
    #[inline(always)]
    fn with(self, _: Instructions) -> Self {
        self
    }

    /// The partial result of at least one and at most [`BLOCK`] elements.
    fn of_slice(self, elements: &[T], about: impl Known<Self::About>) -> Self::Partial;

    /// The partial results of the columns of some rows, at most
    /// [`ROWS`](super::columns::ROWS) of them if halves join.
    fn of_rows(
        self,
        rows: Rows<'_, T>,
        about: impl Known<Self::About>,
        partials: &mut [Self::Partial],
    );

    /// The partial result of both.
    fn join(self, a: Self::Partial, b: Self::Partial) -> Self::Partial;

    /// The partial result of no element; `None` where there is none, and the operation has refused
    /// to reduce nothing.
    fn empty(self) -> Option<Self::Partial>;

    /// The result of all elements.
    fn finish(self, partial: Self::Partial, about: Self::About) -> Self::Result;
}

/// A [`Reduction`] in one pass: each element is lifted to a partial result, and they join.
pub(crate) trait Fold<T>: Copy + Sync {
    type About: Copy + Sync;
    type Partial: Copy + Send;
    type Result: Send;
    const PAIRWISE: bool;

    /// The same with what the machine has.
    #[inline(always)]
    fn with(self, _: Instructions) -> Self {
        self
    }

    /// A partial result that changes nothing when it joins `first` and others: the one of no
    /// element, or `first` again where it does not count how often an element joins.
    fn start(self, first: T) -> Self::Partial;

    /// The partial result of one element.
    fn lift(self, element: T, about: Self::About) -> Self::Partial;

    /// See [`Reduction`], as for what follows.
    fn join(self, a: Self::Partial, b: Self::Partial) -> Self::Partial;
    fn empty(self) -> Option<Self::Partial>;
    fn finish(self, partial: Self::Partial, about: Self::About) -> Self::Result;
}

/// Stamps out what makes a [`Fold`] a [`Reduction`].
macro_rules! folds {
    ($(impl<$T:ident: $Bound:ident $(, $F:ident: $Terms:path)?> for $Fold:ty;)*) => {$(
        impl<$T: $Bound $(, $F: $Terms)?> Reduction<$T> for $Fold {
            type About = <Self as Fold<$T>>::About;
            type Partial = <Self as Fold<$T>>::Partial;
            type Result = <Self as Fold<$T>>::Result;
            const PAIRWISE: bool = <Self as Fold<$T>>::PAIRWISE;

            #[inline(always)]
            fn with(self, instructions: Instructions) -> Self {
                Fold::<$T>::with(self, instructions)
            }

            #[inline(always)]
            fn of_slice(self, elements: &[$T], about: impl Known<Self::About>) -> Self::Partial {
                fold_slice(self, elements, about)
            }

            #[inline(always)]
            fn of_rows(
                self,
                rows: Rows<'_, $T>,
                about: impl Known<Self::About>,
                partials: &mut [Self::Partial],
            ) {
                fold_rows(self, rows, about, partials);
            }

            #[inline(always)]
            fn join(self, a: Self::Partial, b: Self::Partial) -> Self::Partial {
                Fold::<$T>::join(self, a, b)
            }

            #[inline(always)]
            fn empty(self) -> Option<Self::Partial> {
                Fold::<$T>::empty(self)
            }

            #[inline(always)]
            fn finish(self, partial: Self::Partial, about: Self::About) -> Self::Result {
                Fold::<$T>::finish(self, partial, about)
            }
        }
    )*};
}

folds! {
    impl<T: Number, F: Terms<T>> for Sum<F>;
    impl<T: Number> for Product;
    impl<T: Number> for Maximum;
    impl<T: Number> for Minimum;
    impl<T: Truth> for AllTrue;
    impl<T: Truth> for AnyTrue;
}

/// What is known about the elements of a slice.
pub(crate) trait Known<A>: Copy + Sync {
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

impl<A: Copy + Sync> Known<A> for All<A> {
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
impl<A: Copy + Sync> Known<A> for &[A] {
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

/// How many elements of a slice are reduced together: a second pass over them finds them in the
/// cache.
pub(crate) const BLOCK: usize = 1 << 14;

/// Slices that are too short for it to matter which instruction set the loop has.
const SHORT: usize = 32;

/// The partial result of a slice that is not empty: of its blocks, [joined](join_all) in order.
pub(crate) fn reduce_slice<T: Copy + Sync, R: Reduction<T>>(
    reduction: R,
    elements: &[T],
    about: impl Known<R::About>,
) -> R::Partial {
    if elements.len() < SHORT {
        return reduction.of_slice(elements, about);
    }
    let of_block = |(index, block): (usize, &[T])| {
        let start = index * BLOCK;
        let about = about.within(start..start + block.len());
        in_vectors(
            #[inline(always)]
            |instructions| reduction.with(instructions).of_slice(block, about),
        )
    };
    let blocks = || elements.chunks(BLOCK).enumerate();
    if !is_shared(size_of_val(elements)) {
        return join_all(reduction, blocks().map(of_block)).expect("some element");
    }
    let mut partials = vec![None; blocks().len()];
    for_each_part_by_bytes(&mut partials, size_of_val(elements), 1, |start, partials| {
        for (partial, block) in partials.iter_mut().zip(blocks().skip(start)) {
            *partial = Some(of_block(block));
        }
    });
    join_all(reduction, partials.into_iter().flatten()).expect("some element")
}

/// The partial results of blocks, joined pairwise. What comes out depends on the blocks and their
/// order alone: they may be computed anywhere.
pub(crate) fn join_all<T, R: Reduction<T>>(
    reduction: R,
    blocks: impl Iterator<Item = R::Partial>,
) -> Option<R::Partial> {
    let mut all = Pairwise::new();
    blocks.for_each(|block| all.push(reduction, block));
    all.finish(reduction)
}

/// Partial results, joined as soon as two of the same size are there: pairwise.
pub(super) struct Pairwise<P> {
    partials: SmallVec<[P; 8]>,
    count: usize,
}

impl<P: Copy> Pairwise<P> {
    pub(super) fn new() -> Self {
        Self { partials: SmallVec::new(), count: 0 }
    }

    pub(super) fn push<T, R: Reduction<T, Partial = P>>(&mut self, reduction: R, mut partial: P) {
        for _ in 0..self.count.trailing_ones() {
            if let Some(before) = self.partials.pop() {
                partial = reduction.join(before, partial);
            }
        }
        self.partials.push(partial);
        self.count += 1;
    }

    pub(super) fn finish<T, R: Reduction<T, Partial = P>>(mut self, reduction: R) -> Option<P> {
        let mut all = self.partials.pop()?;
        while let Some(before) = self.partials.pop() {
            all = reduction.join(before, all);
        }
        Some(all)
    }
}

/// How many elements each lane takes one after the other; the runs of a block, a few, join.
const STEPS: usize = 64;

/// The partial result of at least one and at most [`BLOCK`] elements.
#[inline(always)]
pub(super) fn fold_slice<T: Copy, F: Fold<T>>(
    fold: F,
    elements: &[T],
    about: impl Known<F::About>,
) -> F::Partial {
    // As many lanes as fill half of the vector registers, so that additions overlap.
    match (elements.len(), size_of::<F::Partial>()) {
        (..8, _) => one_by_one(fold, elements, about),
        (..64, _) => in_lanes::<T, F, 8>(fold, elements, about),
        (_, ..=1) => in_lanes::<T, F, 64>(fold, elements, about),
        (_, ..=4) => in_lanes::<T, F, 32>(fold, elements, about),
        _ => in_lanes::<T, F, 16>(fold, elements, about),
    }
}

#[inline(always)]
fn one_by_one<T: Copy, F: Fold<T>>(
    fold: F,
    elements: &[T],
    about: impl Known<F::About>,
) -> F::Partial {
    let mut partial = fold.start(elements[0]);
    for (index, &element) in elements.iter().enumerate() {
        partial = fold.join(partial, fold.lift(element, about.one(index)));
    }
    partial
}

#[inline(always)]
fn in_lanes<T: Copy, F: Fold<T>, const L: usize>(
    fold: F,
    elements: &[T],
    about: impl Known<F::About>,
) -> F::Partial {
    let run = if F::PAIRWISE { STEPS * L } else { elements.len() };
    let mut lanes = [fold.start(elements[0]); L];
    for (index, elements) in elements.chunks(run).enumerate() {
        let start = index * run;
        let about = about.within(start..start + elements.len());
        let of_run = in_one_run::<T, F, L>(fold, elements, about);
        for lane in 0..L {
            lanes[lane] = fold.join(lanes[lane], of_run[lane]);
        }
    }
    // Through memory, where lanes lie side by side: the compiler otherwise makes vectors of the
    // pairs that join here.
    let mut lanes = black_box(lanes);
    let mut width = L;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            lanes[lane] = fold.join(lanes[lane], lanes[lane + width]);
        }
    }
    lanes[0]
}

/// Lane `i` takes the elements `i`, `i + L`, `i + 2 L` …
#[inline(always)]
fn in_one_run<T: Copy, F: Fold<T>, const L: usize>(
    fold: F,
    elements: &[T],
    about: impl Known<F::About>,
) -> [F::Partial; L] {
    let mut lanes = [fold.start(elements[0]); L];
    let (chunks, rest) = elements.as_chunks::<L>();
    for (index, chunk) in chunks.iter().enumerate() {
        let about = about.lanes::<L>(index * L);
        for lane in 0..L {
            lanes[lane] = fold.join(lanes[lane], fold.lift(chunk[lane], about[lane]));
        }
    }
    // Through memory, so that the loop above does not split its vectors for the sake of this one.
    let mut lanes = black_box(lanes);
    let done = chunks.len() * L;
    for (lane, &element) in rest.iter().enumerate() {
        lanes[lane] = fold.join(lanes[lane], fold.lift(element, about.one(done + lane)));
    }
    lanes
}
