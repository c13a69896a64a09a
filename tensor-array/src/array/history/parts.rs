//! Type-erased arrays, for the recording of operations.

use std::sync::Arc;

use super::saved::SavedArray;
use super::{
    AnyArray, BufferType, Node, NodeOperand, Rule, Saves, TracedStep, is_recording, recorded_layout,
};
use crate::array::layout::{Layout, StridedLayout, Strides, is_contiguous, layout_of};
use crate::array::storage::RawBuffer;
use crate::sizes::Sizes;

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

impl<'a> PartSizes<'a> {
    pub(crate) fn get(self) -> Sizes {
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

    /// The part as an array; it shares the elements.
    #[inline(never)]
    pub fn to_any(self) -> AnyArray {
        let layout = self.layout.map_or(Layout::ROW_MAJOR, Layout::copy_of);
        self.elements.array(self.sizes.get(), layout)
    }

    /// The part of an operand that a node saves for its rule.
    fn saved(&self, operand: &NodeOperand) -> SavedArray {
        match self.elements.buffer() {
            Some((of, buffer)) => {
                let layout = match operand.view {
                    Some(_) => Layout::ROW_MAJOR,
                    None => self.layout_without_history(&operand.sizes),
                };
                SavedArray::Buffer { of, buffer, layout }
            }
            None => {
                let layout = self.layout_without_history(&operand.sizes);
                SavedArray::Any(self.elements.array(Sizes::from_slice(&operand.sizes), layout))
            }
        }
    }

    /// The layout without its history, for these sizes.
    fn layout_without_history(&self, sizes: &[usize]) -> Layout {
        let strided = self.layout.filter(|layout| !is_contiguous(Some(layout)));
        strided.map_or(Layout::ROW_MAJOR, |layout| {
            layout_of(sizes, layout.offset, Strides::from_slice(&layout.strides), None)
        })
    }
}

/// The part of a result that a node saves for its rule.
fn saved_result(result: &dyn Elements, sizes: &[usize]) -> SavedArray {
    let layout = Layout::ROW_MAJOR;
    match result.buffer() {
        Some((of, buffer)) => SavedArray::Buffer { of, buffer, layout },
        None => SavedArray::Any(result.array(sizes.into(), layout)),
    }
}

/// The type-erased operands of an operation.
pub trait Parts {
    /// The number of operands.
    fn count(&self) -> usize;

    /// The operand with this number.
    fn part(&self, position: usize) -> Part<'_>;
}

impl Parts for &[Part<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, position: usize) -> Part<'_> {
        self[position]
    }
}

/// Type-erased elements.
///
/// # Safety
///
/// The elements of the buffer have the type of the arrays that are made from it.
pub unsafe trait Elements {
    /// The array of these elements.
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray;

    /// The buffer and its type, if the elements have one; `None` otherwise.
    fn buffer(&self) -> Option<(&'static BufferType, RawBuffer)>;
}

/// The layout of a result of a rule on these operands: with its node, if this thread records.
#[inline(never)]
pub fn recorded_result(
    sizes: PartSizes<'_>,
    result: &dyn Elements,
    rule: Rule,
    operands: &dyn Parts,
) -> Layout {
    if !is_recording() {
        return Layout::ROW_MAJOR;
    }
    let result = |sizes: &Sizes| saved_result(result, sizes);
    node_layout(sizes, &result, Some(rule), operands, None)
}

/// The layout of a step of a program that is being traced.
pub(crate) fn traced_result(
    sizes: Sizes,
    result: &dyn Fn(Sizes) -> AnyArray,
    rule: Option<Rule>,
    operands: &dyn Parts,
    step: Box<dyn TracedStep>,
) -> Layout {
    let result = |sizes: &Sizes| SavedArray::Any(result(sizes.clone()));
    node_layout(PartSizes::Known(&sizes), &result, rule, operands, Some(step))
}

/// The layout of a result, with its node.
fn node_layout(
    sizes: PartSizes<'_>,
    result: &dyn Fn(&Sizes) -> SavedArray,
    rule: Option<Rule>,
    operands: &dyn Parts,
    step: Option<Box<dyn TracedStep>>,
) -> Layout {
    let saves = rule.as_ref().map_or(Saves::NOTHING, Rule::saves);
    // Written in its final location: moving a node that was written field by field waits for the stores.
    let mut node = Arc::new(Node::new(rule, step));
    let Node { sizes: of_result, operands: of, saved, .. } =
        Arc::get_mut(&mut node).expect("nobody else has it");
    saved.reserve(saves, operands.count());
    of.reserve(operands.count());
    for position in 0..operands.count() {
        let part = operands.part(position);
        let operand = NodeOperand::new(part.layout, part.sizes.get());
        if position < saves.operands {
            saved.push_operand(part.saved(&operand));
        }
        of.push(operand);
    }
    *of_result = sizes.get();
    if saves.result {
        saved.push_result(result(of_result));
    }
    recorded_layout(node)
}
