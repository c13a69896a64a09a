//! Expressions chunk by chunk: every operation of the table computes some hundred results, which stay
//! in the L1 cache until the next operation reads them.
//!
//! `(x * w + b).gelu()` so reads its operands and writes its results once, and runs the kernels that
//! there are: nothing but calls is compiled for an expression.

use core::cell::{Cell, RefCell};
use core::mem::MaybeUninit;

use super::division::first_zero;
use super::elementwise::{Run, Splats};
use super::prefetch::prefetch;
use crate::ops::{Block, CallPolicy, InnerLoop, Kernel, Params};

/// The elements of a chunk: a buffer of the largest ones has 8 KiB.
pub(crate) const CHUNK: usize = 1024;

/// Memory for a chunk of temporary elements of any size.
type Buffer = Box<[MaybeUninit<u64>; CHUNK]>;

/// What the operations on one chunk share: its length, and memory for temporaries.
pub(crate) struct Workspace {
    len: Cell<usize>,
    /// Where the results of the chunk go, while no operation has taken it, and the size of one.
    out: Cell<Option<(*mut u8, usize)>>,
    buffers: RefCell<Vec<Buffer>>,
    /// How many buffers hold temporaries of this chunk.
    used: Cell<usize>,
}

thread_local! {
    /// The number of the next chunk.
    static NEXT: Cell<u64> = const { Cell::new(1) };
    /// The chunk whose expression this thread computes, and its workspace; 0 where there is none.
    static CURRENT: Cell<(u64, *const Workspace)> = const { Cell::new((0, core::ptr::null())) };
}

/// Makes the chunk of before the current one again: an expression may compute another one.
struct Restore((u64, *const Workspace));

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Refuses the elements of another chunk, which are gone.
fn assert_current(chunk: u64) {
    assert!(chunk == CURRENT.get().0, "elements of `fuse!` are there within its expression alone");
}

impl Workspace {
    fn new() -> Self {
        Self {
            len: Cell::new(0),
            out: Cell::new(None),
            buffers: RefCell::new(Vec::new()),
            used: Cell::new(0),
        }
    }

    /// Begins a chunk of at most [`CHUNK`] elements, whose results go to `out`; its number.
    fn begin(&self, len: usize, out: *mut u8, result_bytes: usize) -> u64 {
        assert!(len <= CHUNK, "a chunk fits its buffers");
        self.len.set(len);
        self.out.set(Some((out, result_bytes)));
        self.used.set(0);
        let chunk = NEXT.get();
        NEXT.set(chunk + 1);
        CURRENT.set((chunk, self));
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
}

/// The elements of one operand of an operation that meet a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RawChunk {
    /// One element for all, as bits.
    Splat([u8; 8]),
    /// One element for each result.
    Elements {
        first: *const u8,
        /// The number of the chunk: elsewhere than in its expression they are not there.
        chunk: u64,
        /// Whether they are the results of an operation, which nothing else reads.
        is_temporary: bool,
    },
}

impl RawChunk {
    /// One element for all.
    #[inline]
    pub(crate) fn splat<T: Copy>(element: T) -> Self {
        const { assert!(size_of::<T>() <= 8) };
        let mut bits = [0; 8];
        // SAFETY: there is room for the element; it is a number, without padding.
        unsafe { bits.as_mut_ptr().cast::<T>().write_unaligned(element) };
        Self::Splat(bits)
    }
}

/// An element as a kernel reads it, aligned for every type.
#[repr(align(8))]
struct Aligned([u8; 8]);

/// The results of a kernel on a chunk of its operands.
///
/// # Safety
///
/// The elements are of the types of the kernel, and those of operands that are not splats are there for
/// the whole chunk, if it is the current one, which is checked. The parameters are what the kernel takes.
#[track_caller]
unsafe fn apply<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    operands: [RawChunk; N],
) -> RawChunk
where
    Kernel<N>: Run<N>,
{
    let splats = operands.map(|operand| match operand {
        RawChunk::Splat(bits) => Aligned(bits),
        RawChunk::Elements { .. } => Aligned([0; 8]),
    });
    let (mut are_splats, mut are_numbers, mut place) = (Splats::NONE, true, None);
    let firsts = core::array::from_fn(|k| match operands[k] {
        RawChunk::Splat(_) => {
            are_splats = are_splats.with(k, true);
            splats[k].0.as_ptr()
        }
        RawChunk::Elements { first, chunk, is_temporary } => {
            assert_current(chunk);
            are_numbers = false;
            if is_temporary && kernel.operand_bytes[k] == kernel.result_bytes {
                place = place.or(Some(first.cast_mut()));
            }
            first
        }
    });
    if let Some(element) = kernel.divides {
        // The power of `powi` is a parameter, and divides where it is negative.
        // SAFETY: its kernel takes an `i32`.
        let divides = N > 1 || unsafe { *params.cast::<i32>() } < 0;
        let is_number = matches!(operands[N - 1], RawChunk::Splat(_));
        let divisor: *const u8 = firsts[N - 1];
        // SAFETY: elements are of the current chunk, whose workspace lives as long as its expression is
        // computed.
        let count = if is_number { 1 } else { unsafe { &*CURRENT.get().1 }.len.get() };
        // SAFETY: the divisor has so many integers of this size.
        if divides && unsafe { first_zero(divisor, kernel.operand_bytes[N - 1], count) }.is_some() {
            panic!("attempt to divide by zero: a divisor of type `{element}` is 0");
        }
    }
    if are_numbers {
        // Numbers alone: one result for all.
        let mut result = Aligned([0; 8]);
        // SAFETY: there is room for one result; the rest the caller promises.
        unsafe { kernel.write_contiguous(params, firsts, are_splats, 1, result.0.as_mut_ptr()) };
        return RawChunk::Splat(result.0);
    }
    let (chunk, workspace) = CURRENT.get();
    // SAFETY: an operand is of the current chunk, so there is one; its workspace lives as long as its
    // expression is computed.
    let space = unsafe { &*workspace };
    let out = place.unwrap_or_else(|| space.take(kernel.result_bytes));
    // SAFETY: there is room for a chunk of results, in memory of their own or in that of an operand of
    // their size; the rest the caller promises.
    unsafe { kernel.write_contiguous(params, firsts, are_splats, space.len.get(), out) };
    RawChunk::Elements { first: out, chunk, is_temporary: true }
}

macro_rules! applies {
    ($($name:ident: $n:literal;)+) => {$(
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
            kernel: &Kernel<$n>,
            params: Params,
            operands: [RawChunk; $n],
        ) -> RawChunk {
            // SAFETY: as the caller promises.
            unsafe { apply(kernel, params, operands) }
        }
    )+};
}

applies! {
    apply1: 1;
    apply2: 2;
    apply3: 3;
}

/// Writes the results of a chunk to where they go, if they are not there.
///
/// # Safety
///
/// There is room for `len` results of the kernel's size, and the chunk has as many elements.
#[inline(never)]
unsafe fn store(chunk: RawChunk, copy: &Kernel<1>, len: usize, out: *mut u8) {
    let splat;
    let (first, is_splat) = match chunk {
        RawChunk::Splat(bits) => {
            splat = Aligned(bits);
            (splat.0.as_ptr(), true)
        }
        RawChunk::Elements { first, chunk, .. } => {
            assert_current(chunk);
            if first == out.cast_const() {
                return;
            }
            (first, false)
        }
    };
    // SAFETY: as the caller promises; other memory than that of the results does not overlap it.
    unsafe {
        let splats = Splats::NONE.with(0, is_splat);
        copy.write_contiguous(core::ptr::null(), [first], splats, len, out);
    }
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
    let workspace = Workspace::new();
    let _restore = Restore(CURRENT.get());
    let copy = super::table::copy(kernel.result_bytes);
    for row in 0..planes * rows {
        let (plane, row_of_plane) = (row / rows, row % rows);
        for start in (0..columns).step_by(CHUNK) {
            let len = CHUNK.min(columns - start);
            let out = block.out.wrapping_add((row * columns + start) * kernel.result_bytes);
            let chunk = workspace.begin(len, out, kernel.result_bytes);
            prefetch_next(kernel, block, (plane, row_of_plane, start + CHUNK));
            let chunks = core::array::from_fn(|k| {
                let (operand, bytes) = (&block.operands[k], kernel.operand_bytes[k]);
                let row = plane * operand.strides[1] + row_of_plane * operand.strides[0];
                if operand.is_splat {
                    let mut bits = [0; 8];
                    // SAFETY: the operand has an element there.
                    let element = unsafe {
                        core::slice::from_raw_parts(operand.first.add(row * bytes), bytes)
                    };
                    bits[..bytes].copy_from_slice(element);
                    return RawChunk::Splat(bits);
                }
                RawChunk::Elements {
                    first: operand.first.wrapping_add((row + start) * bytes),
                    chunk,
                    is_temporary: false,
                }
            });
            let results = expression(chunks);
            // SAFETY: there is room for the results of the chunk.
            unsafe { store(results, copy, len, out) };
        }
    }
}

/// Prefetches the chunk that begins at a column, or at the next row where there is none: operations
/// compute while the memory is on its way, which several passes over a chunk would not overlap by
/// themselves.
#[inline]
fn prefetch_next<const N: usize>(
    kernel: &Kernel<N>,
    block: &Block<N>,
    (plane, row, start): (usize, usize, usize),
) {
    let [_, rows, columns] = block.sizes;
    let (row, start) = if start < columns { (row, start) } else { (row + 1, 0) };
    if row == rows {
        return;
    }
    let len = CHUNK.min(columns - start);
    let result = (plane * rows + row) * columns + start;
    prefetch(block.out.wrapping_add(result * kernel.result_bytes), len * kernel.result_bytes);
    for (operand, bytes) in block.operands.iter().zip(kernel.operand_bytes) {
        let moves = operand.strides[0] > 0 || start > 0;
        if moves && !operand.is_splat {
            let offset = plane * operand.strides[1] + row * operand.strides[0] + start;
            prefetch(operand.first.wrapping_add(offset * bytes), len * bytes);
        }
    }
}

/// Kernels of expressions. Concrete for each number of operands, so that they are compiled in this crate.
pub(crate) trait OfExpression<const N: usize> {
    /// The kernel of an expression of operands with elements of these sizes; its parameters point to a
    /// reference to the [`Expression`].
    fn of_expression(operand_bytes: [usize; N], result_bytes: usize) -> Self;
}

macro_rules! of_expressions {
    ($($n:literal)+) => {$(
        impl OfExpression<$n> for Kernel<$n> {
            #[inline(never)]
            fn of_expression(operand_bytes: [usize; $n], result_bytes: usize) -> Self {
                let (inner, policy) = ([inner::<$n> as InnerLoop<$n>; 3], CallPolicy::Costly);
                Kernel {
                    inner,
                    contiguous: None,
                    operand_bytes,
                    result_bytes,
                    policy,
                    divides: None,
                    through: None,
                }
            }
        }
    )+};
}

of_expressions!(1 2 3 4 5 6 7 8);
