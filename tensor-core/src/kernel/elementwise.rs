//! The element-wise kernel: one loop for every operation, whatever the shapes of its operands.
//!
//! The result is written from slices, one of each operand: all of it at once where every operand
//! has its shape and lies in one piece, else [tile by tile](super::tiles). The loop over slices is
//! the only one that knows the operation; the compiler makes vectors of it, for several instruction
//! sets ([`in_vectors`]).

use super::threads;
use super::tiles::{Operand, Tiles, Way, in_pieces, single};
use super::vectors::in_vectors;
use crate::element::Instructions;
use crate::plan::{Loops, Nest};

/// What a loop over one piece reads from one operand.
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

/// Runs `$piece` with the lanes of the operands: of one or two operands, one may be a single
/// element, which is then the same for all results.
macro_rules! with_lanes {
    ($len:ident, [$a:ident] $piece:expr) => {
        if $a.len() < $len {
            let $a = Same($a[0]);
            $piece
        } else {
            let $a = &$a[..$len];
            $piece
        }
    };
    ($len:ident, [$a:ident $b:ident] $piece:expr) => {
        if $a.len() < $len {
            let ($a, $b) = (Same($a[0]), &$b[..$len]);
            $piece
        } else if $b.len() < $len {
            let ($a, $b) = (&$a[..$len], Same($b[0]));
            $piece
        } else {
            let ($a, $b) = (&$a[..$len], &$b[..$len]);
            $piece
        }
    };
    ($len:ident, [$($x:ident)+] $piece:expr) => {{
        $(let $x = &$x[..$len];)+
        $piece
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
            /// One piece. A function of its own, so that the compiler knows that `results` is apart
            /// from the operands.
            #[inline(always)]
            fn piece<W, $($T, $L: Lane<$T>),+>(
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

            /// Tile by tile; the same code for all operations.
            #[inline(never)]
            fn tiles<W, $($T: Copy),+>(
                nest: &Nest<$n>,
                results: &mut [W],
                $($x: &[$T],)+
                piece: &mut dyn FnMut(&mut [W], $(&[$T]),+),
            ) {
                match Tiles::of(nest) {
                    Tiles::Rows(tiles) => {
                        let mut rest = results;
                        let mut operands = ($(Operand::new($x, tiles.way($k)),)+);
                        let single = single([$(operands.$k.stays()),+]);
                        tiles.for_each(|place, len| {
                            let results = rest.split_off_mut(..len).expect("a slot per element");
                            piece(results, $(operands.$k.tile(place[$k], len, single == Some($k))),+);
                        });
                    }
                    Tiles::Squares(tiles) => {
                        let mut operands = ($(Operand::new($x, Way::default()),)+);
                        tiles.for_each(|place, result, square| {
                            $(operands.$k.enter_square(place[$k], square, tiles.strides($k));)+
                            let [rows, columns] = square;
                            for row in 0..rows {
                                let result = result + row * tiles.row_of_results;
                                piece(
                                    &mut results[result..][..columns],
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
            let mut piece = |results: &mut [W], $($x: &[$T]),+| {
                in_vectors(
                    #[inline(always)]
                    |instructions| {
                        let results = &mut *results;
                        let len = results.len();
                        with_lanes!(len, [$($x)+] piece(results, $($x,)+ instructions, &write));
                    },
                );
            };
            if let Some((start, row)) = loops.single()
                && in_pieces(&row)
            {
                let len = |stride| if stride == 0 { 1 } else { row.size };
                return piece(results, $(&$x[start[$k]..][..len(row.strides[$k])]),+);
            }
            tiles(&loops.nest(), results, $($x,)+ &mut piece);
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
            if size_of_val(results) < threads::LARGE {
                run(loops, results);
            } else {
                threads::for_each_part_of(loops, results, &run);
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
