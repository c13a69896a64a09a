//! The strategies that split operands into blocks.

use core::ptr::null;

use super::Call;
use crate::arrays;
use crate::kernel::bypass::{self, Fence};
use crate::kernel::prefetch::prefetch;
use crate::kernel::tiles::{
    Scratch, TileOperand, Tiling, TransposeBlocks, is_unit_stride, materialize_operand, view_from,
};
use crate::ops::{Block, CallPolicy, InnerLoop};
use crate::plan::{Loop, Loops, MaterializePlan, OperandSource};

/// The number of elements of a vector for short rows of a costly operation.
const VECTOR: usize = 16;

/// Rows of this many elements are long: the overlap of the last vector makes no difference.
const LONG_ROW: usize = 4 * VECTOR;

/// Whether a row of a costly operation is computed in whole vectors with little waste.
const fn fits_whole_vectors(columns: usize) -> bool {
    VECTOR <= columns && columns < LONG_ROW && 4 * columns.next_multiple_of(VECTOR) <= 5 * columns
}

/// Computes all results that the loops lead to, starting at `out`, on one thread.
///
/// # Safety
///
/// As [`Driver`](super::Driver).
pub(super) unsafe fn run_part<const N: usize>(
    call: &Call<'_, N>,
    loops: &Loops<'_, N>,
    out: *mut u8,
) {
    if loops.len() == 0 {
        return;
    }
    let (kernel, inner) = (call.kernel, call.kernel.inner());
    let _fence = call.bypasses.then(|| Fence);
    if let Some((start, row)) = loops.single()
        && is_unit_stride(&row)
    {
        let mut block = Block::new(out, [1, 1, row.size]);
        for (k, view) in block.operands.iter_mut().enumerate() {
            view_from(view, &call.operands[k], kernel.operand_bytes[k], start[k] as isize);
            view.is_splat = row.strides[k] == 0;
        }
        if block.check() {
            // SAFETY: as the caller promises; it was checked that the operands have the elements.
            unsafe { run_block(call, inner, &block) };
        }
        return;
    }
    let (mut found, start) = (None, loops.start());
    let materialize = loops.materialize(&mut found);
    let takes_short_rows = kernel.policy != CallPolicy::Costly;
    let materialize =
        materialize.filter(|plan| takes_short_rows || fits_whole_vectors(plan.columns));
    // SAFETY: as the caller promises.
    unsafe {
        match (materialize, loops.as_slice()) {
            (Some(plan), _) => materialized(call, inner, plan, start, out),
            (None, Some(all)) => tiled(call, inner, all, start, out),
            (None, None) => tiled(call, inner, &loops.nest().loops, start, out),
        }
    }
}

/// Computes a block, past the caches if the call bypasses them.
///
/// # Safety
///
/// As [`InnerLoop`] requires; the inner loop belongs to the kernel.
#[inline(always)]
unsafe fn run_block<const N: usize>(call: &Call<'_, N>, inner: InnerLoop<N>, block: &Block<N>) {
    if call.bypasses {
        // SAFETY: as the caller promises. Results that bypass the caches overlap no operand.
        return unsafe {
            bypass::run(call.kernel, block, &|piece| run_in_cache(call, inner, piece))
        };
    }
    // SAFETY: as the caller promises.
    unsafe { run_in_cache(call, inner, block) }
}

/// [`run_block`] by ordinary stores: by the loop over contiguous operands, if it is one row that the loop takes.
///
/// # Safety
///
/// As [`run_block`].
#[inline(always)]
unsafe fn run_in_cache<const N: usize>(call: &Call<'_, N>, inner: InnerLoop<N>, block: &Block<N>) {
    match call.kernel.contiguous() {
        Some((run, contiguous))
            if block.sizes[..2] == [1, 1]
                && block.sizes[2] >= contiguous.vector
                && !block.operands.iter().any(|operand| operand.is_splat) =>
        {
            let first = |k: usize| block.operands.get(k).map_or(null(), |operand| operand.first);
            let len = block.sizes[2];
            // SAFETY: as the caller promises, for at least one vector.
            unsafe { run(block.out, len, first(0), first(1), first(2), 0) }
        }
        // SAFETY: as the caller promises.
        _ => unsafe { inner(call.kernel, call.params, block) },
    }
}

/// Computes results from small operands, each of which is materialised once.
///
/// # Safety
///
/// As [`Driver`](super::Driver); the inner loop belongs to the kernel.
#[inline(never)]
unsafe fn materialized<const N: usize>(
    call: &Call<'_, N>,
    inner_loop: InnerLoop<N>,
    plan: &MaterializePlan<N>,
    start: [isize; N],
    out: *mut u8,
) {
    let MaterializePlan { columns, outer_loops: [inner, outer], operands: sources } = plan;
    let mut scratch = [const { Scratch::UNINIT }; N];
    let mut block = Block::new(out, [outer.size, inner.size, *columns]);
    for (k, (view, scratch)) in block.operands.iter_mut().zip(&mut scratch).enumerate() {
        let (operand, bytes) = (&call.operands[k], call.kernel.operand_bytes[k]);
        materialize_operand(view, &sources[k], operand, bytes, start[k], scratch);
        view.strides = [inner.strides[k] as usize, outer.strides[k] as usize];
        view.is_splat = matches!(sources[k], OperandSource::Single);
    }
    if block.check() {
        // SAFETY: as the caller promises; it was checked that the operands have the elements.
        unsafe { run_block(call, inner_loop, &block) };
    }
}

/// Computes results tile by tile.
///
/// # Safety
///
/// As [`Driver`](super::Driver); the inner loop belongs to the kernel.
#[inline(never)]
unsafe fn tiled<const N: usize>(
    call: &Call<'_, N>,
    inner: InnerLoop<N>,
    loops: &[Loop<N>],
    start: [isize; N],
    out: *mut u8,
) {
    let mut scratch = [const { Scratch::UNINIT }; N];
    let mut scratch = scratch.iter_mut();
    let mut operands: [TileOperand<'_>; N] = arrays::from_fn(|k| {
        let scratch = scratch.next().expect("one for each operand");
        TileOperand::new(&call.operands[k], call.kernel.operand_bytes[k], scratch)
    });
    let rows = match Tiling::new(loops, start, call.kernel.policy == CallPolicy::Sequential) {
        Tiling::Rows(rows) => rows,
        // SAFETY: as the caller promises.
        Tiling::TransposeBlocks(tiles) => unsafe {
            return transposed(call, inner, &tiles, &mut operands, out);
        },
    };
    for (k, operand) in operands.iter_mut().enumerate() {
        rows.walk(k, &mut operand.walk);
    }
    let (mut tiles, mut out) = (rows.tiles(), out);
    while let Some((position, [rows, columns])) = tiles.next() {
        let mut block = Block::new(out, [1, rows, columns]);
        for (k, view) in block.operands.iter_mut().enumerate() {
            operands[k].tile(view, position[k], [rows, columns]);
        }
        if block.check() {
            // SAFETY: as the caller promises; it was checked that the operands have the elements, and the
            // tiles are consecutive in the results.
            unsafe { run_block(call, inner, &block) };
        }
        out = out.wrapping_add(rows * columns * call.kernel.result_bytes);
    }
}

/// Computes results in blocks of a transpose.
///
/// # Safety
///
/// As [`Driver`](super::Driver); the inner loop belongs to the kernel.
unsafe fn transposed<const N: usize>(
    call: &Call<'_, N>,
    inner: InnerLoop<N>,
    tiles: &TransposeBlocks<N>,
    operands: &mut [TileOperand<'_>; N],
    out: *mut u8,
) {
    let bytes = call.kernel.result_bytes;
    tiles.for_each(|position, result, sizes| {
        let [count, columns] = sizes;
        for (k, operand) in operands.iter_mut().enumerate() {
            operand.load_block(position[k], sizes, tiles.strides(k));
        }
        let mut block = Block::new(out.wrapping_add(result * bytes), [1, count, columns]);
        let mut views = block.operands.iter_mut().enumerate();
        let is_block = columns == tiles.out_row_stride
            && views.all(|(k, view)| operands[k].block_view(view, sizes, tiles.strides(k)));
        if is_block {
            if block.check() {
                // SAFETY: as the caller promises; it was checked that the operands have the elements, and
                // the block is contiguous in the results.
                unsafe { inner(call.kernel, call.params, &block) };
            }
            return;
        }
        for row in 0..count {
            let result = result + row * tiles.out_row_stride;
            if row + 1 < count {
                let next = result + tiles.out_row_stride;
                prefetch(out.wrapping_add(next * bytes), columns * bytes);
                for (k, operand) in operands.iter().enumerate() {
                    operand.prefetch_row(row + 1, columns, tiles.strides(k));
                }
            }
            let mut block = Block::new(out.wrapping_add(result * bytes), [1, 1, columns]);
            for (k, view) in block.operands.iter_mut().enumerate() {
                operands[k].row(view, row, columns, tiles.strides(k));
            }
            if block.check() {
                // SAFETY: as the caller promises; it was checked that the operands have the elements, and
                // the rows of the block do not overlap in the results.
                unsafe { inner(call.kernel, call.params, &block) };
            }
        }
    });
}
