//! Expressions chunk by chunk: every operation of the table computes some hundred results, which stay
//! in the L1 cache until the next operation reads them.
//!
//! `(x * w + b).gelu()` so reads its operands and writes its results once, and runs the kernels that
//! there are: nothing but calls is compiled for an expression. A chunk is some whole rows, or a part of
//! one; its operands are the rows where they are, and the temporaries are contiguous.

use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::null;

use super::division::check_block;
use super::elementwise::{Run, Splats};
use super::isa_fns::IsaFns;
use super::prefetch::prefetch;
use crate::ops::{Block, BlockOperand, CallPolicy, InnerLoop, Kernel, Params};

mod trace;

pub(crate) use trace::{Operation, Slot, Step, Trace};

/// The elements of a chunk: a buffer of the largest ones has 8 KiB.
pub(crate) const CHUNK: usize = 1024;

/// The bytes that are prefetched before an operation: more at once than the processor can wait for
/// would hold up the operation.
const PREFETCH_BYTES: usize = 2048;

/// Memory for a chunk of temporary elements of any size.
type Buffer = Box<[MaybeUninit<u64>; CHUNK]>;

/// What the operations on one chunk share: its rows, and memory for temporaries.
pub(crate) struct Workspace<'a> {
    /// The number of rows and columns.
    sizes: Cell<[usize; 2]>,
    /// How the rows of the operands lie; `first` is not read.
    leaves: &'a [BlockOperand],
    /// Where the results of the chunk go, while no operation has taken it, and the size of one.
    out: Cell<Option<(*mut u8, usize)>>,
    buffers: RefCell<Vec<Buffer>>,
    /// How many buffers hold temporaries of this chunk.
    used: Cell<usize>,
    /// What is still to be prefetched for the next chunk: where it begins, and how many bytes.
    next: [Cell<(*const u8, usize)>; RANGES],
}

/// The operands of an expression, at most, and its results.
const RANGES: usize = 9;

thread_local! {
    /// The number of the next chunk.
    static NEXT: Cell<u64> = const { Cell::new(1) };
    /// The chunk whose expression this thread computes, and its workspace; 0 where there is none.
    static CURRENT: Cell<(u64, *const Workspace<'static>)> = const { Cell::new((0, null())) };
}

/// Makes the chunk of before the current one again: an expression may compute another one.
struct Restore((u64, *const Workspace<'static>));

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Refuses the elements of another chunk, which are gone.
fn assert_current(chunk: u64) {
    assert!(chunk == CURRENT.get().0, "elements of `fuse!` are there within its expression alone");
}

impl<'a> Workspace<'a> {
    fn new(leaves: &'a [BlockOperand]) -> Self {
        Self {
            sizes: Cell::new([0; 2]),
            leaves,
            out: Cell::new(None),
            buffers: RefCell::new(Vec::new()),
            used: Cell::new(0),
            next: [const { Cell::new((null(), 0)) }; RANGES],
        }
    }

    /// Begins a chunk of at most [`CHUNK`] elements, whose results go to `out`; its number.
    fn begin(&self, sizes: [usize; 2], out: *mut u8, result_bytes: usize) -> u64 {
        assert!(sizes[0] * sizes[1] <= CHUNK, "a chunk fits its buffers");
        self.sizes.set(sizes);
        self.out.set(Some((out, result_bytes)));
        self.used.set(0);
        let chunk = NEXT.get();
        NEXT.set(chunk + 1);
        CURRENT.set((chunk, core::ptr::from_ref(self).cast()));
        chunk
    }

    /// Memory for results of this size: that of the results of the chunk, if it is free.
    fn take(&self, bytes: usize) -> *mut u8 {
        if let Some((out, result_bytes)) = self.out.get()
            && result_bytes == bytes
        {
            self.out.set(None);
            return out;
        }
        let (mut buffers, used) = (self.buffers.borrow_mut(), self.used.get());
        if used == buffers.len() {
            buffers.push(Box::new([const { MaybeUninit::uninit() }; CHUNK]));
        }
        self.used.set(used + 1);
        buffers[used].as_mut_ptr().cast()
    }

    /// Prefetches at most `bytes` bytes of the next chunk: operations compute while the memory is on its
    /// way, which several passes over a chunk would not overlap by themselves.
    fn prefetch(&self, mut bytes: usize) {
        for range in &self.next {
            let (first, len) = range.get();
            if len == 0 {
                continue;
            }
            let now = len.min(bytes);
            prefetch(first, now);
            range.set((first.wrapping_add(now), len - now));
            bytes -= now;
            if bytes == 0 {
                return;
            }
        }
    }
}

/// The elements of one operand of an operation that meet a chunk: two words, which are passed in
/// registers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawChunk {
    /// The bits of one element for all, or a pointer to the first.
    word: MaybeUninit<u64>,
    /// 0 for one element; else the number of the chunk, as elsewhere than in its expression the
    /// elements are not there, and in the lowest bits the operand of the expression.
    tag: u64,
    /// Elements stay on their thread: chunks of two threads have the same numbers.
    thread: PhantomData<*const u8>,
}

/// The bits of a tag that number the operands of an expression,
const LEAF_BITS: u32 = 4;
/// and what they are for the results of an operation, which nothing else reads.
const TEMPORARY: u64 = (1 << LEAF_BITS) - 1;

const _: () = assert!(RANGES <= TEMPORARY as usize);

/// The bit of the numbers of chunks of symbols, which have no elements.
const TRACED: u64 = 1 << 59;

impl RawChunk {
    /// One element for all.
    #[inline]
    pub(crate) fn splat<T: Copy>(element: T) -> Self {
        const { assert!(size_of::<T>() <= 8) };
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: there is room for the element, aligned for all of its size; it is a number, without
        // padding.
        unsafe { word.as_mut_ptr().cast::<T>().write(element) };
        Self { word, tag: 0, thread: PhantomData }
    }

    /// The element of this many bytes at `first`, for all.
    ///
    /// # Safety
    ///
    /// There is one, and it has eight bytes at most.
    unsafe fn splat_at(first: *const u8, bytes: usize) -> Self {
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: as the caller promises; the local does not overlap it.
        unsafe { word.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(first, bytes) };
        Self { word, tag: 0, thread: PhantomData }
    }

    /// One element for each result.
    fn elements(first: *const u8, chunk: u64, leaf: u64) -> Self {
        let mut word = MaybeUninit::new(0_u64);
        // SAFETY: there is room for a pointer, aligned for it.
        unsafe { word.as_mut_ptr().cast::<*const u8>().write(first) };
        Self { word, tag: chunk << LEAF_BITS | leaf, thread: PhantomData }
    }

    fn is_splat(&self) -> bool {
        self.tag == 0
    }

    /// The first element. If it is one for all, it is in this value, and there as long as that.
    fn first(&self) -> *const u8 {
        if self.is_splat() {
            return self.word.as_ptr().cast();
        }
        // SAFETY: the tag says that the word was written as a pointer.
        unsafe { self.word.as_ptr().cast::<*const u8>().read() }
    }

    /// The element, if it is one for all.
    ///
    /// # Safety
    ///
    /// It is of type `T`.
    pub(crate) unsafe fn splatted<T: Copy>(&self) -> Option<T> {
        // SAFETY: as the caller promises; all bits of the word are written.
        self.is_splat().then(|| unsafe { self.word.as_ptr().cast::<T>().read() })
    }
}

/// How the rows of some elements lie in a chunk.
struct Rows {
    stride: usize,
    is_splat: bool,
    is_contiguous: bool,
}

impl Workspace<'_> {
    /// How the rows of the elements lie, which are not one for all.
    ///
    /// # Panics
    ///
    /// If they are of another chunk.
    fn rows(&self, elements: &RawChunk) -> Rows {
        assert_current(elements.tag >> LEAF_BITS);
        let ([rows, columns], leaf) = (self.sizes.get(), elements.tag & TEMPORARY);
        if leaf == TEMPORARY {
            return Rows { stride: columns, is_splat: false, is_contiguous: true };
        }
        let BlockOperand { strides: [stride, _], is_splat, .. } = self.leaves[leaf as usize];
        let is_contiguous = !is_splat && (rows == 1 || stride == columns);
        Rows { stride, is_splat, is_contiguous }
    }
}

/// The results of a kernel on a chunk of its operands.
///
/// # Safety
///
/// The elements are of the types of the kernel, and those of operands that are not splats are there for
/// the whole chunk, if it is the current one, which is checked. The parameters are what the kernel takes.
#[inline(always)]
#[track_caller]
unsafe fn apply<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    operands: [&RawChunk; N],
) -> RawChunk
where
    Kernel<N>: Run<N>,
{
    let mut splats = Splats::NONE;
    let (mut are_numbers, mut is_contiguous, mut place) = (true, true, None);
    let (chunk, workspace) = CURRENT.get();
    let mut block = Block::new(core::ptr::null_mut(), [1; 3]);
    for (k, view) in block.operands.iter_mut().enumerate() {
        let operand = operands[k];
        view.first = operand.first();
        if operand.is_splat() {
            view.is_splat = true;
            splats = splats.with(k, true);
            continue;
        }
        are_numbers = false;
        assert_current(operand.tag >> LEAF_BITS);
        // SAFETY: the operand is of the current chunk, so there is one; its workspace lives as long as
        // its expression is computed.
        let rows = unsafe { &*workspace }.rows(operand);
        is_contiguous &= rows.is_contiguous;
        (view.strides[0], view.is_splat) = (rows.stride, rows.is_splat);
        let is_temporary = operand.tag & TEMPORARY == TEMPORARY;
        if is_temporary && kernel.operand_bytes[k] == kernel.result_bytes {
            place = place.or(Some(view.first.cast_mut()));
        }
    }
    if !are_numbers {
        // SAFETY: an operand is of the current chunk, so there is one; its workspace lives as long as
        // its expression is computed.
        let [rows, columns] = unsafe { &*workspace }.sizes.get();
        block.sizes = [1, rows, columns];
    }
    // SAFETY: the block is made of the operands.
    unsafe { check_block(kernel, params, &block) };
    if are_numbers {
        // Numbers alone: one result for all.
        let mut result = RawChunk::splat(0_u64);
        block.out = result.word.as_mut_ptr().cast();
        // SAFETY: there is room for one result; the rest the caller promises.
        unsafe { kernel.inner()(kernel, params, &block) };
        return result;
    }
    // SAFETY: as above.
    let space = unsafe { &*workspace };
    space.prefetch(PREFETCH_BYTES);
    let out = place.unwrap_or_else(|| space.take(kernel.result_bytes));
    block.out = out;
    // SAFETY: there is room for a chunk of results, in memory of their own or in that of an operand of
    // their size; the rest the caller promises.
    unsafe {
        if is_contiguous {
            let firsts = block.operands.each_ref().map(|operand| operand.first);
            let [_, rows, columns] = block.sizes;
            kernel.write_contiguous(params, firsts, splats, rows * columns, out);
        } else {
            kernel.inner()(kernel, params, &block);
        }
    }
    RawChunk::elements(out, chunk, TEMPORARY)
}

macro_rules! applies {
    ($($name:ident: $n:literal($($x:ident),+) |$traced:ident, $parameter:ident| $operation:expr;)+) => {$(
        /// The results of a kernel on a chunk of its operands.
        ///
        /// # Safety
        ///
        /// The elements are of the types of the kernel, and those of operands that are not splats are
        /// there for the whole chunk, if it is the current one, which is checked. The parameters are
        /// what the kernel takes.
        #[inline(never)]
        #[track_caller]
        pub(crate) unsafe fn $name(
            kernel: &'static Kernel<$n>,
            params: Params,
            $($x: RawChunk,)+
        ) -> RawChunk {
            if trace::is_tracing(&[$(&$x),+]) {
                let ($traced, $parameter) = (kernel, params);
                return trace::note($operation, &[$(&$x),+]);
            }
            // SAFETY: as the caller promises.
            unsafe { apply(kernel, params, [$(&$x),+]) }
        }
    )+};
}

applies! {
    apply1: 1(a) |kernel, params| match params.is_null() {
        true => Operation::Unary(kernel),
        // SAFETY: of kernels of one operand that of an integer power alone has a parameter, an `i32`.
        false => Operation::Powi(kernel, unsafe { *params.cast::<i32>() }),
    };
    apply2: 2(a, b) |kernel, _params| Operation::Binary(kernel);
    apply3: 3(a, b, c) |kernel, _params| Operation::Ternary(kernel);
}

/// The elements of a chunk between limits, by the kernels of `maximum` and `minimum`.
///
/// # Safety
///
/// As for [`apply2`].
#[inline(never)]
pub(crate) unsafe fn apply_clamp(
    [maximum, minimum]: [&'static Kernel<2>; 2],
    x: RawChunk,
    low: RawChunk,
    high: RawChunk,
) -> RawChunk {
    if trace::is_tracing(&[&x, &low, &high]) {
        return trace::note(Operation::Clamp(maximum, minimum), &[&x, &low, &high]);
    }
    // SAFETY: as the caller promises.
    unsafe { apply2(minimum, null(), apply2(maximum, null(), x, low), high) }
}

/// Writes the results of a chunk to where they go, if they are not there.
///
/// # Safety
///
/// There is room for a result for each element of the chunk, of the size of its elements.
#[inline(never)]
unsafe fn store(results: RawChunk, space: &Workspace<'_>, copy: &Kernel<1>, out: *mut u8) {
    let [rows, columns] = space.sizes.get();
    let mut block = Block::new(out, [1, rows, columns]);
    let [view] = &mut block.operands;
    view.first = results.first();
    view.is_splat = true;
    if !results.is_splat() {
        let rows = space.rows(&results);
        if view.first == out.cast_const() {
            return;
        }
        (view.strides[0], view.is_splat) = (rows.stride, rows.is_splat);
    }
    // SAFETY: as the caller promises; other memory than that of the results does not overlap it.
    unsafe { copy.inner()(copy, null(), &block) }
}

/// An expression of the chunks of `N` operands.
pub(crate) type Expression<'a, const N: usize> = dyn Fn([RawChunk; N]) -> RawChunk + Sync + 'a;

/// The inner loop of an expression, which the parameters point to.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) says.
unsafe fn inner<const N: usize>(kernel: &Kernel<N>, params: Params, block: &Block<N>) {
    // SAFETY: the parameters point to a reference to the expression.
    let expression = unsafe { *params.cast::<&Expression<'_, N>>() };
    let [planes, rows, columns] = block.sizes;
    let workspace = Workspace::new(&block.operands);
    let _restore = Restore(CURRENT.get());
    let copy = super::table::copy(kernel.result_bytes);
    // Some whole rows, or a part of one.
    let (count, width) = ((CHUNK / columns.max(1)).max(1), columns.clamp(1, CHUNK));
    for plane in 0..planes {
        for row in (0..rows).step_by(count) {
            let count = count.min(rows - row);
            for start in (0..columns).step_by(width) {
                let width = width.min(columns - start);
                let result = (plane * rows + row) * columns + start;
                let out = block.out.wrapping_add(result * kernel.result_bytes);
                workspace.prefetch(usize::MAX);
                let chunk = workspace.begin([count, width], out, kernel.result_bytes);
                prefetch_next(&workspace, kernel, block, [plane, row, start], [count, width]);
                let chunks = core::array::from_fn(|k| {
                    let (operand, bytes) = (&block.operands[k], kernel.operand_bytes[k]);
                    let offset = plane * operand.strides[1] + row * operand.strides[0];
                    if operand.is_splat && (count == 1 || operand.strides[0] == 0) {
                        // SAFETY: the operand has an element there.
                        return unsafe {
                            RawChunk::splat_at(operand.first.add(offset * bytes), bytes)
                        };
                    }
                    let offset = if operand.is_splat { offset } else { offset + start };
                    let first = operand.first.wrapping_add(offset * bytes);
                    RawChunk::elements(first, chunk, k as u64)
                });
                let results = expression(chunks);
                // SAFETY: there is room for the results of the chunk.
                unsafe { store(results, &workspace, copy, out) };
            }
        }
    }
}

/// Notes what is to be prefetched: the chunk behind this one in its row, or the rows behind it.
#[inline]
fn prefetch_next<const N: usize>(
    workspace: &Workspace<'_>,
    kernel: &Kernel<N>,
    block: &Block<N>,
    [plane, row, start]: [usize; 3],
    [count, width]: [usize; 2],
) {
    let [_, rows, columns] = block.sizes;
    let is_in_row = start + width < columns;
    let (row, start) = if is_in_row { (row, start + width) } else { (row + count, 0) };
    if row >= rows {
        return;
    }
    let (count, width) = (count.min(rows - row), CHUNK.min(columns - start));
    let result = (plane * rows + row) * columns + start;
    let out = block.out.wrapping_add(result * kernel.result_bytes).cast_const();
    workspace.next[N].set((out, count * width * kernel.result_bytes));
    for (k, (operand, bytes)) in block.operands.iter().zip(kernel.operand_bytes).enumerate() {
        let moves = is_in_row || operand.strides[0] >= width;
        if moves && !operand.is_splat {
            let offset = plane * operand.strides[1] + row * operand.strides[0] + start;
            let first = operand.first.wrapping_add(offset * bytes);
            workspace.next[k].set((first, count * width * bytes));
        }
    }
}

/// Kernels of expressions. Concrete for each number of operands, so that they are compiled in this crate.
pub(crate) trait OfExpression<const N: usize> {
    /// The kernel of an expression of operands with elements of these sizes; its parameters point to a
    /// reference to the [`Expression`].
    fn of_expression(operand_bytes: [usize; N], result_bytes: usize) -> Self;

    /// What an expression computes.
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
