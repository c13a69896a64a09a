//! One operand of a tile: read in place, or packed.

use core::mem::MaybeUninit;

use crate::kernel::bits::with_bits;
use crate::kernel::pack::{BUFFER, PACK_PADDING, blocks, pack_strided};
use crate::kernel::prefetch::prefetch;
use crate::kernel::transpose::transpose_into;
use crate::layout::ErasedView;
use crate::ops::BlockOperand;
use crate::plan::{CountStride, OperandSource, StridedWalk};

/// The maximum number of loops of a tile, plus one: each has at least two steps.
const LEVELS: usize = BUFFER.ilog2() as usize + 1;

/// The steps to traverse an operand within a row, and from row to row.
pub(crate) struct RowWalk {
    row: StridedWalk<LEVELS>,
    /// The number of elements of a row.
    columns: usize,
    pub(super) row_step: isize,
}

impl Default for RowWalk {
    #[inline]
    fn default() -> Self {
        Self { row: StridedWalk::EMPTY, columns: 1, row_step: 0 }
    }
}

impl RowWalk {
    /// Adds a step around the others.
    pub(super) fn push(&mut self, size: usize, stride: isize) {
        self.columns *= size;
        self.row.push((size, stride));
    }

    /// Calls `walk` with the steps through some rows, whose length may be shorter than usual.
    #[inline]
    fn through(&mut self, rows: usize, columns: usize, walk: impl FnOnce(&[CountStride])) {
        let StridedWalk { steps, levels } = &mut self.row;
        let (last, whole) = (*levels - 1, steps[*levels - 1].0);
        if columns < self.columns {
            // A shorter row has fewer steps of the outermost loop.
            steps[last].0 = whole * columns / self.columns;
        }
        if rows > 1 {
            steps[*levels] = (rows, self.row_step);
            walk(&steps[..=*levels]);
            steps[*levels] = (1, 0);
        } else {
            walk(&steps[..*levels]);
        }
        steps[last].0 = whole;
    }
}

/// Memory for the packed elements of one operand, of any size up to eight bytes.
pub(crate) struct Scratch([MaybeUninit<u64>; BUFFER + PACK_PADDING]);

impl Scratch {
    pub(crate) const UNINIT: Self = Self([const { MaybeUninit::uninit() }; _]);

    /// The memory for elements of type `B`.
    fn slots<B>(&mut self) -> &mut [MaybeUninit<B>] {
        const { assert!(size_of::<B>() <= 8 && align_of::<B>() <= 8) };
        // SAFETY: there is room for the same number of elements of eight bytes, and `MaybeUninit`
        // allows any contents.
        unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len()) }
    }

    fn first(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }
}

/// The elements of an operand as bits.
///
/// # Safety
///
/// The elements have the size of `B` and at least its alignment, and outlive the result.
unsafe fn bits<'a, B>(operand: &ErasedView<'_>) -> &'a [B] {
    // SAFETY: as the caller promises; there are `len` initialised elements.
    unsafe { core::slice::from_raw_parts(operand.first.cast(), operand.len) }
}

/// Sets a view to contiguous elements at `first`. Field by field: copying the view would wait for the
/// stores.
#[inline(always)]
fn set_contiguous(view: &mut BlockOperand, first: *const u8, len: usize) {
    view.first = first;
    view.len = len;
}

/// The elements of an operand, starting at `start`.
///
/// # Panics
///
/// If it begins elsewhere than within its elements.
#[inline(always)]
pub(crate) fn view_from(
    view: &mut BlockOperand,
    operand: &ErasedView<'_>,
    bytes: usize,
    start: isize,
) {
    let start = usize::try_from(start).ok().filter(|&start| start <= operand.len);
    let start = start.expect("an operand begins within its elements");
    set_contiguous(view, operand.first.wrapping_add(start * bytes), operand.len - start);
}

/// The elements of an operand, starting at `start`, materialised if the plan requires it.
#[inline]
pub(crate) fn materialize_operand(
    view: &mut BlockOperand,
    source: &OperandSource,
    operand: &ErasedView<'_>,
    bytes: usize,
    start: isize,
    scratch: &mut Scratch,
) {
    match *source {
        OperandSource::Rows | OperandSource::Single => view_from(view, operand, bytes, start),
        OperandSource::Materialized(steps) => {
            with_bits!(bytes, B => {
                // SAFETY: the elements have this size, and the alignment of integers of this size.
                blocks(unsafe { bits::<B>(operand) }, start, steps, scratch.slots::<B>())
            });
            let len = steps.iter().map(|&(size, _)| size).product::<usize>();
            set_contiguous(view, scratch.first(), len);
        }
    }
}

/// One operand, with the position of the elements that were packed last.
pub(crate) struct TileOperand<'a> {
    operand: &'a ErasedView<'a>,
    bytes: usize,
    pub walk: RowWalk,
    scratch: &'a mut Scratch,
    /// The start of the packed elements in the source, and their number; for transposed blocks, the start
    /// of the block.
    held: (isize, usize),
    /// The rows of a transposed block, as bytes.
    transposed: Vec<MaybeUninit<u64>>,
}

impl<'a> TileOperand<'a> {
    #[inline]
    pub(crate) fn new(operand: &'a ErasedView<'a>, bytes: usize, scratch: &'a mut Scratch) -> Self {
        let walk = RowWalk::default();
        Self { operand, bytes, walk, scratch, held: (0, 0), transposed: Vec::new() }
    }

    /// The elements of a tile that starts at `start`; one element for each row if it is a splat.
    #[inline]
    pub(crate) fn tile(
        &mut self,
        view: &mut BlockOperand,
        start: isize,
        [rows, columns]: [usize; 2],
    ) {
        let step = self.walk.row_step;
        let is_splat = self.walk.row.is_broadcast();
        if is_splat || self.walk.row.is_contiguous() {
            view_from(view, self.operand, self.bytes, start);
            // Strides are not negative if there are several rows.
            view.strides[0] = if rows == 1 { 0 } else { step as usize };
            view.is_splat = is_splat;
            return;
        }
        let rows = if step == 0 { 1 } else { rows };
        let len = rows * columns;
        if self.held.0 != start || self.held.1 < len {
            let (operand, scratch) = (self.operand, &mut *self.scratch);
            self.walk.through(rows, columns, |steps| {
                with_bits!(self.bytes, B => {
                    // SAFETY: the elements have this size, and the alignment of integers of this size.
                    let elements = unsafe { bits::<B>(operand) };
                    pack_strided(elements, start, steps, scratch.slots::<B>());
                });
            });
            self.held = (start, len);
        }
        set_contiguous(view, self.scratch.first(), len);
        view.strides[0] = if rows == 1 { 0 } else { columns };
    }

    /// Prepares the rows of a block that starts at `start`, and transposes it if its columns are
    /// contiguous.
    pub(crate) fn load_block(
        &mut self,
        start: isize,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) {
        self.held = (start, 0);
        if row_stride == 1 && stride > 1 {
            let len = rows * columns;
            self.transposed.resize((len * self.bytes).div_ceil(8), MaybeUninit::uninit());
            with_bits!(self.bytes, B => {
                // SAFETY: the elements have this size, and the alignment of integers of this size.
                let source = unsafe { &bits::<B>(self.operand)[start as usize..] };
                // SAFETY: there are `len` elements, aligned for eight bytes; they need no initialisation.
                let out = unsafe {
                    core::slice::from_raw_parts_mut(self.transposed.as_mut_ptr().cast(), len)
                };
                transpose_into::<B>(source, stride as usize, [rows, columns], out);
            });
        }
    }

    /// All rows of a block, if each is contiguous and their stride is not negative.
    #[inline]
    pub(crate) fn block_view(
        &self,
        view: &mut BlockOperand,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) -> bool {
        if stride == 1 && row_stride >= 0 {
            view_from(view, self.operand, self.bytes, self.held.0);
            view.strides[0] = row_stride as usize;
        } else if row_stride == 1 && stride > 1 {
            set_contiguous(view, self.transposed.as_ptr().cast(), rows * columns);
            view.strides[0] = columns;
        } else {
            return false;
        }
        true
    }

    /// Prefetches a row of a block if it is contiguous in the operand.
    #[inline]
    pub(crate) fn prefetch_row(
        &self,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) {
        if stride == 1 {
            let start = self.held.0 + row as isize * row_stride;
            let first = self.operand.first.wrapping_offset(start * self.bytes as isize);
            prefetch(first, columns * self.bytes);
        }
    }

    /// A row of a block.
    #[inline]
    pub(crate) fn row(
        &mut self,
        view: &mut BlockOperand,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) {
        let start = self.held.0 + row as isize * row_stride;
        if stride == 0 || stride == 1 {
            view_from(view, self.operand, self.bytes, start);
            view.is_splat = stride == 0;
            return;
        }
        if row_stride == 1 && stride > 1 {
            let first = self.transposed.as_ptr().cast::<u8>();
            set_contiguous(view, first.wrapping_add(row * columns * self.bytes), columns);
            return;
        }
        with_bits!(self.bytes, B => {
            // SAFETY: the elements have this size, and the alignment of integers of this size.
            let source = unsafe { bits::<B>(self.operand) };
            pack_strided(source, start, &[(columns, stride)], self.scratch.slots::<B>());
        });
        set_contiguous(view, self.scratch.first(), columns);
    }
}
