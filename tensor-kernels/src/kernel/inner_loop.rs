//! Inner loops: the only code that is compiled for each combination of operation and element type.
//!
//! An inner loop computes a [`Block`] of results from rows that are contiguous or splats.
//! The [driver](super::elementwise) brings operands of any layout into that form and calls the loop
//! through the pointer in a [`Kernel`], some hundred elements at a time.
//!
//! A row is computed one vector at a time: all operands of a vector are loaded before its result is
//! stored, and the last vector of a row overlaps the one before. So there is no scalar remainder, and
//! the results may overwrite an operand: one loop serves both.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::copy::copy_slice;
use super::isa_fns::IsaFns;
use super::prefetch::prefetch_l2;
use crate::element::Element;
use crate::ops::{
    Block, BlockOperand, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, Kernel,
    MultiplyAddPart, Params, Recording,
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

    /// The kernel, marked as a part of `a * b + c`.
    pub(crate) const fn part_of(self, multiply_add: MultiplyAddPart) -> Self {
        Self { multiply_add: Some(multiply_add), ..self }
    }

    /// The kernel with the description of the operation that recording needs.
    pub(crate) const fn recorded_as(self, recording: Recording) -> Self {
        Self { recording: Some(recording), ..self }
    }

    /// The kernel with loops over contiguous operands, which take vectors of `vector` elements.
    pub(crate) const fn with_contiguous(
        self,
        loops: IsaFns<ContiguousLoop>,
        vector: usize,
    ) -> Self {
        let loops = loops.where_it_pays();
        Self { contiguous: Some(ContiguousLoops { loops, vector, splats: 0 }), ..self }
    }

    /// The loop over contiguous operands for the available instruction set.
    #[inline(always)]
    pub(crate) fn contiguous(&self) -> Option<(ContiguousLoop, &ContiguousLoops)> {
        let contiguous = self.contiguous.as_ref()?;
        Some((contiguous.loops.best()?, contiguous))
    }

    /// The kernel, marked as having contiguous loops for repeated elements, whose operands the bits mark.
    pub(crate) const fn taking_splats(self, splats: u8) -> Self {
        match self.contiguous {
            Some(loops) => Self { contiguous: Some(ContiguousLoops { splats, ..loops }), ..self },
            None => self,
        }
    }

    /// The kernel, marked as dividing by integers of the type with this name.
    pub(crate) const fn dividing_by(self, element: Option<&'static str>) -> Self {
        Self { divides: element, ..self }
    }

    /// The inner loop for the available instruction set.
    #[inline]
    pub(crate) fn inner(&self) -> InnerLoop<N> {
        self.inner.best()
    }
}

/// A vector, aligned so that no load crosses a cache line.
#[repr(align(64))]
struct Vector<T, const L: usize>(MaybeUninit<[T; L]>);

impl<T: Copy, const L: usize> Vector<T, L> {
    const UNINIT: Self = Self(MaybeUninit::uninit());
}

/// Loads `L` elements, starting at `first`.
///
/// # Safety
///
/// `first` points to `L` elements.
#[inline(always)]
unsafe fn load<T: Copy, const L: usize>(first: *const T) -> [T; L] {
    // SAFETY: as the caller promises.
    unsafe { first.cast::<[T; L]>().read() }
}

/// Loads the first `len` elements of a row, padded with the first one to `L`.
///
/// # Safety
///
/// The row has these elements; `len` is at least one and at most `L`.
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

/// Generates the loops over a block, and over contiguous operands, for a number of operands.
macro_rules! block_loops {
    ($($(#[$doc:meta])* $name:ident<$n:literal>, $contiguous:ident, $vector:ident($($x:ident: $T:ident @ $k:tt),+);)+) => {$(
        /// The results for one vector of each operand.
        #[inline(always)]
        fn $vector<$($T: Copy,)+ O: Element, const L: usize>(
            f: &impl Fn($($T),+) -> O,
            $($x: [$T; L],)+
        ) -> [O; L] {
            let (mut results, mut index) = ([O::ZERO; L], 0);
            // Without iterators, which the compiler would inline in every loop of every operation.
            while index < L {
                results[index] = f($($x[index]),+);
                index += 1;
            }
            results
        }

        /// Computes `len` results of contiguous operands; if the results are no floats, the bits of `splats` mark
        /// operands that are one repeated element.
        ///
        /// # Safety
        ///
        /// As [`ContiguousLoop`] requires, for operands of these types and results of type `O`; `L` is
        /// the number of elements of a vector.
        #[inline(always)]
        pub(crate) unsafe fn $contiguous<$($T: Copy,)+ O: Element, const L: usize>(
            (out, len): (*mut u8, usize),
            ($($x,)+): ($(*const $T,)+),
            splats: u8,
            f: impl Fn($($T),+) -> O,
        ) {
            let (out, last) = (out.cast::<O>(), len - L);
            let vectors = len.div_ceil(L);
            let is_odd = vectors % 2 == 1;
            // Two vectors in each turn: a single store would wait for the branch of the turn before.
            if O::IS_FLOAT {
                // SAFETY: every vector lies within the operands and results, as the caller promises. The
                // elements of an operand that a vector of results overwrites are those that it is computed
                // from, and the last vector is computed before any other is stored.
                unsafe {
                    let last_results = $vector(&f, $(load::<$T, L>($x.add(last))),+);
                    let mut index = 0;
                    while index + L < last {
                        let results = $vector(&f, $(load::<$T, L>($x.add(index))),+);
                        let next_results = $vector(&f, $(load::<$T, L>($x.add(index + L))),+);
                        out.add(index).cast::<[O; L]>().write(results);
                        out.add(index + L).cast::<[O; L]>().write(next_results);
                        index += 2 * L;
                        // Keeps the compiler from unrolling or vectorising this loop over vectors.
                        black_box(());
                    }
                    if index < last {
                        let results = $vector(&f, $(load::<$T, L>($x.add(index))),+);
                        out.add(index).cast::<[O; L]>().write(results);
                    }
                    out.add(last).cast::<[O; L]>().write(last_results);
                }
                return;
            }
            // With less code: of an odd number of vectors the first one is computed twice, and the last one, which may
            // overlap the one before, in the turn of that.
            let last_two = vectors.saturating_sub(2) * L;
            let (mut end, mut gap) = if is_odd { (1, 0) } else { (last_two, L) };
            let mut index = 0;
            // The bits of a step between vectors that count: none for a splat.
            let masks = [$(if splats >> $k & 1 == 1 { 0 } else { usize::MAX }),+];
            let mut stretched = ($(Vector::<$T, L>::UNINIT,)+);
            // SAFETY: every vector lies within the operands and results, as the caller promises, or is a splat. The
            // elements of an operand that a vector of results overwrites are those that it is computed from; only
            // the vectors of a turn overlap, and both are computed before either is stored.
            unsafe {
                $(
                    let mut $x = match masks[$k] {
                        0 => stretched.$k.0.write([*$x; L]).as_ptr(),
                        _ => $x,
                    };
                )+
                loop {
                    let gaps = [$(gap & masks[$k]),+];
                    let steps = [$((gap + L) & masks[$k]),+];
                    while index < end {
                        let results = $vector(&f, $(load::<$T, L>($x)),+);
                        let next_results = $vector(&f, $(load::<$T, L>($x.add(gaps[$k]))),+);
                        out.add(index).cast::<[O; L]>().write(results);
                        out.add(index + gap).cast::<[O; L]>().write(next_results);
                        $( $x = $x.wrapping_add(steps[$k]); )+
                        index += gap + L;
                        black_box(());
                    }
                    if index >= len {
                        break;
                    }
                    (end, gap) = match index < last_two {
                        true => (last_two, L),
                        false => (len, last - index),
                    };
                }
            }
        }

        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// As [`InnerLoop`] requires, for operands of these types and results of type `O`.
        #[inline(always)]
        pub(crate) unsafe fn $name<$($T: Copy,)+ O: Element, const L: usize>(
            block: &Block<$n>,
            is_cheap: bool,
            f: impl Fn($($T),+) -> O,
        ) {
            /// Computes the rows of a block; the bits of `splats` mark the splats. It is a number, which is
            /// constant where this is inlined: a type parameter would generate a function for each.
            #[inline(always)]
            unsafe fn rows<$($T: Copy,)+ O: Element, const L: usize>(
                block: &Block<$n>,
                splats: u8,
                f: impl Fn($($T),+) -> O,
            ) {
                // Locals, which stay in registers: a copy of the block would go through memory, and
                // `black_box` would make the block be read anew for every row.
                let [planes, rows, columns] = block.sizes;
                let firsts = [$(block.operands[$k].first),+];
                let row_strides = [$(block.operands[$k].strides[0]),+];
                let plane_strides = [$(block.operands[$k].strides[1]),+];
                // Written out for each operand: `map` of an array generates some twenty functions, for each
                // operation and element type.
                let are_splats = [$(splats >> $k & 1 == 1),+];
                let steps = [$(if are_splats[$k] { 0 } else { L }),+];
                let last = columns.wrapping_sub(L);
                // If no vectors overlap, a row is read from front to back, as a stream.
                let is_overlapping = columns % L != 0;
                let mut out = block.out.cast::<O>();
                // Two to four vectors, the last of which may overlap the others, as in rows of 30 (benchmark
                // `table`, row `[8,1,6,1] + [7,1,5]`): unrolled, without a loop over vectors.
                if splats == 0 && L < columns && columns <= 4 * L {
                    let third = if 2 * L < last { 2 * L } else { last };
                    for plane in 0..planes {
                        let mut row = ($(
                            firsts[$k].cast::<$T>().wrapping_add(plane * plane_strides[$k]),
                        )+);
                        let mut left = rows;
                        while left > 0 && columns <= 2 * L {
                            // SAFETY: the operands have the row, and `out` has room for its results, as
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
                            // Keeps the loop from being unrolled: planes have few rows.
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
                        // SAFETY: the operands have the row, and `out` has room for its results, as
                        // the caller promises. Every vector lies within the row, or is a splat. The elements
                        // of an operand that a vector of results overwrites are those that it is computed
                        // from, and the last vector is computed before any other is stored.
                        unsafe {
                            let held = ($([*row.$k; L],)+);
                            $(
                                let mut $x = row.$k;
                                row.$k = row.$k.wrapping_add(row_strides[$k]);
                            )+
                            if columns >= L {
                                let mut last_results = [O::ZERO; L];
                                if is_overlapping {
                                    last_results = $vector(&f, $(
                                        if are_splats[$k] {
                                            held.$k
                                        } else {
                                            load::<$T, L>($x.add(last))
                                        }
                                    ),+);
                                }
                                let mut to = out;
                                let to_last = out.add(if is_overlapping { last } else { columns });
                                while to < to_last {
                                    let results = $vector(&f, $(
                                        if are_splats[$k] { held.$k } else { load::<$T, L>($x) }
                                    ),+);
                                    to.cast::<[O; L]>().write(results);
                                    to = to.add(L);
                                    $( $x = $x.add(steps[$k]); )+
                                    // Keeps the compiler from unrolling or vectorising this loop.
                                    black_box(());
                                }
                                if is_overlapping {
                                    to_last.cast::<[O; L]>().write(last_results);
                                }
                            } else if columns > 0 {
                                let results = $vector(&f, $(
                                    if are_splats[$k] {
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

            /// Computes the rows of a block in one loop over vectors: the operation is inlined once, or twice if it is as
            /// cheap as the choice of the last vector.
            #[inline(always)]
            unsafe fn rows_in_one_loop<$($T: Copy,)+ O: Element, const L: usize>(
                block: &Block<$n>,
                prefetches: bool,
                is_cheap: bool,
                f: impl Fn($($T),+) -> O,
            ) {
                let of_loop = if is_cheap { L } else { 1 };
                let [planes, rows, columns] = block.sizes;
                let row_strides = [$(block.operands[$k].strides[0]),+];
                let are_splats = [$(block.operands[$k].is_splat),+];
                let steps = [$(if are_splats[$k] { 0 } else { L }),+];
                let mut out = block.out.cast::<O>();
                // If there is nothing to prefetch, a valid line.
                let (mut next, next_step) = match block.next.is_null() {
                    true => (block.out.cast_const(), 0),
                    false => (block.next, size_of::<[O; L]>()),
                };
                // The last vector of a row that is not a multiple of vectors; of a splat, all vectors. Where they
                // are is hidden from the compiler, which would otherwise load each element on its own.
                let mut lasts = ($(Vector::<$T, L>::UNINIT,)+);
                let lasts = ($(black_box(lasts.$k.0.as_mut_ptr()),)+);
                let mut short = Vector::<O, L>::UNINIT;
                for plane in 0..planes {
                    let mut row = ($({
                        let BlockOperand { first, strides, .. } = block.operands[$k];
                        first.cast::<$T>().wrapping_add(plane * strides[1])
                    },)+);
                    for _ in 0..rows {
                        // SAFETY: the operands have the row, and `out` has room for its results, as
                        // the caller promises. Every vector lies within the row, or is a copy. The elements of
                        // an operand that a vector of results overwrites are those that it is computed from,
                        // and the last vector, which may overlap the one before, is copied before any is stored.
                        unsafe {
                            $(
                                let mut $x = row.$k;
                                if are_splats[$k] {
                                    lasts.$k.write([*$x; L]);
                                    $x = lasts.$k.cast_const().cast();
                                } else if columns < L {
                                    lasts.$k.write(load_padded::<$T, L>($x, columns));
                                } else if columns % L != 0 {
                                    lasts.$k.write(load::<$T, L>($x.add(columns - L)));
                                }
                                row.$k = row.$k.wrapping_add(row_strides[$k]);
                            )+
                            let last_out = match columns < L {
                                true => short.0.as_mut_ptr().cast(),
                                false => out.add(columns - L),
                            };
                            let (mut to, mut left) = (out, columns);
                            while left >= of_loop {
                                let is_last = !is_cheap && left < L;
                                let results = $vector(&f, $(
                                    load::<$T, L>(if is_last { lasts.$k.cast_const().cast() } else { $x })
                                ),+);
                                if prefetches {
                                    prefetch_l2(next, size_of::<[O; L]>());
                                    next = next.wrapping_add(next_step);
                                }
                                let slots = if is_last { last_out } else { to };
                                slots.cast::<[O; L]>().write(results);
                                $( $x = $x.wrapping_add(steps[$k]); )+
                                to = to.wrapping_add(L);
                                left = left.saturating_sub(L);
                                // Keeps the compiler from unrolling or vectorising this loop.
                                black_box(());
                            }
                            if is_cheap && left > 0 {
                                let results = $vector(&f, $(
                                    load::<$T, L>(lasts.$k.cast_const().cast())
                                ),+);
                                last_out.cast::<[O; L]>().write(results);
                            }
                            if columns < L {
                                out.copy_from_nonoverlapping(last_out, columns);
                            }
                            out = out.add(columns);
                        }
                    }
                }
            }

            /// Computes the rows of a block whose operands are all splats: each row repeats one result.
            #[inline(always)]
            unsafe fn repeated<$($T: Copy,)+ O: Element, const L: usize>(
                block: &Block<$n>,
                f: impl Fn($($T),+) -> O,
            ) {
                let [planes, rows, columns] = block.sizes;
                let mut out = block.out.cast::<O>();
                for row in 0..planes * rows {
                    let (plane, row) = (row / rows, row % rows);
                    // SAFETY: the operands have the row, and `out` has room for its results, as the
                    // caller promises.
                    unsafe {
                        let result = f($({
                            let [row_stride, plane_stride] = block.operands[$k].strides;
                            let first = block.operands[$k].first.cast::<$T>();
                            *first.add(plane * plane_stride + row * row_stride)
                        }),+);
                        for column in 0..columns {
                            out.add(column).write(result);
                            // A rare case, which is not worth vectors.
                            black_box(());
                        }
                        out = out.add(columns);
                    }
                }
            }

            /// Computes a block one element at a time, with minimal code size.
            #[inline(always)]
            unsafe fn elements<$($T: Copy,)+ O: Element>(
                block: &Block<$n>,
                f: impl Fn($($T),+) -> O,
            ) {
                let [planes, rows, columns] = block.sizes;
                // A splat has step 0.
                let steps = [$(usize::from(!block.operands[$k].is_splat)),+];
                let mut out = block.out.cast::<O>();
                for row in 0..planes * rows {
                    let (plane, row) = (row / rows, row % rows);
                    // SAFETY: the operands have the row, and `out` has room for its results, as the
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
                            // Keeps the loop from being unrolled or vectorised.
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
                // Blocks of two operands have many short rows: testing for each row whether an operand
                // is a splat takes as long as the row, where an element takes a few instructions.
                if $n == 2 && is_cheap {
                    match (block.operands[0].is_splat, block.operands[$n - 1].is_splat) {
                        (false, false) => return rows::<$($T,)+ O, L>(block, 0b00, f),
                        (true, false) => return rows::<$($T,)+ O, L>(block, 0b01, f),
                        (false, true) => return rows::<$($T,)+ O, L>(block, 0b10, f),
                        (true, true) => return repeated::<$($T,)+ O, L>(block, f),
                    }
                }
                rows_in_one_loop::<$($T,)+ O, L>(block, $n == 1 && !is_cheap, $n == 3, f);
            }
        }
    )+};
}

block_loops! {
    /// Computes a block of one operand.
    block1<1>, contiguous1, vector1(a: A @ 0);
    /// Computes a block of two operands.
    block2<2>, contiguous2, vector2(a: A @ 0, b: B @ 1);
    /// Computes a block of three operands.
    block3<3>, contiguous3, vector3(a: A @ 0, b: B @ 1, c: C @ 2);
}

/// Copies the rows of one operand with elements of this many bytes.
///
/// # Safety
///
/// As [`InnerLoop`] requires; the results do not overlap the operand.
pub(super) unsafe fn copy_rows<const BYTES: usize>(_: &Kernel<1>, _: Params, block: &Block<1>) {
    let [planes, rows, columns] = block.sizes;
    let [operand] = &block.operands;
    for row in 0..planes * rows {
        let (plane, row_of_plane) = (row / rows, row % rows);
        let offset = plane * operand.strides[1] + row_of_plane * operand.strides[0];
        // SAFETY: the operand has the row, and `out` has room for it.
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
