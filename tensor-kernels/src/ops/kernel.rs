//! Kernels: an inner loop of an operation and its properties, which the driver reads.

use core::any::TypeId;
use core::fmt;

use super::IsaFns;
use super::row::{HasRow, Row};

/// A block of results: planes of rows of columns, contiguous in row-major order.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Block<const N: usize> {
    pub(crate) out: *mut u8,
    /// The number of planes, rows and columns.
    pub(crate) sizes: [usize; 3],
    pub(crate) operands: [BlockOperand; N],
    /// The memory that is read next, as long as the results, or null: slow loops prefetch it.
    pub(crate) next: *const u8,
}

/// The elements of one operand for a [`Block`] of results.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct BlockOperand {
    pub(crate) first: *const u8,
    /// How many elements there are from `first` on: what [`Block::check`] reads, and no loop.
    pub(crate) len: usize,
    /// From row to row and from plane to plane, in elements.
    pub(crate) strides: [usize; 2],
    /// Whether a row repeats one element.
    pub(crate) is_splat: bool,
}

impl<const N: usize> Block<N> {
    /// A block of these sizes, whose operands are yet to be written: each where it stays, as a copy of
    /// what was just written in parts waits for the stores.
    #[inline(always)]
    pub(crate) fn new(out: *mut u8, sizes: [usize; 3]) -> Self {
        let empty =
            BlockOperand { first: core::ptr::null(), len: 0, strides: [0; 2], is_splat: false };
        Self { out, sizes, operands: [empty; N], next: core::ptr::null() }
    }

    /// Whether there are results.
    ///
    /// # Panics
    ///
    /// If there are, and an operand lacks elements.
    #[inline(always)]
    pub(crate) fn check(&self) -> bool {
        let [planes, rows, columns] = self.sizes;
        if planes == 0 || rows == 0 || columns == 0 {
            return false;
        }
        for operand in &self.operands {
            let [row_stride, plane_stride] = operand.strides;
            let last = (planes - 1).checked_mul(plane_stride);
            let last = last.zip((rows - 1).checked_mul(row_stride));
            let last = last.and_then(|(plane, row)| plane.checked_add(row));
            let width = if operand.is_splat { 1 } else { columns };
            let end = last.and_then(|last| last.checked_add(width));
            assert!(end.is_some_and(|end| end <= operand.len), "the operands have all rows");
        }
        true
    }
}

/// The captures of a closure or the parameters of a function, as a pointer; null for most
/// operations.
pub type Params = *const ();

/// Computes a block.
///
/// # Safety
///
/// The caller promises, for the element types of the kernel and for every plane, row and column
/// within `sizes`:
///
/// 1. operand `k` has an element at `plane * strides[1] + row * strides[0] + column` from `first`, or
///    without `column` where it is a splat; `first` is aligned for its type;
/// 2. `out` is aligned for the type of the results and writable for the results of `sizes`;
/// 3. the memory of the results overlaps that of an operand only if each element of the operand has
///    the address and the size of the result that is computed from it;
/// 4. the parameters point to what the operation takes, if it takes any.
pub type InnerLoop<const N: usize> = unsafe fn(&Kernel<N>, Params, &Block<N>);

/// Computes `len` results of up to three contiguous operands, at least the number that the operation takes:
/// all in registers, which is the shortest way for operands that are in the cache. Bit `k` of `splats`
/// states that operand `k` is one repeated element.
///
/// # Safety
///
/// The caller promises, for the element types of the kernel:
///
/// 1. `len` is at least the vector of the [loops](ContiguousLoops), and each operand that the
///    operation has points to `len` elements, or to one where it is repeated;
/// 2. `splats` has no bit that those of the loops lack, and not those of both operands;
/// 3. `out` and overlaps are as 2. and 3. of [`InnerLoop`] require.
pub(crate) type ContiguousLoop =
    unsafe fn(out: *mut u8, len: usize, a: *const u8, b: *const u8, c: *const u8, splats: u8);

/// The loops over contiguous operands; none for a rare baseline, which has the inner loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContiguousLoops {
    pub(crate) loops: IsaFns<Option<ContiguousLoop>>,
    /// The fewest elements that they take.
    pub(crate) vector: usize,
    /// A bit mask of the operands that may be one repeated element.
    pub(crate) splats: u8,
}

/// How often and in which order an inner loop may be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallPolicy {
    /// In the order of the results, on the caller's thread: a closure of the user.
    Sequential,
    /// In any order, on any thread; an element takes a few instructions.
    Cheap,
    /// In any order, on any thread; an element takes tens of instructions, so that elements are
    /// packed for long rows.
    Costly,
}

// Rows of the table reference it by this name: each `Kernel<1>` is one more constant for the compiler to evaluate.
/// An operation on one operand.
pub type UnaryKernel = Kernel<1>;
/// An operation on two operands.
pub type BinaryKernel = Kernel<2>;
/// An operation on three operands.
pub type TernaryKernel = Kernel<3>;

/// One operation on `N` operands of certain element types, as the driver sees it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Kernel<const N: usize> {
    /// The inner loop.
    pub(crate) inner: IsaFns<InnerLoop<N>>,
    /// The same for contiguous operands alone, where an element takes a few instructions.
    pub(crate) contiguous: Option<ContiguousLoops>,
    /// The size of an element of each operand and of the result, in bytes.
    pub(crate) operand_bytes: [usize; N],
    pub result_bytes: usize,
    pub(crate) policy: CallPolicy,
    /// The element type, where it is an integer that the operation divides by.
    pub divides: Option<&'static str>,
    /// The kernel for `f32` that computes for a 16-bit float.
    #[cfg_attr(not(feature = "half"), allow(dead_code, reason = "there are none"))]
    pub(crate) through: Option<&'static Kernel<N>>,
    /// The types of its elements and its row, where it is one of the table.
    pub recording: Option<Recording>,
    /// Whether it is the product or the sum of `a * b + c`, if the element type has a kernel for that.
    pub(crate) multiply_add: Option<MultiplyAddPart>,
}

/// What recording needs to know of a kernel of the table: its operand and result types, and its row.
///
/// Integer types may be replaced by another type with the same bits.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Recording {
    pub operand: TypeId,
    pub result: TypeId,
    pub row: Option<&'static Row>,
    /// Whether the kernel is a cast, whose rule is the same for all types.
    pub is_cast: bool,
}

impl Recording {
    /// Of a row of the table.
    pub(crate) const fn of_row<Op: HasRow, T: 'static, O: 'static>() -> Self {
        Self { row: Some(Op::ROW), ..Self::new::<T, O>() }
    }

    /// Without a row.
    pub(crate) const fn new<T: 'static, O: 'static>() -> Self {
        let (operand, result) = (TypeId::of::<T>(), TypeId::of::<O>());
        Self { operand, result, row: None, is_cast: false }
    }

    pub(crate) const fn of_cast<T: 'static, O: 'static>() -> Self {
        Self { is_cast: true, ..Self::new::<T, O>() }
    }
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("operand", &self.operand).finish_non_exhaustive()
    }
}

/// A part of `a * b + c`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MultiplyAddPart {
    Product,
    /// With the kernel of the whole, whose results have the bits of the two operations in turn.
    Sum(&'static Kernel<3>),
}
