//! Inner loops: the only code that exists once for each operation and element type.
//!
//! An inner loop computes a [`Block`] of results from rows that are contiguous or one element repeated.
//! The [driver](super::elementwise) brings operands of any layout into that form and calls the loop
//! through the pointer in a [`Kernel`], some hundred elements at a time.
//!
//! A row is computed a vector at a time: all operands of the vector are loaded before it is stored,
//! and the last vector of a row overlaps the one before. So there is no scalar remainder, and the
//! results may take the place of an operand: one loop serves both.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::copy::copy_slice;
use super::isa_fns::IsaFns;
use super::prefetch::prefetch_l2;
use crate::array::history::Recording;
use crate::element::Element;
use crate::ops::{
    Block, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, Kernel, MultiplyAdd, Params,
};

impl<const N: usize> Kernel<N> {
    /// The kernel with these inner loops, whose results are of type `O`.
    pub(crate) const fn new<O>(
        inner: IsaFns<InnerLoop<N>>,
        operand_bytes: [usize; N],
        policy: CallPolicy,
    ) -> Self {
        Self {
            inner,
            contiguous: None,
            operand_bytes,
            result_bytes: size_of::<O>(),
            policy,
            divides: None,
            through: None,
            recording: None,
            multiply_add: None,
        }
    }

    /// The same as a part of `a * b + c`.
    pub(crate) const fn part_of(self, multiply_add: MultiplyAdd) -> Self {
        Self { multiply_add: Some(multiply_add), ..self }
    }

    /// The same with what is known of the operation, for recording it.
    pub(crate) const fn recorded_as(self, recording: Recording) -> Self {
        Self { recording: Some(recording), ..self }
    }

    /// The same with loops over contiguous operands, which take vectors of `vector` elements.
    pub(crate) const fn with_contiguous(
        self,
        loops: IsaFns<ContiguousLoop>,
        vector: usize,
    ) -> Self {
        Self { contiguous: Some(ContiguousLoops { loops, vector }), ..self }
    }

    /// The same for an operation that divides by integers of a type.
    pub(crate) const fn dividing_by(self, element: Option<&'static str>) -> Self {
        Self { divides: element, ..self }
    }

    /// The inner loop for this machine.
    #[inline]
    pub(crate) fn inner(&self) -> InnerLoop<N> {
        self.inner.best()
    }
}

/// Memory for a repeated element, aligned so that no load crosses a cache line.
#[repr(align(64))]
struct Splat<T, const L: usize>(MaybeUninit<[T; L]>);

impl<T: Copy, const L: usize> Splat<T, L> {
    const UNINIT: Self = Self(MaybeUninit::uninit());
}

/// `L` elements from `first` on.
///
/// # Safety
///
/// They are there.
#[inline(always)]
unsafe fn load<T: Copy, const L: usize>(first: *const T) -> [T; L] {
    // SAFETY: as the caller promises.
    unsafe { first.cast::<[T; L]>().read() }
}

/// The first `len` elements of a row, and the first one again behind them.
///
/// # Safety
///
/// The row has them, at least one and at most `L`.
#[inline(always)]
unsafe fn load_padded<T: Copy, const L: usize>(first: *const T, len: usize) -> [T; L] {
    // SAFETY: as the caller promises.
    unsafe {
        let mut padded = [*first; L];
        for (index, element) in padded[..len].iter_mut().enumerate() {
            *element = *first.add(index);
        }
        padded
    }
}

/// Stamps out the loops over a block, and over contiguous operands, for some operands.
macro_rules! block_loops {
    ($($(#[$doc:meta])* $name:ident<$n:literal>, $contiguous:ident, $vector:ident($($x:ident: $T:ident @ $k:tt),+);)+) => {$(
        /// The results for one vector of each operand.
        #[inline(always)]
        fn $vector<$($T: Copy,)+ O: Element, const L: usize>(
            f: &impl Fn($($T),+) -> O,
            $($x: [$T; L],)+
        ) -> [O; L] {
            let mut results = [O::ZERO; L];
            for (index, result) in results.iter_mut().enumerate() {
                *result = f($($x[index]),+);
            }
            results
        }

        /// Computes `len` results of contiguous operands.
        ///
        /// # Safety
        ///
        /// As [`ContiguousLoop`] says, for operands of these types and results of type `O`; `L` is the
        /// vector.
        #[inline(always)]
        pub(crate) unsafe fn $contiguous<$($T: Copy,)+ O: Element, const L: usize>(
            (out, len): (*mut u8, usize),
            ($($x,)+): ($(*const $T,)+),
            f: impl Fn($($T),+) -> O,
        ) {
            let (out, last) = (out.cast::<O>(), len - L);
            // SAFETY: every vector lies within the operands and results, as the caller promises. What a
            // vector of results overlaps of an operand are the elements that it is made from, and the
            // last vector is computed before any other is stored.
            unsafe {
                let last_results = $vector(&f, $(load::<$T, L>($x.add(last))),+);
                let mut index = 0;
                // Two at a time: a store in each turn would wait for the branch of the turn before.
                while index + L < last {
                    let second = index + L;
                    let results = $vector(&f, $(load::<$T, L>($x.add(index))),+);
                    let next_results = $vector(&f, $(load::<$T, L>($x.add(second))),+);
                    out.add(index).cast::<[O; L]>().write(results);
                    out.add(second).cast::<[O; L]>().write(next_results);
                    index += 2 * L;
                    // The vectors are made; the loop over them stays as it is.
                    black_box(());
                }
                if index < last {
                    let results = $vector(&f, $(load::<$T, L>($x.add(index))),+);
                    out.add(index).cast::<[O; L]>().write(results);
                }
                out.add(last).cast::<[O; L]>().write(last_results);
            }
        }

        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As [`InnerLoop`] says, for operands of these types and results of type `O`.
        #[inline(always)]
        pub(crate) unsafe fn $name<$($T: Copy,)+ O: Element, const L: usize>(
            block: &Block<$n>,
            is_cheap: bool,
            f: impl Fn($($T),+) -> O,
        ) {
            /// The rows of a block, whose splats are the operands of the bits of `splats`, or as it
            /// says. A number, which is a constant where this is inlined: a parameter of the type
            /// would be a function for each.
            #[inline(always)]
            unsafe fn rows<$($T: Copy,)+ O: Element, const L: usize>(
                block: &Block<$n>,
                splats: u8,
                prefetches: bool,
                f: impl Fn($($T),+) -> O,
            ) {
                // Numbers of their own, which stay in registers: a copy of the block would go through
                // memory, and `black_box` would read the block anew for every row.
                let [planes, rows, columns] = block.sizes;
                let firsts = [$(block.operands[$k].first),+];
                let row_strides = [$(block.operands[$k].strides[0]),+];
                let plane_strides = [$(block.operands[$k].strides[1]),+];
                let are_held = [$(splats != AS_IT_SAYS && splats >> $k & 1 == 1),+];
                let are_splats = [$(splats == AS_IT_SAYS && block.operands[$k].is_splat),+];
                // A splat stays where it is: where the last vector begins, and from one to the next.
                let last = columns.wrapping_sub(L);
                // Where it overlaps none, a row is read from front to back, as a stream.
                let is_overlapping = columns % L != 0;
                // Written out for each operand: `map` of an array is some twenty functions, for each
                // operation and element type.
                let lasts = [$(if are_splats[$k] { 0 } else { last }),+];
                let steps = [$(if are_splats[$k] { 0 } else { L }),+];
                let mut out = block.out.cast::<O>();
                // Without anything to prefetch, a line that is there.
                let (mut next, next_step) = match block.next.is_null() {
                    true => (block.out.cast_const(), 0),
                    false => (block.next, size_of::<[O; L]>()),
                };
                let mut stretched = ($(Splat::<$T, L>::UNINIT,)+);
                // Two vectors or four, of which the last may overlap the others, as rows of 30 have (benchmark
                // `table`, row `[8,1,6,1] + [7,1,5]`): no loop over vectors.
                if splats == 0 && L < columns && columns <= 4 * L {
                    let third = if 2 * L < last { 2 * L } else { last };
                    for plane in 0..planes {
                        let mut row = ($(
                            firsts[$k].cast::<$T>().wrapping_add(plane * plane_strides[$k]),
                        )+);
                        let mut left = rows;
                        while left > 0 && columns <= 2 * L {
                            // SAFETY: the operands have the row, and there is room for its results, as
                            // the caller promises. Both vectors lie within the row, and both are
                            // computed before either is stored.
                            unsafe {
                                let results = $vector(&f, $(load::<$T, L>(row.$k)),+);
                                let last_results = $vector(&f, $(load::<$T, L>(row.$k.add(last))),+);
                                out.cast::<[O; L]>().write(results);
                                out.add(last).cast::<[O; L]>().write(last_results);
                                $( row.$k = row.$k.wrapping_add(row_strides[$k]); )+
                                out = out.add(columns);
                            }
                            left -= 1;
                            // Not unrolled: planes have few rows.
                            black_box(());
                        }
                        while left > 0 {
                            // SAFETY: as above; there are four vectors.
                            unsafe {
                                let results = [
                                    $vector(&f, $(load::<$T, L>(row.$k)),+),
                                    $vector(&f, $(load::<$T, L>(row.$k.add(L))),+),
                                    $vector(&f, $(load::<$T, L>(row.$k.add(third))),+),
                                    $vector(&f, $(load::<$T, L>(row.$k.add(last))),+),
                                ];
                                out.cast::<[O; L]>().write(results[0]);
                                out.add(L).cast::<[O; L]>().write(results[1]);
                                out.add(third).cast::<[O; L]>().write(results[2]);
                                out.add(last).cast::<[O; L]>().write(results[3]);
                                $( row.$k = row.$k.wrapping_add(row_strides[$k]); )+
                                out = out.add(columns);
                            }
                            left -= 1;
                            black_box(());
                        }
                    }
                    return;
                }
                for plane in 0..planes {
                    let mut row = ($(
                        firsts[$k].cast::<$T>().wrapping_add(plane * plane_strides[$k]),
                    )+);
                    for _ in 0..rows {
                        // SAFETY: the operands have the row, and there is room for its results, as
                        // the caller promises. Every vector lies within the row, or is a splat of as
                        // many elements. What a vector of results overlaps of an operand are the
                        // elements that it is made from, and the last vector is computed before any
                        // other is stored.
                        unsafe {
                            let mut held = ($([*firsts[$k].cast::<$T>(); L],)+);
                            $(
                                let mut $x = row.$k;
                                held.$k = [*$x; L];
                                if are_splats[$k] {
                                    $x = stretched.$k.0.write(held.$k).as_ptr();
                                }
                                row.$k = row.$k.wrapping_add(row_strides[$k]);
                            )+
                            if columns >= L {
                                let mut last_results = [O::ZERO; L];
                                if is_overlapping {
                                    last_results = $vector(&f, $(
                                        if are_held[$k] {
                                            held.$k
                                        } else {
                                            load::<$T, L>($x.add(lasts[$k]))
                                        }
                                    ),+);
                                }
                                let mut to = out;
                                let to_last = out.add(if is_overlapping { last } else { columns });
                                while to < to_last {
                                    let results = $vector(&f, $(
                                        if are_held[$k] { held.$k } else { load::<$T, L>($x) }
                                    ),+);
                                    if prefetches {
                                        prefetch_l2(next, size_of::<[O; L]>());
                                        next = next.wrapping_add(next_step);
                                    }
                                    to.cast::<[O; L]>().write(results);
                                    to = to.add(L);
                                    $( $x = $x.add(steps[$k]); )+
                                    // The vectors are made; the loop over them stays as it is.
                                    black_box(());
                                }
                                if is_overlapping {
                                    to_last.cast::<[O; L]>().write(last_results);
                                }
                            } else if columns > 0 {
                                let results = $vector(&f, $(
                                    if are_held[$k] || are_splats[$k] {
                                        held.$k
                                    } else {
                                        load_padded::<$T, L>($x, columns)
                                    }
                                ),+);
                                for (index, &result) in results[..columns].iter().enumerate() {
                                    out.add(index).write(result);
                                }
                            }
                            out = out.add(columns);
                        }
                    }
                }
            }

            /// The rows of a block of splats: each repeats one result.
            #[inline(always)]
            unsafe fn repeated<$($T: Copy,)+ O: Element, const L: usize>(
                block: &Block<$n>,
                f: impl Fn($($T),+) -> O,
            ) {
                let [planes, rows, columns] = block.sizes;
                let mut out = block.out.cast::<O>();
                for row in 0..planes * rows {
                    let (plane, row) = (row / rows, row % rows);
                    // SAFETY: the operands have the row, and there is room for its results, as the
                    // caller promises.
                    unsafe {
                        let result = f($({
                            let [row_stride, plane_stride] = block.operands[$k].strides;
                            let first = block.operands[$k].first.cast::<$T>();
                            *first.add(plane * plane_stride + row * row_stride)
                        }),+);
                        for column in 0..columns {
                            out.add(column).write(result);
                            // Rare, and not worth vectors.
                            black_box(());
                        }
                        out = out.add(columns);
                    }
                }
            }

            /// One element at a time, in as little code as possible.
            #[inline(always)]
            unsafe fn elements<$($T: Copy,)+ O: Element>(
                block: &Block<$n>,
                f: impl Fn($($T),+) -> O,
            ) {
                let [planes, rows, columns] = block.sizes;
                // A splat stays where it is.
                let steps = [$(usize::from(!block.operands[$k].is_splat)),+];
                let mut out = block.out.cast::<O>();
                for row in 0..planes * rows {
                    let (plane, row) = (row / rows, row % rows);
                    // SAFETY: the operands have the row, and there is room for its results, as the
                    // caller promises.
                    unsafe {
                        $(
                            let [row_stride, plane_stride] = block.operands[$k].strides;
                            let first = block.operands[$k].first.cast::<$T>();
                            let mut $x = first.add(plane * plane_stride + row * row_stride);
                        )+
                        for _ in 0..columns {
                            out.write(f($(*$x),+));
                            $( $x = $x.add(steps[$k]); )+
                            out = out.add(1);
                            // Neither unrolled nor made into vectors.
                            black_box(());
                        }
                    }
                }
            }

            // SAFETY: as the caller promises.
            unsafe {
                if const { L == 1 } {
                    return elements::<$($T,)+ O>(block, f);
                }
                // Rows of two operands are many and short; finding out for each of them whether an
                // operand is a splat takes as long as the row, where an element takes a few instructions.
                if $n == 2 && is_cheap {
                    match (block.operands[0].is_splat, block.operands[$n - 1].is_splat) {
                        (false, false) => return rows::<$($T,)+ O, L>(block, 0b00, false, f),
                        (true, false) => return rows::<$($T,)+ O, L>(block, 0b01, false, f),
                        (false, true) => return rows::<$($T,)+ O, L>(block, 0b10, false, f),
                        (true, true) => return repeated::<$($T,)+ O, L>(block, f),
                    }
                }
                rows::<$($T,)+ O, L>(block, AS_IT_SAYS, $n == 1 && !is_cheap, f);
            }
        }
    )+};
}

/// Whether operands are splats is for the block to say.
const AS_IT_SAYS: u8 = u8::MAX;

block_loops! {
    /// Computes a block of one operand.
    block1<1>, contiguous1, vector1(a: A @ 0);
    /// Computes a block of two operands.
    block2<2>, contiguous2, vector2(a: A @ 0, b: B @ 1);
    /// Computes a block of three operands.
    block3<3>, contiguous3, vector3(a: A @ 0, b: B @ 1, c: C @ 2);
}

/// Copies the rows of one operand, whose elements have this many bytes.
///
/// # Safety
///
/// As [`InnerLoop`] says; the results do not overlap the operand.
pub(super) unsafe fn copy_rows<const BYTES: usize>(_: &Kernel<1>, _: Params, block: &Block<1>) {
    let [planes, rows, columns] = block.sizes;
    let [operand] = &block.operands;
    for row in 0..planes * rows {
        let (plane, row_of_plane) = (row / rows, row % rows);
        let offset = plane * operand.strides[1] + row_of_plane * operand.strides[0];
        // SAFETY: the operand has the row, and there is room for it.
        unsafe {
            let from = operand.first.add(offset * BYTES);
            let to = block.out.add(row * columns * BYTES);
            if operand.is_splat {
                for column in 0..columns {
                    to.add(column * BYTES).copy_from_nonoverlapping(from, BYTES);
                }
            } else {
                let from = core::slice::from_raw_parts(from.cast::<[u8; BYTES]>(), columns);
                copy_slice(from, core::slice::from_raw_parts_mut(to.cast(), columns));
            }
        }
    }
}
