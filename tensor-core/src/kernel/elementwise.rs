//! The element-wise kernel: one loop for every operation, whatever the shapes of its operands.
//!
//! The result is written from slices, one of each operand: all of it at once where every operand
//! has its shape and lies in one piece, else [tile by tile](super::tiles). The loop over slices is
//! the only one that knows the operation; the compiler makes vectors of it, for several instruction
//! sets ([`in_vectors`]).

use core::mem::MaybeUninit;

use super::gather::ask_for;
use super::threads;
use super::tiles::{Operand, Read, Slots, Tiles, in_pieces, single};
use super::vectors::in_vectors;
use crate::element::Instructions;
use crate::plan::{Loop, Loops};

/// What a loop over one row reads from one operand.
trait Lane<T>: Copy {
    fn get(self, index: usize) -> T;
}

/// One element after the other.
impl<T: Copy> Lane<T> for &[T] {
    #[inline(always)]
    fn get(self, index: usize) -> T {
        self[index]
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
}

/// What a loop over rows reads from one operand.
trait Lanes<T> {
    type Lane: Lane<T>;

    fn row(&self, row: usize, columns: usize) -> Self::Lane;
}

/// Rows of elements.
struct Rows<'a, T>(Read<'a, T>);

impl<'a, T: Copy> Lanes<T> for Rows<'a, T> {
    type Lane = &'a [T];

    #[inline(always)]
    fn row(&self, row: usize, columns: usize) -> &'a [T] {
        &self.0.elements[row * self.0.step..][..columns]
    }
}

/// One element for each row.
struct Column<'a, T>(Read<'a, T>);

impl<T: Copy> Lanes<T> for Column<'_, T> {
    type Lane = Same<T>;

    #[inline(always)]
    fn row(&self, row: usize, _: usize) -> Same<T> {
        Same(self.0.elements[row * self.0.step])
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

/// Writes `kernel(loops, results, operands…, write)`: calls `write` once with every element of
/// `results` and the elements of the operands that broadcast to it, and with what the machine has.
///
/// # Panics
///
/// When `results` has another length than the loops, or when the loops leave an operand.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident $shared:ident<$n:literal>($($x:ident: $T:ident, $L:ident @ $k:tt),+)) => {
        $(#[$doc])*
        #[inline(never)]
        #[allow(clippy::too_many_arguments, reason = "one slice for each operand")]
        pub(crate) fn $name<W, $($T: Copy),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(Instructions, &mut W, $($T),+),
        ) {
            /// One row. A function of its own, so that the compiler knows that `results` is apart
            /// from the operands.
            #[inline(always)]
            fn row<W, $($T, $L: Lane<$T>),+>(
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

            /// Rows of `columns` results.
            #[inline(always)]
            fn rows<W, $($T, $L: Lanes<$T>),+>(
                results: &mut [W],
                columns: usize,
                $($x: $L,)+
                instructions: Instructions,
                write: &impl Fn(Instructions, &mut W, $($T),+),
            ) {
                let (mut rest, mut index) = (results, 0);
                while let Some(results) = rest.split_off_mut(..columns) {
                    row(results, $($x.row(index, results.len()),)+ instructions, write);
                    index += 1;
                }
            }

            /// Tile by tile; the same code for all operations.
            #[inline(never)]
            #[allow(non_snake_case, reason = "what is gathered is named as its type")]
            fn tiles<W, $($T: Copy),+>(
                loops: &[Loop<$n>],
                start: [isize; $n],
                results: &mut [W],
                $($x: &[$T],)+
                rows: &mut dyn FnMut(&mut [W], usize, $(Read<'_, $T>),+),
            ) {
                $(let mut $T: Slots<$T> = [const { MaybeUninit::uninit() }; _];)+
                match Tiles::of(loops, start) {
                    Tiles::Rows(tiles) => {
                        let mut rest = results;
                        let mut operands = ($(Operand::new($x, &mut $T),)+);
                        $(tiles.way($k, &mut operands.$k.way);)+
                        let single = single([$(operands.$k.stays()),+]);
                        tiles.for_each(|place, tile| {
                            let [count, columns] = tile;
                            let results = rest.split_off_mut(..count * columns);
                            rows(
                                results.expect("a slot per element"),
                                columns,
                                $(operands.$k.tile(place[$k], tile, single == Some($k))),+
                            );
                        });
                    }
                    Tiles::Squares(tiles) => {
                        let mut operands = ($(Operand::new($x, &mut $T),)+);
                        tiles.for_each(|place, result, square| {
                            $(operands.$k.enter_square(place[$k], square, tiles.strides($k));)+
                            let [count, columns] = square;
                            for row in 0..count {
                                let result = result + row * tiles.row_of_results;
                                if row + 1 < count {
                                    let next = result + tiles.row_of_results;
                                    ask_for(&results[next..][..columns]);
                                    $(operands.$k.ask_for_row(row + 1, columns, tiles.strides($k));)+
                                }
                                rows(
                                    &mut results[result..][..columns],
                                    columns,
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
            let mut rows = |results: &mut [W], columns: usize, $($x: Read<'_, $T>),+| {
                in_vectors(
                    #[inline(always)]
                    |instructions| {
                        with_lanes!([$($x)+] rows(results, columns, $($x,)+ instructions, &write));
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
                    let $x = Read { elements, step: 0, stays };
                )+
                return rows(results, row.size, $($x),+);
            }
            match loops.as_slice() {
                Some(all) => tiles(all, loops.start(), results, $($x,)+ &mut rows),
                None => tiles(&loops.nest().loops, loops.start(), results, $($x,)+ &mut rows),
            }
        }

        /// The same on several threads, where that pays.
        #[inline(never)]
        #[allow(clippy::too_many_arguments, reason = "one slice for each operand")]
        pub(crate) fn $shared<W: Send, $($T: Copy + Sync),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(Instructions, &mut W, $($T),+) + Sync,
        ) {
            let run = |loops: &Loops<'_, $n>, results: &mut [W]| {
                $name(
                    loops,
                    results,
                    $($x,)+
                    // A closure that says so is inlined; a reference to one is called.
                    #[inline(always)]
                    |instructions, result, $($x),+| write(instructions, result, $($x),+),
                );
            };
            if threads::is_shared(size_of_val(results)) {
                threads::for_each_part_of(loops, results, &run);
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
