//! Graphs as kernels see them: a tracked or traced array has a node in its layout, and the node records operations.
//!
//! What a node is, which gradient an operation has and what it is in a program is known to the crate above alone.
//! Kernels call a node only if an operand has one, so that arrays without nodes pay nothing.

use core::any::Any;
use core::cell::Cell;
use core::fmt::Debug;
use std::sync::Arc;

use super::{Layout, StridedLayout, is_traced};
use crate::ops::{AxisParams, Row};
use crate::sizes::Sizes;
use crate::storage::ErasedBuffer;

/// A node of a graph. `tensor-array` implements it; the operations of that crate panic where a node is not its own.
pub trait GraphNode: Any + Debug + Send + Sync {
    /// The layout of the result of an operation on operands of which one has a node;
    /// [`ROW_MAJOR`](Layout::ROW_MAJOR) if the operation has no gradient, or this thread does not record.
    fn record(
        &self,
        operation: &RowCall<'_>,
        sizes: &[usize],
        result: &dyn Elements,
        operands: &[Part<'_>],
    ) -> Layout;

    /// The layout of the result of a step of a program, with elements of the type with this
    /// [number](crate::Element::NUMBER). One of the operands is traced, and `run` computes the result.
    ///
    /// # Errors
    ///
    /// The message of a panic, if an operand cannot be part of the program.
    fn trace(
        &self,
        operation: &RowCall<'_>,
        element: usize,
        sizes: &[usize],
        operands: &[Part<'_>],
        run: Run,
    ) -> Result<Layout, String>;

    /// Whether the program that the array is traced in may still get steps.
    ///
    /// # Errors
    ///
    /// The message of a panic, if its function has returned.
    fn check(&self) -> Result<(), String>;
}

/// An operation of the table, with its arguments.
#[derive(Clone, Copy, Debug)]
pub enum RowCall<'a> {
    /// An element-wise row.
    Elementwise(&'static Row),
    /// A row along axes: a reduction, or an operation that keeps the sizes.
    Along {
        /// The row.
        row: &'static Row,
        /// The axes, without duplicates.
        axes: &'a [usize],
        /// Its parameters.
        params: AxisParams,
    },
    /// A product by the rules of `matmul`.
    Product,
}

/// Computes the elements of a step, in row-major order, from operands of the types that were traced.
pub type Run = Arc<dyn Fn(&[Part<'_>]) -> Box<dyn Elements> + Send + Sync>;

/// A borrowed, type-erased tensor.
///
/// Making one of a static shape is a few moves, which are compiled for each shape.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The sizes of all axes.
    pub sizes: PartSizes<'a>,
    /// `None` for row-major order from the start of the elements.
    pub layout: Option<&'a StridedLayout>,
    /// The elements.
    pub elements: &'a dyn Elements,
}

/// The sizes of a part, which are computed on demand.
#[derive(Clone, Copy)]
pub enum PartSizes<'a> {
    /// Sizes that are at hand.
    Known(&'a [usize]),
    /// The sizes of a shape.
    Of(&'a dyn HasSizes),
}

/// A type-erased shape.
pub trait HasSizes {
    /// The sizes of all axes.
    fn sizes(&self) -> Sizes;
}

impl PartSizes<'_> {
    /// The sizes of all axes.
    pub fn get(self) -> Sizes {
        match self {
            Self::Known(sizes) => Sizes::from_slice(sizes),
            Self::Of(shape) => shape.sizes(),
        }
    }
}

impl Part<'_> {
    /// Whether the operation that computed it was recorded.
    pub fn is_recorded(&self) -> bool {
        self.layout.is_some_and(StridedLayout::is_recorded)
    }
}

/// Type-erased elements: the [`Storage`](crate::storage::Storage) of an array, or a scalar.
pub trait Elements: Any {
    /// The [number](crate::Element::NUMBER) of the element type.
    fn element(&self) -> usize;

    /// The buffer, if the elements have one.
    fn buffer(&self) -> Option<ErasedBuffer>;
}

/// The layout of a result, with a node if one of the operands has one.
pub(crate) fn recorded(
    operation: &RowCall<'_>,
    sizes: &[usize],
    result: &dyn Elements,
    operands: &[Part<'_>],
) -> Layout {
    match operands.iter().find_map(|part| part.layout?.node()) {
        Some(node) => node.record(operation, sizes, result, operands),
        None => Layout::ROW_MAJOR,
    }
}

/// The layout of a step of a program with an operand that is traced.
///
/// # Panics
///
/// If an operand is part of a program whose function has returned, or of an unrelated one.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn traced(
    operation: &RowCall<'_>,
    element: usize,
    sizes: &[usize],
    operands: &[Part<'_>],
    run: Run,
) -> Layout {
    let mut layouts = operands.iter().filter_map(|part| part.layout);
    let traced = layouts.find(|layout| layout.is_traced()).and_then(StridedLayout::node);
    let node = traced.expect("an operand is traced");
    match node.trace(operation, element, sizes, operands, run) {
        Ok(layout) => layout,
        // Not in a closure, which would not know the caller.
        Err(message) => panic!("{message}"),
    }
}

/// Refuses a tensor that is part of a program whose function has returned, at the line of the caller: for calls through
/// pointers, which do not know it.
///
/// # Panics
///
/// If it is one.
#[inline(always)]
#[track_caller]
pub fn refuse_kept(layout: Option<&StridedLayout>) {
    if is_traced(layout) {
        check(layout);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn check(layout: Option<&StridedLayout>) {
    if let Some(Err(message)) = layout.and_then(StridedLayout::node).map(GraphNode::check) {
        panic!("{message}");
    }
}

thread_local! {
    /// Whether operations on tracked operands are recorded.
    static RECORDING: Cell<bool> = const { Cell::new(true) };
}

/// Whether this thread records.
pub fn is_recording() -> bool {
    RECORDING.get()
}

/// Calls a function with recording switched on or off; restores the previous state, also after a panic.
pub fn with_recording<R>(recording: bool, f: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            RECORDING.set(self.0);
        }
    }
    let _restore = Restore(RECORDING.replace(recording));
    f()
}
