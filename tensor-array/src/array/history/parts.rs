//! Type-erased arrays, for the recording of operations.

use std::sync::Arc;

use tensor_kernels::layout::graph::{Elements, Part, PartSizes, is_recording};
use tensor_kernels::layout::{Layout, Strides, is_contiguous, layout_of};
use tensor_kernels::sizes::Sizes;

use super::saved::SavedArray;
use super::{AnyArray, ElementType, Node, NodeOperand, Rule, Saves, TracedStep, recorded_layout};

/// The part as an array; it shares the elements.
#[inline(never)]
pub fn to_any(part: Part<'_>) -> AnyArray {
    let layout = part.layout.map_or(Layout::ROW_MAJOR, Layout::copy_of);
    array_of(part.elements, part.sizes.get(), layout)
}

/// The array of these elements.
fn array_of(elements: &dyn Elements, sizes: Sizes, layout: Layout) -> AnyArray {
    (ElementType::numbered(elements.element()).array_of)(elements, sizes, layout)
}

/// The part of an operand that a node saves for its rule.
fn saved_operand(part: &Part<'_>, operand: &NodeOperand) -> SavedArray {
    match part.elements.buffer() {
        Some(buffer) => {
            let layout = match operand.view {
                Some(_) => Layout::ROW_MAJOR,
                None => layout_without_history(part, &operand.sizes),
            };
            SavedArray::Buffer {
                of: ElementType::numbered(part.elements.element()),
                buffer,
                layout,
            }
        }
        None => {
            let layout = layout_without_history(part, &operand.sizes);
            SavedArray::Any(array_of(part.elements, Sizes::from_slice(&operand.sizes), layout))
        }
    }
}

/// The layout of a part without its history, for these sizes.
fn layout_without_history(part: &Part<'_>, sizes: &[usize]) -> Layout {
    let strided = part.layout.filter(|layout| !is_contiguous(Some(layout)));
    strided.map_or(Layout::ROW_MAJOR, |layout| {
        layout_of(sizes, layout.offset, Strides::from_slice(&layout.strides), None)
    })
}

/// The part of a result that a node saves for its rule.
fn saved_result(result: &dyn Elements, sizes: &[usize]) -> SavedArray {
    let layout = Layout::ROW_MAJOR;
    match result.buffer() {
        Some(buffer) => {
            SavedArray::Buffer { of: ElementType::numbered(result.element()), buffer, layout }
        }
        None => SavedArray::Any(array_of(result, sizes.into(), layout)),
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
            saved.push_operand(saved_operand(&part, &operand));
        }
        of.push(operand);
    }
    *of_result = sizes.get();
    if saves.result {
        saved.push_result(result(of_result));
    }
    recorded_layout(node)
}
