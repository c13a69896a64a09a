//! The element-wise kernel: one loop for every operation, whatever the shapes of its operands.
//!
//! The result is written from slices, one of each operand: all of it at once where every operand
//! has its shape and lies in one piece, else [tile by tile](super::tiles). The loop over slices is
//! the only one that knows the operation; the compiler makes vectors of it, for several instruction
//! sets ([`in_vectors`]).

use super::tiles::{Operand, Tiles};
use super::vectors::in_vectors;
use crate::plan::{Loops, Nest};

/// Writes `kernel(loops, results, operands…, write)`: calls `write` once with every element of
/// `results` and the elements of the operands that broadcast to it.
///
/// # Panics
///
/// When `results` has another length than the loops, or when the loops leave an operand.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident<$n:literal>($($x:ident: $T:ident @ $k:tt),+)) => {
        $(#[$doc])*
        #[inline(never)]
        pub(crate) fn $name<W, $($T: Copy),+>(
            loops: &Loops<'_, $n>,
            results: &mut [W],
            $($x: &[$T],)+
            write: impl Fn(&mut W, $($T),+),
        ) {
            /// One piece. A function of its own, so that the compiler knows that `results` is apart
            /// from the operands.
            #[inline(always)]
            fn piece<W, $($T: Copy),+>(
                results: &mut [W],
                $($x: &[$T],)+
                write: &impl Fn(&mut W, $($T),+),
            ) {
                let len = results.len();
                $(let $x = &$x[..len];)+
                for (index, result) in results.iter_mut().enumerate() {
                    write(result, $($x[index]),+);
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
                        tiles.for_each(|place, len| {
                            let results = rest.split_off_mut(..len).expect("a slot per element");
                            piece(results, $(operands.$k.tile(place[$k], len)),+);
                        });
                    }
                    Tiles::Squares(tiles) => {
                        let mut operands = ($(Operand::new($x, tiles.way($k)),)+);
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
                    || piece(results, $($x,)+ &write),
                );
            };
            if let Some(start) = loops.one_piece() {
                let len = results.len();
                return piece(results, $(&$x[start[$k]..][..len]),+);
            }
            tiles(&loops.nest(), results, $($x,)+ &mut piece);
        }
    };
}

kernel! {
    /// One operand.
    each1<1>(a: A @ 0)
}
kernel! {
    /// Two operands.
    each2<2>(a: A @ 0, b: B @ 1)
}
kernel! {
    /// Three operands.
    each3<3>(a: A @ 0, b: B @ 1, c: C @ 2)
}
kernel! {
    /// Four operands.
    each4<4>(a: A @ 0, b: B @ 1, c: C @ 2, d: D @ 3)
}

#[cfg(test)]
mod tests;
