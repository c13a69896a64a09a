//! Where operations are recorded: what typed and dynamic tensors share.

use smallvec::SmallVec;

use crate::array::history::{
    AlongAxes, AnyArray, Array, Backward, NodeOperand, Rule, Saved, is_recording, record,
};
use crate::array::layout::{Layout, StridedLayout, Strides, is_contiguous, layout_of};
use crate::array::storage::Storage;
use crate::element::Element;
use crate::shape::{Shape, Sizes};
use crate::tensor::typed_view::{Source, View};
use crate::tensor::{DynTensor, Tensor};

/// A tensor that may be recorded.
///
/// Two methods, because they are compiled for each shape where it is used.
pub(crate) trait Recordable {
    /// Whether the operation that made it was recorded.
    fn is_recorded(&self) -> bool;

    /// The tensor without its types.
    fn part(&self) -> Part<'_>;

    /// The tensor as an array; it shares the elements.
    fn to_any(&self) -> AnyArray {
        self.part().to_any()
    }
}

/// A tensor without its types, borrowed.
pub(crate) struct Part<'a> {
    sizes: Sizes,
    layout: Option<&'a StridedLayout>,
    elements: &'a dyn Elements,
}

impl Part<'_> {
    fn to_any(&self) -> AnyArray {
        self.elements.array(
            Sizes::from_slice(&self.sizes),
            self.layout.map_or(Layout::ROW_MAJOR, |layout| Layout::new(layout.clone())),
        )
    }

    /// The array without its history.
    fn forget(&self) -> AnyArray {
        let strided = self.layout.filter(|layout| !is_contiguous(Some(layout)));
        let layout = strided.map_or(Layout::ROW_MAJOR, |layout| {
            layout_of(&self.sizes, layout.offset, Strides::from_slice(&layout.strides), None)
        });
        self.elements.array(Sizes::from_slice(&self.sizes), layout)
    }

    /// The operand of a node.
    fn operand(self) -> NodeOperand {
        NodeOperand::new(self.layout, self.sizes)
    }
}

/// Elements whose type is that of a value.
trait Elements {
    /// The array of these elements.
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray;
}

impl<T: Element> Elements for Storage<T> {
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        AnyArray::new(Array { sizes, layout, storage: self.clone() })
    }
}

/// A scalar.
impl<T: Element> Elements for T {
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        AnyArray::new(Array { sizes, layout, storage: Storage::from_slice(&[*self]) })
    }
}

impl<S: Shape, T: Element> Recordable for View<'_, S, T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        self.layout.is_some_and(|layout| layout.is_recorded())
    }

    fn part(&self) -> Part<'_> {
        let elements: &dyn Elements = match self.source {
            Source::Tensor(storage) => storage,
            Source::Elements(elements) => &elements[0],
        };
        Part { sizes: self.shape.sizes(), layout: self.layout, elements }
    }
}

impl<S: Shape, T: Element> Recordable for Tensor<S, T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        self.as_view().is_recorded()
    }

    fn part(&self) -> Part<'_> {
        let layout = self.layout.as_deref();
        Part { sizes: self.shape.sizes(), layout, elements: &self.storage }
    }
}

impl<T: Element> Recordable for DynTensor<T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        self.layout.as_deref().is_some_and(|layout| layout.is_recorded())
    }

    fn part(&self) -> Part<'_> {
        let layout = self.layout.as_deref();
        Part { sizes: Sizes::from_slice(&self.sizes), layout, elements: &self.storage }
    }
}

impl<X: Recordable> Recordable for &X {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        (*self).is_recorded()
    }

    fn part(&self) -> Part<'_> {
        (*self).part()
    }
}

/// A scalar, which is a constant.
pub(crate) struct Scalar<T>(pub(crate) T);

impl<T: Element> Recordable for Scalar<T> {
    #[inline(always)]
    fn is_recorded(&self) -> bool {
        false
    }

    fn part(&self) -> Part<'_> {
        Part { sizes: Sizes::new(), layout: None, elements: &self.0 }
    }
}

/// Refuses a closure on a recorded tensor: its gradient is not known.
///
/// # Panics
///
/// If the tensor is recorded, unless the thread does not record.
#[inline(always)]
#[track_caller]
pub(crate) fn refuse_recorded(tensor: &impl Recordable) {
    if tensor.is_recorded() {
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

/// Whether an operand is recorded.
#[inline(always)]
fn is_any_recorded(operands: &[&dyn Recordable]) -> bool {
    operands.iter().any(|operand| operand.is_recorded())
}

/// A result of an operation, whose elements are in row-major order and nobody's yet.
///
/// Results are taken by value, so that one that is not recorded is written where the caller wants it: a
/// reference to it would keep it in memory and cost a copy.
pub(crate) trait Outcome: Sized {
    /// The result, recorded.
    fn record(self, rule: Rule, operands: &[&dyn Recordable]) -> Self;

    /// The result of an operation with a constant rule, which is recorded if an operand is.
    #[inline(always)]
    fn by<const N: usize>(
        self,
        rule: Option<&'static dyn Backward>,
        operands: [&dyn Recordable; N],
    ) -> Self {
        match rule {
            Some(rule) if is_any_recorded(&operands) => self.record(rule.into(), &operands),
            _ => self,
        }
    }

    /// The result of an operation along axes, recorded if an operand is.
    #[inline(always)]
    fn along_axes(
        self,
        operands: [&dyn Recordable; 1],
        rule: Option<fn(AlongAxes) -> Rule>,
        axes: impl FnOnce() -> AlongAxes,
    ) -> Self {
        match rule {
            Some(rule) if is_any_recorded(&operands) => self.record(rule(axes()), &operands),
            _ => self,
        }
    }

    /// The result of an operation with a rule that has parameters, recorded if an operand is.
    #[inline(always)]
    fn with<R: Into<Rule>>(self, operands: &[&dyn Recordable], rule: impl FnOnce() -> R) -> Self {
        if is_any_recorded(operands) { self.record(rule().into(), operands) } else { self }
    }
}

impl<S: Shape, T: Element> Outcome for Tensor<S, T> {
    #[cold]
    #[inline(never)]
    fn record(mut self, rule: Rule, operands: &[&dyn Recordable]) -> Self {
        self.layout = recorded_layout(self.shape.sizes(), &self.storage, rule, operands);
        self
    }
}

impl<T: Element> Outcome for DynTensor<T> {
    #[cold]
    #[inline(never)]
    fn record(mut self, rule: Rule, operands: &[&dyn Recordable]) -> Self {
        self.layout =
            recorded_layout(Sizes::from_slice(&self.sizes), &self.storage, rule, operands);
        self
    }
}

/// The layout of a recorded result.
#[inline(never)]
fn recorded_layout(
    sizes: Sizes,
    result: &dyn Elements,
    rule: Rule,
    operands: &[&dyn Recordable],
) -> Layout {
    if !is_recording() {
        return Layout::ROW_MAJOR;
    }
    let saves = rule.saves();
    let mut saved = Saved::with_room(saves, operands.len());
    let mut of = SmallVec::with_capacity(operands.len());
    for operand in operands {
        let part = operand.part();
        if saves.operands {
            saved.push_operand(part.forget());
        }
        of.push(part.operand());
    }
    if saves.result {
        saved.push_result(result.array(Sizes::from_slice(&sizes), Layout::ROW_MAJOR));
    }
    record(rule, of, sizes, saved)
}

/// Refuses to write single elements of a recorded tensor, whose history would no longer be true.
///
/// # Panics
///
/// If the tensor is recorded.
#[track_caller]
pub(crate) fn refuse_to_write(tensor: &impl Recordable) {
    assert!(
        !tensor.is_recorded(),
        "the elements of a recorded tensor cannot be written one by one: assign with `+=`, \
         `assign_slice` or `scatter`, which have gradients, or to `x.detach()`"
    );
}
