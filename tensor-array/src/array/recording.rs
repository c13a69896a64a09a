//! Recording of operations for gradients: the traits of operands and results.

use tensor_kernels::element::Element;
use tensor_kernels::kernel::division::try_divisor;
use tensor_kernels::layout::graph::{Elements, Part, PartSizes, is_recording};
use tensor_kernels::layout::{ErasedView, Layout, StridedLayout, is_recorded, is_traced};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::{ErasedBuffer, Storage};

use crate::array::dynamic::DynTensor;
use crate::array::history::parts::{Parts, recorded_result, to_any};
use crate::array::history::{AnyArray, ElementType, ErasedArray, FromBuffer, Rule};

/// A tensor that may be tracked.
///
/// There are only two methods, because they are compiled for each shape that uses them.
pub trait Recordable {
    /// Whether the operation that computed the tensor was recorded.
    fn is_recorded(&self) -> bool;

    /// The tensor without its types.
    fn part(&self) -> Part<'_>;

    /// The tensor as an array; it shares the elements.
    fn to_any(&self) -> AnyArray
    where
        Self: Sized,
    {
        to_any(self.part())
    }
}

impl Parts for &[&dyn Recordable] {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, position: usize) -> Part<'_> {
        self[position].part()
    }
}

impl<T: Element> ErasedArray for DynTensor<T> {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn layout(&self) -> Option<&StridedLayout> {
        self.layout.as_deref()
    }

    fn layout_mut(&mut self) -> &mut Layout {
        &mut self.layout
    }

    fn boxed(&self) -> Box<dyn ErasedArray> {
        Box::new(self.clone())
    }

    fn element(&self) -> &'static ElementType {
        ElementType::of::<T>()
    }

    fn as_scalar(&self) -> Option<String> {
        let is_known = self.sizes.is_empty() && !is_traced(self.layout.as_deref());
        is_known.then(|| self[[]].to_string())
    }

    fn untyped(&self) -> ErasedView<'_> {
        self.as_view().untyped()
    }

    fn elements(&self) -> &dyn Elements {
        &self.storage
    }

    fn check_divisor(&self, dividend: &[usize]) -> Result<(), String> {
        try_divisor(Self::element(self).name, dividend, self.as_view())
    }

    fn contiguous(&self) -> AnyArray {
        AnyArray::new(DynTensor::contiguous(self))
    }

    fn viewed(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        AnyArray::new(Self { sizes, layout, storage: self.storage.clone() })
    }
}

impl<T: Element> FromBuffer for DynTensor<T> {
    fn from_buffer(buffer: ErasedBuffer, sizes: Sizes, layout: Layout) -> Option<Self> {
        Some(Self { sizes, layout, storage: Storage::Heap(buffer.typed()?) })
    }
}

impl<T: Element> Recordable for DynTensor<T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        is_recorded(self.layout.as_deref())
    }

    fn part(&self) -> Part<'_> {
        let layout = self.layout.as_deref();
        Part { sizes: PartSizes::Known(&self.sizes), layout, elements: &self.storage }
    }
}

impl<X: Recordable> Recordable for &X {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        (*self).is_recorded()
    }

    #[inline(always)]
    fn part(&self) -> Part<'_> {
        (*self).part()
    }
}

/// Refuses a closure with results of type `O` on a tracked tensor: its gradient is unknown. Results that are
/// not floats are allowed, because they are constants.
///
/// # Panics
///
/// If the tensor is tracked, unless the thread does not record.
#[inline(always)]
#[track_caller]
pub fn refuse_recorded<O: Element>(tensor: &impl Recordable) {
    if const { O::IS_FLOAT } && tensor.is_recorded() {
        no_gradient_of_closures();
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn no_gradient_of_closures() {
    if is_recording() {
        panic!(
            "a closure has no gradient: write it as `fuse!(…)` or with the methods of tensors, or take \
             `x.detach()`, which is a constant"
        );
    }
}

/// Whether an operand is tracked.
#[inline(always)]
fn is_any_recorded(operands: &[&dyn Recordable]) -> bool {
    operands.iter().any(|operand| operand.is_recorded())
}

/// The result of an operation, in row-major order and not shared with any other tensor.
///
/// Results are passed by value down to [`recorded_result`], so that an untracked result is written where the
/// caller wants it: a reference to it would keep it in memory and cost a copy. The code compiled for each
/// shape only tests the operands and calls that function.
pub trait Outcome: Sized {
    /// Whether the elements are floats: others are never tracked, because their gradients are 0 everywhere.
    const IS_FLOAT: bool;

    /// The result, tracked.
    fn record(self, rule: Rule, operands: &[&dyn Recordable]) -> Self;

    /// The result of an operation with a rule; tracked if an operand is.
    #[inline(always)]
    fn with<R: Into<Rule>>(self, operands: &[&dyn Recordable], rule: impl FnOnce() -> R) -> Self {
        if Self::IS_FLOAT && is_any_recorded(operands) {
            self.record(rule().into(), operands)
        } else {
            self
        }
    }
}

impl<T: Element> Outcome for DynTensor<T> {
    const IS_FLOAT: bool = T::IS_FLOAT;

    #[cold]
    #[inline(never)]
    fn record(mut self, rule: Rule, operands: &[&dyn Recordable]) -> Self {
        let sizes = PartSizes::Known(&self.sizes);
        self.layout = recorded_result(sizes, &self.storage, rule, &operands);
        self
    }
}

/// Refuses to write single elements of a tensor that is tracked, which would invalidate its history, or traced.
///
/// # Panics
///
/// If the tensor is one of these.
#[track_caller]
pub fn refuse_to_write(tensor: &impl Recordable) {
    assert!(
        !tensor.is_recorded(),
        "the elements of a tensor that is tracked or traced cannot be written one by one: assign with `+=`, \
         `assign_slice` or `scatter`; a tracked one can be detached, `x.detach()`"
    );
}
