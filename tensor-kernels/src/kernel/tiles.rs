//! Tiles of results: pieces small enough to stay in the cache, for operands that are broadcast or
//! strided.
//!
//! Within a tile every operand is one slice. A contiguous operand is read in place; a strided
//! one is gathered into a buffer, once for all the tiles that need the same elements of it.
//! So no large operand is ever copied as a whole, and the loop over a tile is the same for every
//! combination of shapes.

mod operand;
mod rows;
mod transpose_blocks;

pub(super) use operand::{Scratch, TileOperand, materialize_operand, view_from};
pub(super) use rows::TiledRows;
pub(super) use transpose_blocks::TransposeBlocks;

use super::pack::BUFFER;
use crate::plan::Loop;

/// Rows of at least this many elements are taken one by one, if that avoids gathering.
const LONG: usize = 32;

/// If possible, rows start at a multiple of this many elements: vectors then do not cross the
/// boundaries of cache lines.
const LINE: usize = 64;

/// The side of a tile that is read by columns: two megabytes of cache hold several of them, and
/// the memory is read and written in runs of one kilobyte.
const BLOCK_SIDE: usize = 256;

/// How the results are split into tiles.
pub(super) enum Tiling<'a, const N: usize> {
    /// Contiguous pieces of the results.
    Rows(TiledRows<'a, N>),
    /// Squares of the innermost loop and another one, along which an operand has a smaller stride.
    TransposeBlocks(TransposeBlocks<N>),
}

impl<'a, const N: usize> Tiling<'a, N> {
    /// The tiles for nested loops over more than one element; rows if the results must be written in
    /// order.
    pub(super) fn new(loops: &'a [Loop<N>], start: [isize; N], in_order: bool) -> Self {
        let (levels, block) = inner_loops(loops);
        match smallest_stride_loop(loops) {
            Some(level) if level >= levels && levels < loops.len() && !in_order => {
                Self::TransposeBlocks(TransposeBlocks::of(loops, start, level))
            }
            _ => Self::Rows(TiledRows::of(loops, levels, block, start)),
        }
    }
}

/// The number of loops that a row contains as a whole, and the number of elements of these loops.
fn inner_loops<const N: usize>(loops: &[Loop<N>]) -> (usize, usize) {
    match loops.first() {
        // Nothing needs to be gathered.
        Some(first) if first.size >= LONG && is_unit_stride(first) => return (1, first.size),
        _ => {}
    }
    let (mut levels, mut block) = (0, 1);
    for dim in loops {
        if block * dim.size > BUFFER {
            break;
        }
        block *= dim.size;
        levels += 1;
    }
    (levels, block)
}

/// The loop along which an operand has a much smaller stride than along the innermost one.
fn smallest_stride_loop<const N: usize>(loops: &[Loop<N>]) -> Option<usize> {
    let [inner, outer @ ..] = loops else { return None };
    let operand = (0..N).max_by_key(|&k| inner.strides[k].unsigned_abs())?;
    let steps = |dim: &Loop<N>| dim.strides[operand].unsigned_abs();
    let moving = outer.iter().enumerate().filter(|(_, dim)| steps(dim) > 0);
    let (level, closest) = moving.min_by_key(|(_, dim)| steps(dim))?;
    let pays = steps(inner) > 1 && steps(closest) < steps(inner);
    (pays && inner.size >= 4 && closest.size >= 4).then_some(level + 1)
}

/// Whether every operand is contiguous along a loop, or has stride 0.
pub(super) fn is_unit_stride<const N: usize>(dim: &Loop<N>) -> bool {
    dim.strides.iter().all(|&stride| stride == 0 || stride == 1)
}
