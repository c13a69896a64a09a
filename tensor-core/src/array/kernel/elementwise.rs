//! The driver of element-wise operations: one for all of them, whatever the shapes of their operands.
//!
//! It brings the operands into blocks that an inner loop takes: all of the result at once where every
//! operand is contiguous along it or one element; else planes of rows of small operands that are
//! [materialised](MaterializePlan); else [tile by tile](super::tiles). Elements are moved by their
//! size, not by their type, and the [kernel](Kernel) is called through a pointer, so that nothing here
//! is compiled again for another operation.

use super::isa_fns::Isa;
use super::parallel;
use super::tiles::{
    RawOperand, Scratch, TileOperand, TileView, Tiling, is_unit_stride, materialize_operand,
};
use core::ptr::null;

use crate::array::layout::{UntypedView, num_elements};
use crate::array::plan::{Loop, Loops, MaterializePlan, OperandSource, StaticPlan};
use crate::array::storage::RawBuffer;
use crate::ops::{Block, BlockOperand, CallPolicy, InnerLoop, Kernel, Params};


/// Short rows of a costly operation are computed in vectors of this many elements.
const VECTOR: usize = 16;

/// Rows of this many vectors are long: the overlap of the last one makes no difference.
const LONG_ROW: usize = 4 * VECTOR;

/// The memory of the results. Parts of it are written by several threads, each its own.
#[derive(Clone, Copy)]
struct Out(*mut u8);

// SAFETY: the results are numbers, and each part of them is written by one thread.
unsafe impl Send for Out {}
// SAFETY: as above.
unsafe impl Sync for Out {}

/// The parameters of an operation, read by several threads.
#[derive(Clone, Copy)]
struct SharedParams(Params);

// SAFETY: only kernels whose policy lets threads run them are run by several, and their parameters
// are numbers, or an expression that is `Sync`: see `chunk::OfExpression`.
unsafe impl Send for SharedParams {}
// SAFETY: as above.
unsafe impl Sync for SharedParams {}

/// What an operation does, and with which parameters.
#[derive(Clone, Copy)]
struct Call<'a, const N: usize> {
    kernel: &'a Kernel<N>,
    inner: InnerLoop<N>,
    params: SharedParams,
}

impl<const N: usize> Call<'_, N> {
    /// Computes a block of results from `out` on.
    ///
    /// # Safety
    ///
    /// As [`InnerLoop`] says, but for the elements of the operands, which are
    /// checked.
    ///
    /// # Panics
    ///
    /// If an operand lacks elements.
    unsafe fn block(&self, out: *mut u8, sizes: [usize; 3], views: [TileView; N]) {
        let [planes, rows, columns] = sizes;
        if planes == 0 || rows == 0 || columns == 0 {
            return;
        }
        let operands = views.map(|view| {
            let last = view.checked_offset(planes - 1, rows - 1);
            let end =
                last.and_then(|last| last.checked_add(if view.is_splat { 1 } else { columns }));
            assert!(end.is_some_and(|end| end <= view.len), "the operands have all rows");
            BlockOperand { first: view.first, strides: view.strides, is_splat: view.is_splat }
        });
        // SAFETY: the operands have the elements of all rows, as was checked for the last one of the
        // last plane: strides are not negative. The rest the caller promises.
        unsafe { (self.inner)(self.kernel, self.params.0, &Block { out, sizes, operands }) }
    }

    /// The view of an operand from an element on.
    fn view(&self, k: usize, operand: &RawOperand, start: usize) -> TileView {
        assert!(start <= operand.len, "an operand begins within its elements");
        let first = operand.first.wrapping_add(start * self.kernel.operand_bytes[k]);
        TileView { first, len: operand.len - start, strides: [0; 2], is_splat: false }
    }
}

/// Whether a row of a costly operation is computed in whole vectors at little waste.
const fn fits_whole_vectors(columns: usize) -> bool {
    VECTOR <= columns && columns < LONG_ROW && 4 * columns.next_multiple_of(VECTOR) <= 5 * columns
}

/// Computes all results that the loops lead to, from `out` on.
///
/// # Safety
///
/// `out` is writable for the results of all steps of the loops and aligned for their type, and the
/// operands have elements of the types of the kernel. Results overlap an operand only where it has
/// the strides of the results and begins with them. The parameters are what the kernel takes.
unsafe fn run<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    loops: &Loops<'_, N>,
    operands: &[RawOperand; N],
    out: *mut u8,
) {
    let call = Call { kernel, inner: kernel.inner(), params: SharedParams(params) };
    let len = loops.len();
    if len == 0 {
        return;
    }
    let bytes = len.saturating_mul(kernel.result_bytes);
    if kernel.policy == CallPolicy::Sequential || !parallel::is_parallel(bytes) {
        // SAFETY: as the caller promises.
        return unsafe { run_part(&call, loops, operands, out) };
    }
    let out = Out(out);
    parallel::for_each_range_of(loops, bytes, &|part, start| {
        // The whole of each wrapper, which threads may share, and not the pointer in it.
        let (call, out, operands) = (&call, &out, &operands);
        // SAFETY: as the caller promises; the parts are apart, and each begins where the results of
        // the parts before it end.
        unsafe { run_part(call, part, operands, out.0.add(start * call.kernel.result_bytes)) }
    });
}

/// [`run`] on one thread.
///
/// # Safety
///
/// As [`run`].
#[inline]
unsafe fn run_part<const N: usize>(
    call: &Call<'_, N>,
    loops: &Loops<'_, N>,
    operands: &[RawOperand; N],
    out: *mut u8,
) {
    if let Some((start, row)) = loops.single()
        && is_unit_stride(&row)
    {
        let views = core::array::from_fn(|k| TileView {
            is_splat: row.strides[k] == 0,
            ..call.view(k, &operands[k], start[k])
        });
        // SAFETY: as the caller promises.
        return unsafe { call.block(out, [1, 1, row.size], views) };
    }
    let (mut found, start) = (None, loops.start());
    let materialize = loops.materialize(&mut found);
    let takes_short_rows = call.kernel.policy != CallPolicy::Costly;
    let materialize =
        materialize.filter(|plan| takes_short_rows || fits_whole_vectors(plan.columns));
    // SAFETY: as the caller promises.
    unsafe {
        match (materialize, loops.as_slice()) {
            (Some(plan), _) => materialized(call, plan, start, operands, out),
            (None, Some(all)) => tiled(call, all, start, operands, out),
            (None, None) => tiled(call, &loops.nest().loops, start, operands, out),
        }
    }
}

/// Computes results from small operands, each of which is materialised once.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
unsafe fn materialized<const N: usize>(
    call: &Call<'_, N>,
    MaterializePlan { columns, outer_loops: [inner, outer], operands: sources }: &MaterializePlan<
        N,
    >,
    start: [isize; N],
    operands: &[RawOperand; N],
    out: *mut u8,
) {
    let mut scratch = [const { Scratch::UNINIT }; N];
    let mut scratch = scratch.iter_mut();
    let views = core::array::from_fn(|k| {
        let scratch = scratch.next().expect("one for each operand");
        let bytes = call.kernel.operand_bytes[k];
        let elements = materialize_operand(&sources[k], &operands[k], bytes, start[k], scratch);
        TileView {
            strides: [inner.strides[k] as usize, outer.strides[k] as usize],
            is_splat: matches!(sources[k], OperandSource::Single),
            ..elements
        }
    });
    // SAFETY: as the caller promises.
    unsafe { call.block(out, [outer.size, inner.size, *columns], views) }
}

/// Computes results tile by tile.
///
/// # Safety
///
/// As [`run`].
#[inline(never)]
unsafe fn tiled<const N: usize>(
    call: &Call<'_, N>,
    loops: &[Loop<N>],
    start: [isize; N],
    operands: &[RawOperand; N],
    out: *mut u8,
) {
    let bytes = call.kernel.result_bytes;
    let mut scratch = [const { Scratch::UNINIT }; N];
    let mut scratch = scratch.iter_mut();
    let mut operands: [TileOperand<'_>; N] = core::array::from_fn(|k| {
        let scratch = scratch.next().expect("one for each operand");
        TileOperand::new(operands[k], call.kernel.operand_bytes[k], scratch)
    });
    match Tiling::new(loops, start, call.kernel.policy == CallPolicy::Sequential) {
        Tiling::Rows(tiles) => {
            for (k, operand) in operands.iter_mut().enumerate() {
                tiles.walk(k, &mut operand.walk);
            }
            let mut out = out;
            tiles.for_each(|place, tile| {
                let [count, columns] = tile;
                let mut k = 0;
                let views = operands.each_mut().map(|operand| {
                    k += 1;
                    operand.tile(place[k - 1], tile)
                });
                // SAFETY: as the caller promises; the tiles follow one another in the results.
                unsafe {
                    call.block(out, [1, count, columns], views);
                    out = out.add(count * columns * bytes);
                }
            });
        }
        Tiling::TransposeBlocks(tiles) => tiles.for_each(|place, result, sizes| {
            let [count, columns] = sizes;
            for (k, operand) in operands.iter_mut().enumerate() {
                operand.load_block(place[k], sizes, tiles.strides(k));
            }
            let mut k = 0;
            let views = operands.each_ref().map(|operand| {
                k += 1;
                operand.block_view(sizes, tiles.strides(k - 1))
            });
            if columns == tiles.out_row_stride && views.iter().all(Option::is_some) {
                let views = views.map(|view| view.expect("all of them are there"));
                // SAFETY: as the caller promises; the block is contiguous in the results.
                return unsafe { call.block(out.add(result * bytes), [1, count, columns], views) };
            }
            for row in 0..count {
                let result = result + row * tiles.out_row_stride;
                if row + 1 < count {
                    let next = result + tiles.out_row_stride;
                    super::prefetch::prefetch(out.wrapping_add(next * bytes), columns * bytes);
                    for (k, operand) in operands.iter().enumerate() {
                        operand.prefetch_row(row + 1, columns, tiles.strides(k));
                    }
                }
                let mut k = 0;
                let views = operands.each_mut().map(|operand| {
                    k += 1;
                    operand.row(row, columns, tiles.strides(k - 1))
                });
                // SAFETY: as the caller promises; each row of the block has a place of its own.
                unsafe { call.block(out.add(result * bytes), [1, 1, columns], views) }
            }
        }),
    }
}

/// The loops over a result: the constant plan where it holds, else computed from the strides.
fn loops_of<'a, const N: usize>(
    plan: &'a Option<StaticPlan<N>>,
    sizes: &[usize],
    operands: &[UntypedView<'_>; N],
) -> Loops<'a, N> {
    match plan {
        Some(plan) if operands.iter().all(|operand| operand.layout.is_none()) => {
            Loops::constant(plan)
        }
        _ => {
            let strides =
                operands.each_ref().map(|operand| operand.broadcast_strides_to(sizes.len()));
            Loops::from_strides(
                sizes,
                strides.each_ref().map(|strides| &strides[..]),
                operands.each_ref().map(UntypedView::offset),
            )
        }
    }
}

/// Which operands of an operation are one element, repeated: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Splats(u8);

impl Splats {
    pub(crate) const NONE: Self = Self(0);

    /// Operand `k` alone.
    pub(crate) const fn only(k: usize) -> Self {
        Self(1 << k)
    }

    /// These, and operand `k` if it is one.
    pub(crate) const fn with(self, k: usize, is_splat: bool) -> Self {
        Self(self.0 | (is_splat as u8) << k)
    }

    const fn contains(self, k: usize) -> bool {
        self.0 >> k & 1 == 1
    }
}

/// Runs an operation on erased operands. Concrete for each number of operands, so that it is compiled
/// in this crate.
pub(crate) trait Run<const N: usize> {
    /// Writes the results, of these sizes, from `out` on.
    ///
    /// # Safety
    ///
    /// `out` is writable for as many results as the sizes have and aligned for their type. They overlap
    /// an operand only where it is contiguous, begins with them, and has their sizes and the size of
    /// their elements. The operands have elements of the types of the kernel. The parameters are what
    /// the kernel takes.
    unsafe fn write(
        &self,
        params: Params,
        plan: &Option<StaticPlan<N>>,
        sizes: &[usize],
        operands: [UntypedView<'_>; N],
        out: *mut u8,
    );

    /// The results, of these sizes, in new memory.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), without `out`.
    unsafe fn collect(
        &self,
        params: Params,
        plan: &Option<StaticPlan<N>>,
        sizes: &[usize],
        operands: [UntypedView<'_>; N],
    ) -> RawBuffer;

    /// The results for `len` contiguous elements of each operand, or one where it is a splat, in new
    /// memory. The shortest way, for operands that are in the cache.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), without `out`, for operands of `len` elements from each pointer on.
    unsafe fn collect_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
    ) -> RawBuffer;

    /// Writes the results for `len` contiguous elements of each operand, or one where it is a splat.
    ///
    /// # Safety
    ///
    /// As [`write`](Run::write), for operands of `len` elements from each pointer on.
    unsafe fn write_contiguous(
        &self,
        params: Params,
        firsts: [*const u8; N],
        splats: Splats,
        len: usize,
        out: *mut u8,
    );
}

/// [`Run::collect`].
///
/// # Safety
///
/// The same.
unsafe fn collect<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    plan: &Option<StaticPlan<N>>,
    sizes: &[usize],
    operands: [UntypedView<'_>; N],
) -> RawBuffer {
    let loops = loops_of(plan, sizes, &operands);
    let len = num_elements(sizes);
    assert_eq!(len, loops.len(), "the loops cover the results");
    let operands = operands.map(RawOperand::from);
    let results = RawBuffer::new_uninit(len, kernel.result_bytes);
    // SAFETY: the buffer has room for the results; the rest the caller promises.
    unsafe { run(kernel, params, &loops, &operands, results.first().as_ptr()) };
    results
}

/// [`Run::write_contiguous`].
///
/// # Safety
///
/// The same.
#[inline(always)]
unsafe fn write_contiguous<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
    out: *mut u8,
) {
    let bytes = len.saturating_mul(kernel.result_bytes);
    if kernel.policy != CallPolicy::Sequential && parallel::is_parallel(bytes) {
        // SAFETY: as the caller promises.
        return unsafe { write_contiguous_parallel(kernel, params, firsts, splats, len, out) };
    }
    if let Some(contiguous) = &kernel.contiguous
        && len >= contiguous.vector
        && splats == Splats::NONE
    {
        let first = |k: usize| if k < N { firsts[k] } else { null() };
        let run = contiguous.loops[Isa::of_this_machine() as usize];
        // SAFETY: as the caller promises, for at least one vector.
        return unsafe { run(out, len, first(0), first(1), first(2)) };
    }
    let mut k = 0;
    let operands = firsts.map(|first| {
        k += 1;
        BlockOperand { first, strides: [0; 2], is_splat: splats.contains(k - 1) }
    });
    let block = Block { out, sizes: [1, 1, len], operands };
    // SAFETY: as the caller promises.
    unsafe { kernel.inner()(kernel, params, &block) }
}

/// [`write_contiguous`] on several threads. A separate function, so that small operands do not pay for
/// its frame.
///
/// # Safety
///
/// As [`write_contiguous`].
#[cold]
#[inline(never)]
unsafe fn write_contiguous_parallel<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
    out: *mut u8,
) {
    let strides = core::array::from_fn(|k| isize::from(!splats.contains(k)));
    let loops = Loops::of_single(Loop { size: len, strides });
    let operands = core::array::from_fn(|k| RawOperand {
        first: firsts[k],
        len: if splats.contains(k) { 1 } else { len },
    });
    // SAFETY: as the caller promises.
    unsafe { run(kernel, params, &loops, &operands, out) }
}

macro_rules! runs {
    ($($n:literal($($x:ident)+))+) => {$(
        impl Run<$n> for Kernel<$n> {
            #[inline(never)]
            unsafe fn write(
                &self,
                params: Params,
                plan: &Option<StaticPlan<$n>>,
                sizes: &[usize],
                operands: [UntypedView<'_>; $n],
                out: *mut u8,
            ) {
                let loops = loops_of(plan, sizes, &operands);
                assert_eq!(num_elements(sizes), loops.len(), "the loops cover the results");
                // SAFETY: as the caller promises.
                unsafe { run(self, params, &loops, &operands.map(RawOperand::from), out) }
            }

            #[inline(never)]
            unsafe fn collect(
                &self,
                params: Params,
                plan: &Option<StaticPlan<$n>>,
                sizes: &[usize],
                operands: [UntypedView<'_>; $n],
            ) -> RawBuffer {
                // SAFETY: as the caller promises.
                unsafe { collect(self, params, plan, sizes, operands) }
            }

            #[inline(always)]
            unsafe fn collect_contiguous(
                &self,
                params: Params,
                [$($x),+]: [*const u8; $n],
                splats: Splats,
                len: usize,
            ) -> RawBuffer {
                /// The operands one by one: as an array they go through memory, where they are written
                /// one by one and read as vectors, which waits for the stores.
                #[inline(never)]
                unsafe fn by_registers(
                    kernel: &Kernel<$n>,
                    params: Params,
                    $($x: *const u8,)+
                    splats: Splats,
                    len: usize,
                ) -> RawBuffer {
                    let results = RawBuffer::new_uninit(len, kernel.result_bytes);
                    let out = results.first().as_ptr();
                    // SAFETY: the buffer has room for the results; the rest the caller promises.
                    unsafe { write_contiguous(kernel, params, [$($x),+], splats, len, out) };
                    results
                }
                // SAFETY: as the caller promises.
                unsafe { by_registers(self, params, $($x,)+ splats, len) }
            }

            #[inline(always)]
            unsafe fn write_contiguous(
                &self,
                params: Params,
                [$($x),+]: [*const u8; $n],
                splats: Splats,
                len: usize,
                out: *mut u8,
            ) {
                /// The operands one by one, as for new memory.
                #[inline(never)]
                unsafe fn by_registers(
                    kernel: &Kernel<$n>,
                    params: Params,
                    $($x: *const u8,)+
                    splats: Splats,
                    len: usize,
                    out: *mut u8,
                ) {
                    // SAFETY: as the caller promises.
                    unsafe { write_contiguous(kernel, params, [$($x),+], splats, len, out) }
                }
                // SAFETY: as the caller promises.
                unsafe { by_registers(self, params, $($x,)+ splats, len, out) }
            }
        }
    )+};
}

runs!(1(a) 2(a b) 3(a b c) 4(a b c d) 5(a b c d e) 6(a b c d e f) 7(a b c d e f g) 8(a b c d e f g h));

/// Copies the elements that the loops lead to, in their order.
///
/// # Panics
///
/// If there are not as many results as steps, or a step leaves the source.
///
/// # Safety
///
/// The source has that many initialised elements of this size, the results have room for that many, and
/// they do not overlap.
pub(super) unsafe fn copy_elements(
    element_bytes: usize,
    (source, len): (*const u8, usize),
    loops: &Loops<'_, 1>,
    (results, count): (*mut u8, usize),
) {
    assert_eq!(count, loops.len(), "the loops cover the results");
    let (kernel, operand) = (super::table::copy(element_bytes), RawOperand { first: source, len });
    // SAFETY: the kernel copies elements of this size; the rest the caller promises.
    unsafe { run(kernel, null(), loops, &[operand], results) }
}

#[cfg(test)]
mod tests;
