//! Operations along an axis that keep the sizes and need two numbers about all elements of a line,
//! such as their mean and their deviation from it.
//!
//! A line that lies in one piece is read again while it is in the cache. Other lines are read twice
//! and written once: a block of rows tells about all its columns.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::columns::{Rows, reduce_columns, reduce_narrow_columns, scratch_rows};
use super::elementwise::copy_strided;
use super::lanes::{All, BLOCK, Reduction, reduce_slice};
use super::parallel::{for_each_part, for_each_part_by_bytes};
use super::reduce::WIDTH;
use super::reductions::{ln, sqrt};
use super::simd_dispatch::in_vectors;
use super::summaries::{exponentials, moments};
use crate::array::plan::Loops;
use crate::element::{Float, Instructions, Number};

/// What each element of a line becomes, by two numbers about the line.
///
/// All of it is `#[inline(always)]`, as what [`in_vectors`] calls.
pub(crate) trait Normalization<T: Float>: Copy + Sync {
    /// The same with what the machine has.
    #[inline(always)]
    fn with(self, _: Instructions) -> Self {
        self
    }

    /// What finds two numbers about a line.
    fn summary(self) -> impl Reduction<T, About = (), Result = [T::Sum; 2]>;

    /// The two numbers as [`apply`](Normalization::apply) takes them.
    fn prepare(self, about: [T::Sum; 2]) -> [T::Sum; 2];

    /// What an element becomes.
    fn apply(self, element: T, about: [T::Sum; 2]) -> T;

    /// Writes what the elements of a line become, at most [`BLOCK`] of them. The line is in the
    /// cache after it was read for the first time.
    #[inline(always)]
    fn of_line(self, line: &[T], results: &mut [MaybeUninit<T>]) {
        let summary = self.summary();
        let about = self.prepare(summary.finish(summary.of_slice(line, All(())), ()));
        for (result, &element) in results.iter_mut().zip(line) {
            result.write(self.apply(element, about));
        }
    }
}

/// `x - ln Σ e^x`
#[derive(Clone, Copy)]
pub(crate) struct LogSoftmax(pub Instructions);

impl<T: Float> Normalization<T> for LogSoftmax {
    #[inline(always)]
    fn with(self, instructions: Instructions) -> Self {
        Self(instructions)
    }

    #[inline(always)]
    fn summary(self) -> impl Reduction<T, About = (), Result = [T::Sum; 2]> {
        exponentials::<T>(self.0)
    }

    #[inline(always)]
    fn prepare(self, [largest, sum]: [T::Sum; 2]) -> [T::Sum; 2] {
        [largest, ln::<T>(sum)]
    }

    #[inline(always)]
    fn apply(self, element: T, [largest, logarithm]: [T::Sum; 2]) -> T {
        T::narrow(element.widen().sub(largest).sub(logarithm))
    }
}

/// `(x - mean) / √(Σ (x - mean)² / divisor + epsilon)`
#[derive(Clone, Copy)]
pub(crate) struct Standardization {
    pub divisor: usize,
    pub epsilon: f64,
}

impl<T: Float> Normalization<T> for Standardization {
    #[inline(always)]
    fn summary(self) -> impl Reduction<T, About = (), Result = [T::Sum; 2]> {
        moments::<T>()
    }

    #[inline(always)]
    fn prepare(self, [mean, squares]: [T::Sum; 2]) -> [T::Sum; 2] {
        let variance = squares.div(T::Sum::from_f64(self.divisor as f64));
        [mean, sqrt::<T>(variance.add(T::Sum::from_f64(self.epsilon)))]
    }

    #[inline(always)]
    fn apply(self, element: T, [mean, deviation]: [T::Sum; 2]) -> T {
        T::narrow(element.widen().sub(mean).div(deviation))
    }
}

/// Writes the lines of a source `[..outer, n, ..inner]` in row-major order, normalized.
/// `block` is `n * inner`.
pub(crate) fn normalize_slice<T: Float, N: Normalization<T>>(
    source: &[T],
    [block, inner]: [usize; 2],
    results: &mut [MaybeUninit<T>],
    normalization: N,
) {
    assert_eq!(source.len(), results.len());
    if source.is_empty() {
        return;
    }
    for_each_part(results, block, |start, results| {
        let source = &source[start..][..results.len()];
        normalize_blocks(source, [block, inner], results, normalization);
    });
}

/// [`normalize_slice`] on one thread.
fn normalize_blocks<T: Float, N: Normalization<T>>(
    source: &[T],
    [block, inner]: [usize; 2],
    results: &mut [MaybeUninit<T>],
    normalization: N,
) {
    if inner == 1 && block <= BLOCK {
        return in_vectors(
            #[inline(always)]
            |instructions| {
                let normalization = normalization.with(instructions);
                for (results, line) in
                    results.chunks_exact_mut(block).zip(source.chunks_exact(block))
                {
                    normalization.of_line(line, results);
                }
            },
        );
    }
    let mut about = About::new(inner);
    for (results, source) in results.chunks_exact_mut(block).zip(source.chunks_exact(block)) {
        about.find(source, normalization);
        about.apply(source, results, normalization);
    }
}

/// [`normalize_slice`] for a source of any strides.
pub(crate) fn normalize_strides<T: Float, N: Normalization<T>>(
    source: &[T],
    loops: &Loops<'_, 1>,
    [block, inner]: [usize; 2],
    results: &mut [MaybeUninit<T>],
    normalization: N,
) {
    copy_strided(source, loops, results);
    if results.is_empty() {
        return;
    }
    if inner == 1 && block <= BLOCK {
        let mut line = vec![T::ZERO; block];
        for results in results.chunks_exact_mut(block) {
            // SAFETY: the kernel has written every element.
            line.copy_from_slice(unsafe { results.assume_init_ref() });
            in_vectors(
                #[inline(always)]
                |instructions| normalization.with(instructions).of_line(&line, results),
            );
        }
        return;
    }
    // SAFETY: as above.
    let results = unsafe { results.assume_init_mut() };
    let mut about = About::new(inner);
    for block in results.chunks_exact_mut(block) {
        about.find(block, normalization);
        about.change(block, normalization);
    }
}

/// Columns fewer than these are taken several rows at a time.
const WIDE: usize = 256;

/// A thread takes a multiple of so many columns: shorter runs are read slowly.
const COLUMNS: usize = 256;

/// Two numbers about each column of a block `[n, inner]`, again and again to the width of a vector
/// and more.
struct About<S> {
    inner: usize,
    first: Vec<S>,
    second: Vec<S>,
}

impl<S: Number> About<S> {
    fn new(inner: usize) -> Self {
        let width = if inner < WIDE { WIDE / inner * inner } else { inner };
        Self { inner, first: vec![S::ZERO; width], second: vec![S::ZERO; width] }
    }

    fn set(&mut self, column: usize, [first, second]: [S; 2]) {
        (self.first[column], self.second[column]) = (first, second);
    }

    /// Finds the numbers about the columns of a block.
    ///
    /// One block may be so large that threads share it; many blocks are shared before.
    fn find<T: Float<Sum = S>>(&mut self, block: &[T], normalization: impl Normalization<T>) {
        let summary = normalization.summary();
        if self.inner == 1 {
            let about = summary.finish(reduce_slice(summary, block, All(())), ());
            self.set(0, normalization.prepare(about));
        } else {
            self.find_columns(block, summary, normalization);
        }
        for column in self.inner..self.first.len() {
            self.set(column, [self.first[column - self.inner], self.second[column - self.inner]]);
        }
    }

    fn find_columns<T: Float<Sum = S>, R: Reduction<T, About = (), Result = [S; 2]>>(
        &mut self,
        block: &[T],
        summary: R,
        normalization: impl Normalization<T>,
    ) {
        let (inner, count) = (self.inner, block.len() / self.inner);
        let mut found = vec![[S::ZERO; 2]; inner];
        for_each_part_by_bytes(&mut found, size_of_val(block), COLUMNS, |first, found| {
            let width = WIDTH.min(found.len());
            let memory = width * (1 + scratch_rows::<T, R>(count));
            let any = summary.of_slice(&block[..1], All(()));
            let mut memory: SmallVec<[R::Partial; 64]> = SmallVec::from_elem(any, memory);
            let (partials, scratch) = memory.split_at_mut(width);
            for (index, found) in found.chunks_mut(width).enumerate() {
                let partials = &mut partials[..found.len()];
                let start = (first + index * width) as isize;
                let rows = Rows { elements: block, start, stride: inner as isize, count };
                if !reduce_narrow_columns(summary, rows, All(()), partials) {
                    reduce_columns(summary, rows, All(()), partials, scratch);
                }
                for (found, &partial) in found.iter_mut().zip(&*partials) {
                    *found = normalization.prepare(summary.finish(partial, ()));
                }
            }
        });
        for (column, found) in found.into_iter().enumerate() {
            self.set(column, found);
        }
    }

    /// Writes what the elements of a block become.
    fn apply<T: Float<Sum = S>>(
        &self,
        block: &[T],
        results: &mut [MaybeUninit<T>],
        normalization: impl Normalization<T>,
    ) {
        let width = self.first.len();
        for_each_part(results, width, |start, results| {
            let block = &block[start..][..results.len()];
            in_vectors(
                #[inline(always)]
                |instructions| {
                    let normalization = normalization.with(instructions);
                    for (results, block) in results.chunks_mut(width).zip(block.chunks(width)) {
                        self.apply_row(block, results, normalization);
                    }
                },
            );
        });
    }

    #[inline(always)]
    fn apply_row<T: Float<Sum = S>>(
        &self,
        row: &[T],
        results: &mut [MaybeUninit<T>],
        normalization: impl Normalization<T>,
    ) {
        let about = self.first.iter().zip(&self.second);
        for ((result, &element), (&first, &second)) in results.iter_mut().zip(row).zip(about) {
            result.write(normalization.apply(element, [first, second]));
        }
    }

    /// [`apply`](About::apply) to a block where it is.
    fn change<T: Float<Sum = S>>(&self, block: &mut [T], normalization: impl Normalization<T>) {
        in_vectors(
            #[inline(always)]
            |instructions| {
                let normalization = normalization.with(instructions);
                for row in block.chunks_mut(self.first.len()) {
                    let about = self.first.iter().zip(&self.second);
                    for (element, (&first, &second)) in row.iter_mut().zip(about) {
                        *element = normalization.apply(*element, [first, second]);
                    }
                }
            },
        );
    }
}
