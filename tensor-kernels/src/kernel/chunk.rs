//! Evaluation of expressions chunk by chunk: each operation computes some hundred results, which stay
//! in the L1 cache until the next operation reads them.
//!
//! Thus `(x * w + b).gelu()` reads its operands and writes its results once, and runs the existing
//! kernels: an expression compiles to calls alone. A chunk is several whole rows, or a part of
//! one row; its operands are read in place, and the temporaries are contiguous.
//!
//! `a * b + c` is one pass: a product is deferred until the operation that reads it is known; if
//! that operation is a sum, one kernel computes both.

use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::{null, null_mut};

use super::division::check_block;
use super::isa_fns::IsaFns;
use crate::arrays;
use crate::ops::{Block, BlockOperand, CallPolicy, InnerLoop, Kernel, MultiplyAddPart, Params};
use crate::storage::Plain;

mod trace;
mod whole;

pub use trace::{ExpressionOp, ExpressionStep, Slot, Trace};
use whole::{WHOLE, run_rows, run_whole};

/// The maximum number of elements of a chunk.
pub(crate) const CHUNK: usize = 2048;

/// The maximum size in bytes of each operand and result of a chunk, so that all stay in the L1 cache.
const CHUNK_BYTES: usize = 8192;

/// Memory for temporaries in units of a cache line, so that no vector crosses two lines.
#[repr(align(64))]
struct CacheLine(#[allow(dead_code, reason = "accessed through pointers")] [u64; 8]);

/// The state shared by the operations on one chunk: its rows, and memory for temporaries.
pub(crate) struct Workspace<'a> {
    rows: Cell<usize>,
    columns: Cell<usize>,
    /// The operands of the block, the element size of each, and the number of columns of the block.
    leaves: &'a [BlockOperand],
    bytes: &'a [usize],
    block_columns: usize,
    /// The position of the chunk in the block: its plane, row and column.
    plane: Cell<usize>,
    row: Cell<usize>,
    column: Cell<usize>,
    /// A bit mask, by the lowest bits of a tag: which elements are contiguous.
    contiguous: Cell<u32>,
    /// The destination of the chunk's results; null once an operation has taken it.
    out: Cell<*mut u8>,
    /// The size of a result.
    out_bytes: usize,
    /// The number of operations that were run on this chunk.
    operations: Cell<usize>,
    /// The number of operations of the previous chunk; 0 for the first chunk.
    last: Cell<usize>,
    /// The number of operands that were already prefetched for the next chunk.
    prefetched: Cell<usize>,
    /// The maximum number of elements of a chunk.
    len: usize,
    buffers: RefCell<Vec<Box<[MaybeUninit<CacheLine>]>>>,
    /// The number of buffers that hold temporaries of this chunk.
    used: Cell<usize>,
    /// The deferred product, which is computed when it is read, if there is one.
    deferred: Cell<Option<&'static Kernel<2>>>,
    /// Its operands, stored word by word: they are soon read, and a load of both would wait for the stores.
    factors: [(Cell<MaybeUninit<u64>>, Cell<u64>); 2],
}

/// The maximum number of operands of an expression.
const OPERANDS: usize = 8;

thread_local! {
    /// The number of the next chunk.
    static NEXT: Cell<u64> = const { Cell::new(1) };
    /// The chunk of the expression that this thread computes, and its workspace; 0 if there is none.
    static CURRENT: Cell<(u64, *const Workspace<'static>)> = const { Cell::new((0, null())) };
}

/// Restores the previous current chunk on drop: an expression may compute another one.
struct RestoreChunk((u64, *const Workspace<'static>));

impl Drop for RestoreChunk {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Refuses elements of another chunk, which are no longer valid.
fn assert_current(chunk: u64) {
    assert!(chunk == CURRENT.get().0, "elements of `fuse!` are there within its expression alone");
}

/// The workspace of the elements of the chunk with this number.
///
/// # Panics
///
/// If they are of another chunk.
#[inline(always)]
fn current<'a>(chunk: u64) -> &'a Workspace<'a> {
    assert_current(chunk);
    // SAFETY: this is the current chunk, and it has a workspace, because its elements are not symbols; the
    // workspace lives as long as its expression is computed.
    unsafe { &*CURRENT.get().1 }
}

impl<'a> Workspace<'a> {
    /// A workspace for the chunks of a block, which have at most `len` elements.
    fn new<const N: usize>(kernel: &'a Kernel<N>, block: &'a Block<N>, len: usize) -> Self {
        Self {
            rows: Cell::new(0),
            columns: Cell::new(0),
            leaves: &block.operands,
            bytes: &kernel.operand_bytes,
            block_columns: block.sizes[2],
            plane: Cell::new(0),
            row: Cell::new(0),
            column: Cell::new(0),
            contiguous: Cell::new(0),
            out: Cell::new(null_mut()),
            out_bytes: kernel.result_bytes,
            operations: Cell::new(0),
            last: Cell::new(0),
            prefetched: Cell::new(0),
            len,
            buffers: RefCell::new(Vec::new()),
            used: Cell::new(0),
            deferred: Cell::new(None),
            factors: [const { (Cell::new(MaybeUninit::uninit()), Cell::new(0)) }; 2],
        }
    }

    /// Begins a chunk at this position with these numbers of rows and columns, which writes its results to
    /// `out`; the bits of `contiguous` mark the contiguous operands. Returns the number of the chunk.
    fn begin(
        &self,
        [plane, row, column]: [usize; 3],
        [rows, columns]: [usize; 2],
        out: *mut u8,
        contiguous: u32,
    ) -> u64 {
        assert!(rows * columns <= self.len, "a chunk fits its buffers");
        self.plane.set(plane);
        self.row.set(row);
        self.column.set(column);
        self.rows.set(rows);
        self.columns.set(columns);
        self.contiguous.set(contiguous | 1 << TEMPORARY);
        self.out.set(out);
        self.last.set(self.operations.replace(0));
        self.prefetched.set(0);
        self.used.set(0);
        self.deferred.set(None);
        let chunk = NEXT.get();
        NEXT.set(chunk + 1);
        CURRENT.set((chunk, core::ptr::from_ref(self).cast()));
        chunk
    }

    /// Returns memory for results of this size.
    ///
    /// Temporaries stay in the L1 cache; `buffer`, if not null, is the memory of an operand to overwrite. The
    /// last operation writes to the destination of the chunk; which one is last is known from the previous
    /// chunk. In the first chunk, the first operation without a `buffer` takes the destination.
    fn take(&self, bytes: usize, buffer: *mut u8) -> *mut u8 {
        let (operation, last, out) = (self.operations.get() + 1, self.last.get(), self.out.get());
        self.operations.set(operation);
        let is_last = if last == 0 { buffer.is_null() } else { operation == last };
        if is_last && !out.is_null() && bytes == self.out_bytes {
            self.out.set(null_mut());
            return out;
        }
        if buffer.is_null() { self.temporary() } else { buffer }
    }

    /// The elements of one more operand in the next chunk, for a long operation to prefetch: a short one that
    /// reads them then would wait for the memory. Null if all operands are prefetched. After the last chunk
    /// the address may be invalid, which is harmless: prefetching reads nothing.
    fn next(&self) -> *const u8 {
        let column = self.column.get() + self.columns.get();
        let is_in_row = column < self.block_columns;
        let (row, column) = match is_in_row {
            true => (self.row.get(), column),
            false => (self.row.get() + self.rows.get(), 0),
        };
        for k in self.prefetched.get()..self.leaves.len() {
            let BlockOperand { first, strides, is_splat, .. } = self.leaves[k];
            if !is_splat && (is_in_row || strides[0] >= self.block_columns) {
                self.prefetched.set(k + 1);
                let index = self.plane.get() * strides[1] + row * strides[0] + column;
                return first.wrapping_add(index * self.bytes[k]);
            }
        }
        self.prefetched.set(self.leaves.len());
        null()
    }

    /// Returns memory for the elements of a chunk, of any element type.
    fn temporary(&self) -> *mut u8 {
        let (mut buffers, used) = (self.buffers.borrow_mut(), self.used.get());
        if used == buffers.len() {
            let lines = (self.len * size_of::<u64>()).div_ceil(size_of::<CacheLine>());
            buffers.push(Box::new_uninit_slice(lines));
        }
        self.used.set(used + 1);
        buffers[used].as_mut_ptr().cast()
    }
}

/// The elements of one operand of an operation within a chunk: two words, which are passed in
/// registers.
#[derive(Clone, Copy, Debug)]
pub struct RawChunk {
    /// The bits of a splat, or a pointer to the first element.
    word: MaybeUninit<u64>,
    /// 0 for a splat; else the number of the chunk, because the elements are valid only within its
    /// expression, and in the lowest bits the operand number in the expression.
    tag: u64,
    /// Elements stay on their thread: chunks of different threads may have the same numbers.
    thread: PhantomData<*const u8>,
}

/// The number of low bits of a tag that hold the operand number in the expression.
const LEAF_BITS: u32 = 4;
/// The value of these bits for the results of an operation, which nothing else reads.
const TEMPORARY: u64 = (1 << LEAF_BITS) - 1;
/// The value of these bits for a [product](Deferred) that is not computed yet.
const DEFERRED: u64 = TEMPORARY - 1;

const _: () = assert!(OPERANDS as u64 <= DEFERRED);

/// The bit of chunk numbers that marks symbols, which have no elements.
const TRACED: u64 = 1 << 59;

impl RawChunk {
    /// A splat: one element for all results.
    #[inline]
    pub fn splat<T: Plain>(element: T) -> Self {
        const { assert!(size_of::<T>() <= 8) };
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: `word` has room for the element, aligned for each size that it may have; the element is a
        // number, without padding.
        unsafe { word.as_mut_ptr().cast::<T>().write(element) };
        Self { word, tag: 0, thread: PhantomData }
    }

    /// A splat of the element of this many bytes at `first`.
    ///
    /// # Safety
    ///
    /// `first` points to an initialised element of at most eight bytes.
    unsafe fn splat_at(first: *const u8, bytes: usize) -> Self {
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: the caller promises that the element is there; the local does not overlap it.
        unsafe { word.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(first, bytes) };
        Self { word, tag: 0, thread: PhantomData }
    }

    /// Elements at `first`, one for each result.
    fn elements(first: *const u8, chunk: u64, leaf: u64) -> Self {
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: `word` has room for a pointer, aligned for it.
        unsafe { word.as_mut_ptr().cast::<*const u8>().write(first) };
        Self { word, tag: chunk << LEAF_BITS | leaf, thread: PhantomData }
    }

    fn is_splat(&self) -> bool {
        self.tag == 0
    }

    /// The operand number in the expression, or `TEMPORARY` or `DEFERRED`.
    fn leaf(&self) -> u64 {
        self.tag & TEMPORARY
    }

    fn is_deferred(&self) -> bool {
        self.leaf() == DEFERRED
    }

    /// A pointer to the first element. For a splat it points into `self`, and is valid only as long.
    fn first(&self) -> *const u8 {
        if self.is_splat() {
            return self.word.as_ptr().cast();
        }
        // SAFETY: the tag is that of elements, so the word was written as a pointer.
        unsafe { self.word.as_ptr().cast::<*const u8>().read() }
    }

    /// The element, if this is a splat.
    ///
    /// # Safety
    ///
    /// The element is of type `T`.
    pub unsafe fn splatted<T: Copy>(&self) -> Option<T> {
        // SAFETY: as the caller promises; all bits of the word are written.
        self.is_splat().then(|| unsafe { self.word.as_ptr().cast::<T>().read() })
    }
}

/// The results of a kernel on a chunk of its operands.
///
/// # Safety
///
/// The elements have the types of the kernel. Those of operands that are not splats are valid for the
/// whole chunk if it is the current one, which is checked. The parameters are those of the kernel.
#[inline(always)]
#[track_caller]
unsafe fn apply<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    operands: [RawChunk; N],
) -> RawChunk {
    let Some(operand) = operands.iter().find(|operand| !operand.is_splat()) else {
        // SAFETY: as the caller promises.
        return unsafe { apply_to_numbers(kernel, params, &operands) };
    };
    let chunk = operand.tag >> LEAF_BITS;
    let space = current(chunk);
    let (mut has_splats, mut is_contiguous, mut buffer) = (false, true, null_mut::<u8>());
    for (operand, bytes) in operands.iter().zip(kernel.operand_bytes) {
        if operand.is_splat() {
            has_splats = true;
            continue;
        }
        assert_current(operand.tag >> LEAF_BITS);
        is_contiguous &= space.contiguous.get() >> operand.leaf() & 1 == 1;
        if operand.leaf() == TEMPORARY && bytes == kernel.result_bytes && buffer.is_null() {
            buffer = operand.first().cast_mut();
        }
    }
    let out = space.take(kernel.result_bytes, buffer);
    let len = space.rows.get() * space.columns.get();
    if let Some((run, contiguous)) = kernel.contiguous()
        && is_contiguous
        && !has_splats
        && kernel.divides.is_none()
        && len >= contiguous.vector
    {
        let first = |k: usize| operands.get(k).map_or(null(), RawChunk::first);
        // SAFETY: `out` has room for a chunk of results, in separate memory or in that of an operand
        // with elements of the same size; the caller promises the rest, for at least one vector.
        unsafe { run(out, len, first(0), first(1), first(2), 0) }
    } else {
        // SAFETY: as above.
        unsafe { apply_to_rows(kernel, params, &operands, space, is_contiguous, out) }
    }
    RawChunk::elements(out, chunk, TEMPORARY)
}

/// Computes the results of a kernel on the rows of a chunk.
///
/// # Safety
///
/// As for [`apply`], and `out` has room for the results.
#[inline(never)]
#[track_caller]
unsafe fn apply_to_rows<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    operands: &[RawChunk; N],
    space: &Workspace<'_>,
    is_contiguous: bool,
    out: *mut u8,
) {
    let (rows, columns) = (space.rows.get(), space.columns.get());
    let sizes = if is_contiguous { [1, 1, rows * columns] } else { [1, rows, columns] };
    let mut block = Block::new(out, sizes);
    if kernel.policy == CallPolicy::Costly {
        block.next = space.next();
    }
    for (view, operand) in block.operands.iter_mut().zip(operands) {
        (view.first, view.is_splat) = (operand.first(), operand.is_splat());
        if !view.is_splat {
            (view.strides[0], view.is_splat) = space.row(operand);
        }
    }
    // SAFETY: the block is built from the operands; the caller promises the rest.
    unsafe {
        check_block(kernel, params, &block);
        run_rows(kernel, params, &block);
    }
}

/// The result of a kernel on splats alone, which is a splat.
///
/// # Safety
///
/// The splats have the types of the kernel, and the parameters are those of the kernel.
#[cold]
#[inline(never)]
#[track_caller]
unsafe fn apply_to_numbers<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    operands: &[RawChunk; N],
) -> RawChunk {
    let mut result = RawChunk::splat(0_u64);
    let mut block = Block::new(result.word.as_mut_ptr().cast(), [1; 3]);
    for (view, operand) in block.operands.iter_mut().zip(operands) {
        (view.first, view.is_splat) = (operand.first(), true);
    }
    // SAFETY: the block is built from the operands, and has room for one result; the caller promises
    // the rest.
    unsafe {
        check_block(kernel, params, &block);
        kernel.inner()(kernel, params, &block);
    }
    result
}

impl Workspace<'_> {
    /// The row stride of the elements, and whether each row repeats one element.
    fn row(&self, elements: &RawChunk) -> (usize, bool) {
        match elements.leaf() {
            TEMPORARY => (self.columns.get(), false),
            leaf => {
                let BlockOperand { strides: [stride, _], is_splat, .. } =
                    self.leaves[leaf as usize];
                (stride, is_splat)
            }
        }
    }
}

macro_rules! applies {
    ($($name:ident: $n:literal($($x:ident),+) |$traced:ident, $parameter:ident| $operation:expr;)+) => {$(
        /// The results of a kernel on a chunk of its operands.
        ///
        /// # Safety
        ///
        /// The elements have the types of the kernel. Those of operands that are not splats are
        /// valid for the whole chunk if it is the current one, which is checked. The parameters are
        /// those of the kernel.
        #[inline(never)]
        #[track_caller]
        pub unsafe fn $name(
            kernel: &'static Kernel<$n>,
            params: Params,
            $($x: RawChunk,)+
        ) -> RawChunk {
            if trace::is_tracing(&[$(&$x),+]) {
                let ($traced, $parameter) = (kernel, params);
                return trace::note($operation, &[$(&$x),+]);
            }
            // SAFETY: as the caller promises.
            unsafe {
                $( let $x = computed($x); )+
                apply(kernel, params, [$($x),+])
            }
        }
    )+};
}

/// Defers a product until it is read. `None` for splats alone, and if another product is deferred already.
///
/// # Panics
///
/// If the operands are of another chunk.
#[inline(always)]
fn defer(product: &'static Kernel<2>, factors: [RawChunk; 2]) -> Option<RawChunk> {
    let factor = factors.iter().find(|factor| !factor.is_splat())?;
    let chunk = factor.tag >> LEAF_BITS;
    let space = current(chunk);
    if space.deferred.get().is_some() {
        return None;
    }
    space.deferred.set(Some(product));
    for ((word, tag), factor) in space.factors.iter().zip(factors) {
        word.set(factor.word);
        tag.set(factor.tag);
    }
    Some(RawChunk::elements(null(), chunk, DEFERRED))
}

/// The deferred product that the elements represent, with its operands.
///
/// # Panics
///
/// If it is of another chunk, or was read before.
#[inline(always)]
fn take_deferred(elements: RawChunk) -> (&'static Kernel<2>, [RawChunk; 2]) {
    let space = current(elements.tag >> LEAF_BITS);
    let product = space.deferred.take().expect("the macro reads each temporary once");
    let factor = |k: usize| {
        let (word, tag) = &space.factors[k];
        RawChunk { word: word.get(), tag: tag.get(), thread: PhantomData }
    };
    (product, [factor(0), factor(1)])
}

/// The elements; computes them if they are a deferred product.
///
/// # Safety
///
/// As for [`apply2`].
#[inline(always)]
unsafe fn computed(elements: RawChunk) -> RawChunk {
    /// A separate function, because this case is rare.
    #[inline(never)]
    unsafe fn compute(elements: RawChunk) -> RawChunk {
        let (product, factors) = take_deferred(elements);
        // SAFETY: the caller of `apply2` promised this when the product was deferred.
        unsafe { apply(product, null(), factors) }
    }
    // SAFETY: as the caller promises.
    if elements.is_deferred() { unsafe { compute(elements) } } else { elements }
}

/// The results of a kernel on a chunk of its operands. A product is deferred until it is read; if a sum reads
/// it, one kernel computes both.
///
/// # Safety
///
/// The elements have the types of the kernel. Those of operands that are not splats are valid for the
/// whole chunk if it is the current one, which is checked. The parameters are those of the kernel.
#[inline(never)]
#[track_caller]
pub unsafe fn apply2(
    kernel: &'static Kernel<2>,
    params: Params,
    a: RawChunk,
    b: RawChunk,
) -> RawChunk {
    if trace::is_tracing(&[&a, &b]) {
        return trace::note(ExpressionOp::Binary(kernel), &[&a, &b]);
    }
    // SAFETY: as the caller promises; the caller that deferred a product promised the same for its operands,
    // whose elements have the type of the sum.
    unsafe {
        match kernel.multiply_add {
            Some(MultiplyAddPart::Sum(multiply_add)) if a.is_deferred() => {
                let (_, [x, y]) = take_deferred(a);
                apply(multiply_add, null(), [x, y, b])
            }
            Some(MultiplyAddPart::Sum(multiply_add)) if b.is_deferred() => {
                let (_, [x, y]) = take_deferred(b);
                apply(multiply_add, null(), [x, y, a])
            }
            Some(MultiplyAddPart::Product) => {
                let factors = [computed(a), computed(b)];
                defer(kernel, factors).unwrap_or_else(|| apply(kernel, params, factors))
            }
            _ => apply(kernel, params, [computed(a), computed(b)]),
        }
    }
}

applies! {
    apply1: 1(a) |kernel, params| match params.is_null() {
        true => ExpressionOp::Unary(kernel),
        // SAFETY: the only kernel of one operand with a parameter is that of an integer power, an `i32`.
        false => ExpressionOp::Powi(kernel, unsafe { *params.cast::<i32>() }),
    };
    apply3: 3(a, b, c) |kernel, _params| ExpressionOp::Ternary(kernel);
}

/// The elements of a chunk clamped between limits, by the kernels of `maximum` and `minimum`.
///
/// # Safety
///
/// As for [`apply2`].
#[inline(never)]
pub unsafe fn apply_clamp(
    [maximum, minimum]: [&'static Kernel<2>; 2],
    x: RawChunk,
    low: RawChunk,
    high: RawChunk,
) -> RawChunk {
    if trace::is_tracing(&[&x, &low, &high]) {
        return trace::note(ExpressionOp::Clamp(maximum, minimum), &[&x, &low, &high]);
    }
    // SAFETY: as the caller promises.
    unsafe { apply2(minimum, null(), apply2(maximum, null(), x, low), high) }
}

/// Copies the results of a chunk to `out`, unless they are already there.
///
/// # Safety
///
/// `out` has room for one result for each element of the chunk, of the same size as the elements.
#[inline(never)]
unsafe fn store(results: RawChunk, space: &Workspace<'_>, copy: &Kernel<1>, out: *mut u8) {
    let mut block = Block::new(out, [1, space.rows.get(), space.columns.get()]);
    let [view] = &mut block.operands;
    (view.first, view.is_splat) = (results.first(), true);
    if !results.is_splat() {
        assert_current(results.tag >> LEAF_BITS);
        if view.first == out.cast_const() {
            return;
        }
        (view.strides[0], view.is_splat) = space.row(&results);
    }
    // SAFETY: as the caller promises; memory other than `out` itself does not overlap the results.
    unsafe { copy.inner()(copy, null(), &block) }
}

/// An expression of the chunks of `N` operands.
pub type Expression<'a, const N: usize> = dyn Fn([RawChunk; N]) -> RawChunk + Sync + 'a;

/// The inner loop of an expression; the parameters point to the expression.
///
/// # Safety
///
/// As for [`InnerLoop`](crate::ops::InnerLoop).
unsafe fn inner<const N: usize>(kernel: &Kernel<N>, params: Params, block: &Block<N>) {
    // SAFETY: the parameters of this kernel point to a reference to the expression.
    let expression = unsafe { *params.cast::<&Expression<'_, N>>() };
    let [planes, rows, columns] = block.sizes;
    if planes * rows * columns >= WHOLE {
        let trace = trace::trace(expression);
        // SAFETY: as the caller promises.
        if unsafe { run_whole(&trace, block.out, block.sizes, &block.operands) } {
            return;
        }
    }
    let largest = kernel.operand_bytes.iter().fold(kernel.result_bytes, |a, &b| a.max(b));
    let chunk = CHUNK.min(CHUNK_BYTES / largest);
    // A chunk is several whole rows, or a part of one.
    let (count, width) = ((chunk / columns.max(1)).max(1), columns.clamp(1, chunk));
    let count = count.min(rows.max(1));
    let workspace = Workspace::new(kernel, block, count * width);
    let _restore = RestoreChunk(CURRENT.get());
    let copy = super::table::copy(kernel.result_bytes);
    let bits = |is_contiguous: &dyn Fn(&BlockOperand) -> bool| {
        let bits = block.operands.iter().enumerate();
        bits.fold(0, |bits, (k, operand)| bits | u32::from(is_contiguous(operand)) << k)
    };
    let row_bits = bits(&|operand| !operand.is_splat);
    let rows_bits = bits(&|operand| !operand.is_splat && operand.strides[0] == columns);
    for plane in 0..planes {
        for row in (0..rows).step_by(count) {
            let count = count.min(rows - row);
            let contiguous = if count == 1 { row_bits } else { rows_bits };
            for start in (0..columns).step_by(width) {
                let width = width.min(columns - start);
                let result = (plane * rows + row) * columns + start;
                let out = block.out.wrapping_add(result * kernel.result_bytes);
                let position = [plane, row, start];
                let chunk = workspace.begin(position, [count, width], out, contiguous);
                let chunks = arrays::from_fn(|k| {
                    let (operand, bytes) = (&block.operands[k], kernel.operand_bytes[k]);
                    let offset = plane * operand.strides[1] + row * operand.strides[0];
                    if operand.is_splat && (count == 1 || operand.strides[0] == 0) {
                        // SAFETY: the operand has an element at this offset.
                        return unsafe {
                            RawChunk::splat_at(operand.first.add(offset * bytes), bytes)
                        };
                    }
                    let offset = if operand.is_splat { offset } else { offset + start };
                    let first = operand.first.wrapping_add(offset * bytes);
                    RawChunk::elements(first, chunk, k as u64)
                });
                let results = expression(chunks);
                // SAFETY: the results belong to this chunk, and `out` has room for them.
                unsafe { store(computed(results), &workspace, copy, out) };
            }
        }
    }
}

/// Kernels of expressions. Not generic in the number of operands, so that they are compiled in this crate.
pub trait OfExpression<const N: usize> {
    /// The kernel of an expression whose operands have elements of these sizes; its parameters point to a
    /// reference to the [`Expression`].
    fn of_expression(operand_bytes: [usize; N], result_bytes: usize) -> Self;

    /// The operations of an expression, recorded by calling it with symbols.
    fn trace(expression: &Expression<'_, N>) -> Trace;
}

macro_rules! of_expressions {
    ($($n:literal)+) => {$(
        impl OfExpression<$n> for Kernel<$n> {
            #[inline(never)]
            fn of_expression(operand_bytes: [usize; $n], result_bytes: usize) -> Self {
                Kernel {
                    inner: IsaFns::baseline_only(inner::<$n> as InnerLoop<$n>),
                    contiguous: None,
                    operand_bytes,
                    result_bytes,
                    policy: CallPolicy::Costly,
                    divides: None,
                    through: None,
                    recording: None,
                    multiply_add: None,
                }
            }

            #[inline(never)]
            fn trace(expression: &Expression<'_, $n>) -> Trace {
                trace::trace(expression)
            }
        }
    )+};
}

of_expressions!(1 2 3 4 5 6 7 8);
