//! The element-wise kernel: one loop for every operation, whatever the shapes of its operands.
//!
//! The result is written from slices, one of each operand: all of it at once where every operand
//! has its shape and lies in one piece, else by planes of rows of small operands that are spread out
//! ([`Spread`]), else [tile by tile](super::tiles). The loop over slices is
//! the only one that knows the operation; the compiler makes vectors of it, for several instruction
//! sets ([`in_vectors`]).

use core::mem::MaybeUninit;

use super::pack::ask_for;
use super::parallel;
use super::simd_dispatch::in_vectors;
use super::tiles::{Operand, Read, Slots, Tiles, in_pieces, single, spread_out};
use crate::array::plan::{Loop, Loops, Source, Spread};
use crate::element::Instructions;

/// Short rows are written in vectors of so many elements.
const VECTOR: usize = 16;

/// Rows of so many vectors are long: what is left over behind the last makes no difference.
const MANY: usize = 4;

/// How a function of elements may be called.
pub(crate) trait Calls {
    /// How often at most for four results, so that rows are written in whole vectors.
    const FOR_FOUR: usize;
    /// Whether it is called for short rows as they lie. Otherwise elements are moved for longer rows.
    const SHORT_ROWS: bool;
    /// Whether it is called in the order of the results.
    const IN_ORDER: bool;
}

/// Once for each result, in their order: a closure of the user.
pub(crate) enum Ordered {}

impl Calls for Ordered {
    const FOR_FOUR: usize = 4;
    const SHORT_ROWS: bool = true;
    const IN_ORDER: bool = true;
}

/// Once for each result, as it changes what is there.
pub(crate) enum Once {}

impl Calls for Once {
    const FOR_FOUR: usize = 4;
    const SHORT_ROWS: bool = true;
    const IN_ORDER: bool = false;
}

/// Again for the same results, as it takes one instruction, or some.
pub(crate) enum Again {}

impl Calls for Again {
    const FOR_FOUR: usize = 8;
    const SHORT_ROWS: bool = true;
    const IN_ORDER: bool = false;
}

/// Again for the same results, but not often, as it may take long.
pub(crate) enum Costly {}

impl Calls for Costly {
    const FOR_FOUR: usize = 5;
    const SHORT_ROWS: bool = false;
    const IN_ORDER: bool = false;
}

/// Whether a row of so many columns is written in whole vectors, the last of which begins before the end
/// of the one in front of it.
fn in_whole_vectors<C: Calls>(columns: usize) -> bool {
    (VECTOR..MANY * VECTOR).contains(&columns)
        && 4 * columns.next_multiple_of(VECTOR) <= C::FOR_FOUR * columns
}

/// What a loop over one row reads from one operand.
trait Lane<T: Copy>: Copy {
    fn get(self, index: usize) -> T;

    /// The vector with this number.
    fn vector(self, index: usize) -> [T; VECTOR];

    /// The vector that ends with the row.
    fn last_vector(self) -> [T; VECTOR];
}

/// One element after the other.
impl<T: Copy> Lane<T> for &[T] {
    #[inline(always)]
    fn get(self, index: usize) -> T {
        self[index]
    }

    #[inline(always)]
    fn vector(self, index: usize) -> [T; VECTOR] {
        self.as_chunks().0[index]
    }

    #[inline(always)]
    fn last_vector(self) -> [T; VECTOR] {
        *self.last_chunk().expect("a row has a vector at least")
    }
}

/// The same element always.
#[derive(Clone, Copy)]
struct Same<T>(T);

impl<T: Copy> Lane<T> for Same<T> {
    #[inline(always)]
    fn get(self, _: usize) -> T {
        self.0
    }

    #[inline(always)]
    fn vector(self, _: usize) -> [T; VECTOR] {
        [self.0; VECTOR]
    }

    #[inline(always)]
    fn last_vector(self) -> [T; VECTOR] {
        [self.0; VECTOR]
    }
}

/// What a loop over planes of rows reads from one operand.
trait Lanes<T: Copy> {
    type Lane: Lane<T>;

    /// Whether there are so many planes, rows, and columns, at least one of each.
    fn has(&self, sizes: [usize; 3]) -> bool;

    /// A row of a plane.
    ///
    /// # Safety
    ///
    /// It must be within sizes that [are there](Lanes::has).
    unsafe fn row(&self, plane: usize, row: usize, columns: usize) -> Self::Lane;
}

/// Rows of elements.
struct Rows<'a, T>(Read<'a, T>);

impl<'a, T: Copy> Lanes<T> for Rows<'a, T> {
    type Lane = &'a [T];

    #[inline(always)]
    fn has(&self, [planes, rows, columns]: [usize; 3]) -> bool {
        let last = self.0.checked_place(planes - 1, rows - 1);
        let end = last.and_then(|last| last.checked_add(columns));
        end.is_some_and(|end| end <= self.0.elements.len())
    }

    #[inline(always)]
    unsafe fn row(&self, plane: usize, row: usize, columns: usize) -> &'a [T] {
        let first = self.0.place(plane, row);
        // SAFETY: the row begins where the last one does, or before, and that one is within the
        // elements, as the caller has made sure. To ask for every row takes a sixth of the time where
        // rows are short (benchmark `table`, row `[8,1,6,1] + [7,1,5]`).
        unsafe { self.0.elements.get_unchecked(first..first + columns) }
    }
}

/// One element for each row.
struct Column<'a, T>(Read<'a, T>);

impl<T: Copy> Lanes<T> for Column<'_, T> {
    type Lane = Same<T>;

    #[inline(always)]
    fn has(&self, [planes, rows, _]: [usize; 3]) -> bool {
        self.0.checked_place(planes - 1, rows - 1).is_some_and(|last| last < self.0.elements.len())
    }

    #[inline(always)]
    unsafe fn row(&self, plane: usize, row: usize, _: usize) -> Same<T> {
        Same(self.0.elements[self.0.place(plane, row)])
    }
}

/// Runs `$rows` with the lanes of the operands: of one or two operands, one may have a single element
/// in each row.
macro_rules! with_lanes {
    ([$a:ident] $rows:expr) => {
        if $a.stays {
            let $a = Column($a);
            $rows
        } else {
            let $a = Rows($a);
            $rows
        }
    };
    ([$a:ident $b:ident] $rows:expr) => {
        if $a.stays {
            let ($a, $b) = (Column($a), Rows($b));
            $rows
        } else if $b.stays {
            let ($a, $b) = (Rows($a), Column($b));
            $rows
        } else {
            let ($a, $b) = (Rows($a), Rows($b));
            $rows
        }
    };
    ([$($x:ident)+] $rows:expr) => {{
        $(let $x = Rows($x);)+
        $rows
    }};
}

/// Writes `kernel(loops, results, operands…, write)`: calls `write` with every element of `results`
/// and the elements of the operands that broadcast to it, and with what the machine has, as `Called`
/// says.
///
/// # Panics
///
/// When `results` has another length than the loops, or when the loops leave an operand.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident $shared:ident<$n:literal>($($x:ident: $T:ident, $L:ident @ $k:tt),+)) => {
        $(#[$doc])*
        #[inline(never)]
        #[allow(clippy::too_many_arguments, reason = "one slice for each operand")]
        pub(crate) fn $name<Called: Calls, W, $($T: Copy),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(Instructions, &mut W, $($T),+),
        ) {
            /// One row. A function of its own, so that the compiler knows that `results` is apart
            /// from the operands.
            #[inline(always)]
            fn row<W, $($T: Copy, $L: Lane<$T>),+>(
                results: &mut [W],
                $($x: $L,)+
                instructions: Instructions,
                write: &impl Fn(Instructions, &mut W, $($T),+),
            ) {
                // By index: all slices have one length here, so that nothing is left to be checked,
                // and nothing is left over for a loop of single elements behind the vectors.
                #[allow(clippy::needless_range_loop, reason = "iterators would check lengths")]
                for index in 0..results.len() {
                    write(instructions, &mut results[index], $($x.get(index)),+);
                }
            }

            /// One row of whole vectors. All of a vector are read before the first is written, so that
            /// the compiler need not know what lies where.
            #[inline(always)]
            fn row_of_vectors<W, $($T: Copy, $L: Lane<$T>),+>(
                results: &mut [W],
                $($x: $L,)+
                instructions: Instructions,
                write: &impl Fn(Instructions, &mut W, $($T),+),
            ) {
                for (index, results) in results.as_chunks_mut::<VECTOR>().0.iter_mut().enumerate() {
                    $(let $x = $x.vector(index);)+
                    for index in 0..VECTOR {
                        write(instructions, &mut results[index], $($x[index]),+);
                    }
                }
                // The last vector ends with the row, so that no single elements are left over.
                if results.len() % VECTOR > 0
                    && let Some(results) = results.last_chunk_mut::<VECTOR>()
                {
                    $(let $x = $x.last_vector();)+
                    for index in 0..VECTOR {
                        write(instructions, &mut results[index], $($x[index]),+);
                    }
                }
            }

            /// Planes of rows of columns, one after the other in the results.
            #[inline(always)]
            fn planes<Called: Calls, W, $($T: Copy, $L: Lanes<$T>),+>(
                mut results: &mut [W],
                sizes: [usize; 3],
                $($x: $L,)+
                instructions: Instructions,
                write: &impl Fn(Instructions, &mut W, $($T),+),
            ) {
                let [planes, rows, columns] = sizes;
                let len = planes.checked_mul(rows).and_then(|rows| rows.checked_mul(columns));
                assert!(len == Some(results.len()) && len > Some(0), "a result for each place");
                assert!($($x.has(sizes))&&+, "the operands have all rows");
                macro_rules! with_each {
                    ($row:ident) => {
                        for plane in 0..planes {
                            for index in 0..rows {
                                let results = results.split_off_mut(..columns);
                                let results = results.expect("a slot per element");
                                // SAFETY: asserted above for all planes and rows.
                                $(let $x = unsafe { $x.row(plane, index, columns) };)+
                                $row(results, $($x,)+ instructions, write);
                            }
                        }
                    };
                }
                if in_whole_vectors::<Called>(columns) {
                    with_each!(row_of_vectors);
                } else {
                    with_each!(row);
                }
            }

            /// Operands that are spread out, or tile by tile; the same code for all operations.
            #[inline(never)]
            #[allow(non_snake_case, reason = "what is gathered is named as its type")]
            fn tiles<W, $($T: Copy),+>(
                loops: &[Loop<$n>],
                (spread, in_order): (Option<&Spread<$n>>, bool),
                start: [isize; $n],
                results: &mut [W],
                $($x: &[$T],)+
                planes: &mut dyn FnMut(&mut [W], [usize; 3], $(Read<'_, $T>),+),
            ) {
                $(let mut $T: Slots<$T> = [const { MaybeUninit::uninit() }; _];)+
                if let Some(Spread { columns, around: [inner, outer], operands }) = spread {
                    $(let $x = spread_out(&operands[$k], $x, start[$k], &mut $T);)+
                    $(
                        let $x = Read {
                            elements: $x,
                            steps: [inner.strides[$k] as usize, outer.strides[$k] as usize],
                            stays: matches!(operands[$k], Source::Single),
                        };
                    )+
                    return planes(results, [outer.size, inner.size, *columns], $($x),+);
                }
                match Tiles::of(loops, start, in_order) {
                    Tiles::Rows(tiles) => {
                        let mut rest = results;
                        let mut operands = ($(Operand::new($x, &mut $T),)+);
                        $(tiles.way($k, &mut operands.$k.way);)+
                        let single = single([$(operands.$k.stays()),+]);
                        tiles.for_each(|place, tile| {
                            let [count, columns] = tile;
                            let results = rest.split_off_mut(..count * columns);
                            planes(
                                results.expect("a slot per element"),
                                [1, count, columns],
                                $(operands.$k.tile(place[$k], tile, single == Some($k))),+
                            );
                        });
                    }
                    Tiles::Squares(tiles) => {
                        let mut operands = ($(Operand::new($x, &mut $T),)+);
                        tiles.for_each(|place, result, square| {
                            $(operands.$k.enter_square(place[$k], square, tiles.strides($k));)+
                            let [count, columns] = square;
                            if columns == tiles.row_of_results
                                && let ($(Some($x),)+) =
                                    ($(operands.$k.square(square, tiles.strides($k)),)+)
                            {
                                let results = &mut results[result..][..count * columns];
                                return planes(results, [1, count, columns], $($x),+);
                            }
                            for row in 0..count {
                                let result = result + row * tiles.row_of_results;
                                if row + 1 < count {
                                    let next = result + tiles.row_of_results;
                                    ask_for(&results[next..][..columns]);
                                    $(operands.$k.ask_for_row(row + 1, columns, tiles.strides($k));)+
                                }
                                planes(
                                    &mut results[result..][..columns],
                                    [1, 1, columns],
                                    $(operands.$k.row(row, columns, tiles.strides($k))),+
                                );
                            }
                        });
                    }
                }
            }

            assert_eq!(results.len(), loops.len(), "the loops cover the results");
            if results.is_empty() {
                return;
            }
            let mut planes = |results: &mut [W], sizes: [usize; 3], $($x: Read<'_, $T>),+| {
                in_vectors(
                    #[inline(always)]
                    |instructions| {
                        with_lanes!(
                            [$($x)+] planes::<Called, _, $($T, _),+>(results, sizes, $($x,)+ instructions, &write)
                        );
                    },
                );
            };
            if let Some((start, row)) = loops.single()
                && in_pieces(&row)
            {
                let read = |stride| (row.size, stride == 0);
                $(
                    let (len, stays) = read(row.strides[$k]);
                    let elements = &$x[start[$k]..][..if stays { 1 } else { len }];
                    let $x = Read { elements, steps: [0; 2], stays };
                )+
                return planes(results, [1, 1, row.size], $($x),+);
            }
            let (mut found, start) = (None, loops.start());
            let spread = loops.spread(&mut found);
            let takes = |columns| Called::SHORT_ROWS || in_whole_vectors::<Called>(columns);
            let spread = spread.filter(|spread| takes(spread.columns));
            let way = (spread, Called::IN_ORDER);
            match loops.as_slice() {
                Some(all) => tiles(all, way, start, results, $($x,)+ &mut planes),
                None => tiles(&loops.nest().loops, way, start, results, $($x,)+ &mut planes),
            }
        }

        /// The same on several threads, where that pays.
        #[inline(never)]
        #[allow(clippy::too_many_arguments, reason = "one slice for each operand")]
        pub(crate) fn $shared<Called: Calls, W: Send, $($T: Copy + Sync),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(Instructions, &mut W, $($T),+) + Sync,
        ) {
            let run = |loops: &Loops<'_, $n>, results: &mut [W]| {
                $name::<Called, _, $($T),+>(
                    loops,
                    results,
                    $($x,)+
                    // A closure that says so is inlined; a reference to one is called.
                    #[inline(always)]
                    |instructions, result, $($x),+| write(instructions, result, $($x),+),
                );
            };
            if parallel::is_shared(size_of_val(results)) {
                parallel::for_each_part_of(loops, results, &run);
            } else {
                run(loops, results);
            }
        }
    };
}

kernel! {
    /// One operand.
    each1 each1_shared<1>(a: A, LaneA @ 0)
}
kernel! {
    /// Two operands.
    each2 each2_shared<2>(a: A, LaneA @ 0, b: B, LaneB @ 1)
}
kernel! {
    /// Three operands.
    each3 each3_shared<3>(a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2)
}
kernel! {
    /// Four operands.
    each4 each4_shared<4>(a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3)
}

kernel! {
    /// Five operands.
    each5 each5_shared<5>(
        a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3,
        e: E, LaneE @ 4
    )
}
kernel! {
    /// Six operands.
    each6 each6_shared<6>(
        a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3,
        e: E, LaneE @ 4, f: F, LaneF @ 5
    )
}
kernel! {
    /// Seven operands.
    each7 each7_shared<7>(
        a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3,
        e: E, LaneE @ 4, f: F, LaneF @ 5, g: G, LaneG @ 6
    )
}
kernel! {
    /// Eight operands.
    each8 each8_shared<8>(
        a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3,
        e: E, LaneE @ 4, f: F, LaneF @ 5, g: G, LaneG @ 6, h: H, LaneH @ 7
    )
}

#[cfg(test)]
mod tests;
