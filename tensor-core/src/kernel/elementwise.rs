//! The element-wise kernel: one loop nest for every operation on one to four operands.
//!
//! The result is written in row-major order. The [plan](crate::plan) gives the loops; the two
//! innermost form a block of `rows` by `columns`. Two ways lead through a block:
//!
//! 1. Row by row, where every operand moves by 1 or by 0 along the columns. A row is then a loop
//!    over slices and single values, which the compiler vectorises.
//! 2. Through a small buffer otherwise: rows too short for a vector are taken several at a time,
//!    and an operand with another stride is gathered. An operand that lies in one piece is read
//!    where it is, and one that repeats is gathered once. The buffer holds 256 elements; no operand
//!    is ever copied out as a whole.

use super::vectors::in_vectors;
use crate::plan::Loops;

/// The elements that the buffer of way 2 holds for each operand.
const BUFFER: usize = 256;

/// Rows of fewer columns are taken several at a time,
const SHORT: usize = 16;

/// where a block has so many of them that this pays.
const MANY: usize = 32;

/// What a loop over one row reads from one operand.
trait Lane<T>: Copy {
    /// The first elements only: their number is then known to the loop.
    fn cut(self, columns: usize) -> Self;
    fn get(self, index: usize) -> T;
}

/// One element for each column.
#[derive(Clone, Copy)]
struct Each<'a, T>(&'a [T]);

/// One element for all columns.
#[derive(Clone, Copy)]
struct Same<T>(T);

impl<T: Copy> Lane<T> for Each<'_, T> {
    #[inline(always)]
    fn cut(self, columns: usize) -> Self {
        Self(&self.0[..columns])
    }
    #[inline(always)]
    fn get(self, index: usize) -> T {
        self.0[index]
    }
}

impl<T: Copy> Lane<T> for Same<T> {
    #[inline(always)]
    fn cut(self, _: usize) -> Self {
        self
    }
    #[inline(always)]
    fn get(self, _: usize) -> T {
        self.0
    }
}

/// A part of a block: some rows, or some columns of one row.
#[derive(Clone, Copy)]
struct Tile {
    row: usize,
    rows: usize,
    column: usize,
    columns: usize,
}

/// The tiles of a block, in row-major order, each of at most [`BUFFER`] elements.
fn for_each_tile(rows: usize, columns: usize, mut tile: impl FnMut(Tile)) {
    if columns > BUFFER {
        for row in 0..rows {
            for column in (0..columns).step_by(BUFFER) {
                tile(Tile { row, rows: 1, column, columns: BUFFER.min(columns - column) });
            }
        }
    } else {
        let together = BUFFER / columns;
        for row in (0..rows).step_by(together) {
            tile(Tile { row, rows: together.min(rows - row), column: 0, columns });
        }
    }
}

/// One operand within a tile.
struct Gather<T> {
    buffer: [T; BUFFER],
    /// How many elements of the buffer already hold what a repeating operand has.
    filled: usize,
}

impl<T: Copy + Default> Gather<T> {
    fn new() -> Self {
        Self { buffer: [T::default(); BUFFER], filled: 0 }
    }

    /// The elements of a tile, in row-major order: where they are if they lie in one piece,
    /// gathered into the buffer otherwise.
    #[inline]
    fn tile<'a>(
        &'a mut self,
        operand: &'a [T],
        start: isize,
        [row_stride, stride]: [isize; 2],
        tile: Tile,
    ) -> &'a [T] {
        let Tile { row, rows, column, columns } = tile;
        let start = start + row as isize * row_stride + column as isize * stride;
        let len = rows * columns;
        if stride == 1 && (rows == 1 || row_stride == columns as isize) {
            return &operand[start as usize..][..len];
        }
        let repeats = row_stride == 0 && column == 0 && columns < BUFFER;
        if repeats && self.filled >= len {
            return &self.buffer[..len];
        }
        for (row, slots) in self.buffer[..len].chunks_exact_mut(columns).enumerate() {
            let start = start + row as isize * row_stride;
            if stride == 0 {
                let element = operand[start as usize];
                slots.iter_mut().for_each(|slot| *slot = element);
            } else {
                for (column, slot) in slots.iter_mut().enumerate() {
                    *slot = operand[(start + column as isize * stride) as usize];
                }
            }
        }
        self.filled = if repeats { len } else { 0 };
        &self.buffer[..len]
    }
}

/// Names the lane of every operand in turn and runs `$row` with them: twice the code for each
/// operand, so that every loop knows which operands move.
macro_rules! with_lanes {
    ([] $row:expr) => { $row };
    ([($x:ident, $start:expr, $stride:expr, $columns:expr) $($rest:tt)*] $row:expr) => {
        if $stride == 0 {
            let $x = Same($x[$start as usize]);
            with_lanes!([$($rest)*] $row)
        } else {
            let $x = Each(&$x[$start as usize..][..$columns]);
            with_lanes!([$($rest)*] $row)
        }
    };
}

/// Writes `kernel(loops, results, operands…, write)`: calls `write` once with every element of
/// `results`, in order, and the elements of the operands that broadcast to it.
///
/// # Panics
///
/// When `results` has another length than the loops, or when the loops leave an operand.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident<$n:literal>($($x:ident: $T:ident, $L:ident @ $k:tt),+)) => {
        $(#[$doc])*
        #[inline(never)]
        pub(crate) fn $name<W, $($T: Copy + Default),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(&mut W, $($T),+),
        ) {
            /// One row. A function of its own, so that the compiler knows that `results` is apart
            /// from the operands.
            #[inline(always)]
            fn row<W, $($T, $L: Lane<$T>),+>(
                results: &mut [W],
                $($x: $L,)+
                write: &impl Fn(&mut W, $($T),+),
            ) {
                let columns = results.len();
                $(let $x = $x.cut(columns);)+
                for (index, result) in results.iter_mut().enumerate() {
                    write(result, $($x.get(index)),+);
                }
            }

            /// Way 2.
            #[inline(never)]
            fn tiles<W, $($T: Copy + Default),+>(
                loops: &Loops<'_, $n>,
                mut rest: &mut [W],
                $($x: &[$T],)+
                write: &impl Fn(&mut W, $($T),+),
            ) {
                let block = loops.block();
                let [rows, columns] = [block[0].size, block[1].size];
                let mut gather = ($(Gather::<$T>::new(),)+);
                loops.for_each_block(|position| {
                    for_each_tile(rows, columns, |tile| {
                        let len = tile.rows * tile.columns;
                        let (results, after) = core::mem::take(&mut rest).split_at_mut(len);
                        rest = after;
                        $(
                            let strides = [block[0].strides[$k], block[1].strides[$k]];
                            let $x = gather.$k.tile($x, position[$k], strides, tile);
                        )+
                        in_vectors(
                            #[inline(always)]
                            || row(results, $(Each($x),)+ write),
                        );
                    });
                    $(gather.$k.filled = 0;)+
                });
                assert!(rest.is_empty(), "the loops cover the results");
            }

            if results.is_empty() {
                return;
            }
            let block = loops.block();
            let [rows, columns] = [block[0].size, block[1].size];
            let in_rows = $(matches!(block[1].strides[$k], 0 | 1))&&+;
            if !in_rows || (columns < SHORT && rows >= MANY) {
                return tiles(loops, results, $($x,)+ &write);
            }
            if let Some(position) = loops.single_row() {
                assert_eq!(results.len(), columns, "the loops cover the results");
                return in_vectors(
                    #[inline(always)]
                    || with_lanes!(
                        [$(($x, position[$k], block[1].strides[$k], columns))+]
                        row(results, $($x,)+ &write)
                    ),
                );
            }
            let mut rest = results;
            loops.for_each_block(|position| {
                let (results, after) = core::mem::take(&mut rest).split_at_mut(rows * columns);
                rest = after;
                in_vectors(
                    #[inline(always)]
                    || {
                        for (index, results) in results.chunks_exact_mut(columns).enumerate() {
                            let index = index as isize;
                            with_lanes!(
                                [$((
                                    $x,
                                    position[$k] + index * block[0].strides[$k],
                                    block[1].strides[$k],
                                    columns
                                ))+]
                                row(results, $($x,)+ &write)
                            );
                        }
                    },
                );
            });
            assert!(rest.is_empty(), "the loops cover the results");
        }
    };
}

kernel! {
    /// One operand.
    each1<1>(a: A, LaneA @ 0)
}
kernel! {
    /// Two operands.
    each2<2>(a: A, LaneA @ 0, b: B, LaneB @ 1)
}
kernel! {
    /// Three operands.
    each3<3>(a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2)
}
kernel! {
    /// Four operands.
    each4<4>(a: A, LaneA @ 0, b: B, LaneB @ 1, c: C, LaneC @ 2, d: D, LaneD @ 3)
}

#[cfg(test)]
mod tests;
