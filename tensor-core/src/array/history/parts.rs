//! Arrays without their types, which operations are recorded with.

use smallvec::SmallVec;

use super::{AnyArray, Array, NodeOperand, Rule, Saved, is_recording, record};
use crate::array::layout::{Layout, StridedLayout, Strides, is_contiguous, layout_of};
use crate::array::storage::Storage;
use crate::element::Element;
use crate::shape::Sizes;

/// A tensor without its types, borrowed.
///
/// Making one of a static shape is a few moves, which are compiled for each shape.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) sizes: PartSizes<'a>,
    pub(crate) layout: Option<&'a StridedLayout>,
    pub(crate) elements: &'a dyn Elements,
}

/// The sizes of a part, which are computed where they are needed.
#[derive(Clone, Copy)]
pub(crate) enum PartSizes<'a> {
    Known(&'a [usize]),
    Of(&'a dyn HasSizes),
}

/// A shape, whose type is that of a value.
pub(crate) trait HasSizes {
    /// The sizes of all axes.
    fn sizes(&self) -> Sizes;
}

impl<'a> PartSizes<'a> {
    fn get(self) -> Sizes {
        match self {
            Self::Known(sizes) => Sizes::from_slice(sizes),
            Self::Of(shape) => shape.sizes(),
        }
    }
}

impl Part<'_> {
    /// The part as an array; it shares the elements.
    #[inline(never)]
    pub(crate) fn to_any(self) -> AnyArray {
        let layout = self.layout.map_or(Layout::ROW_MAJOR, |layout| Layout::new(layout.clone()));
        self.elements.array(self.sizes.get(), layout)
    }

    /// The array without its history, of these sizes.
    fn forget(&self, sizes: Sizes) -> AnyArray {
        let strided = self.layout.filter(|layout| !is_contiguous(Some(layout)));
        let layout = strided.map_or(Layout::ROW_MAJOR, |layout| {
            layout_of(&sizes, layout.offset, Strides::from_slice(&layout.strides), None)
        });
        self.elements.array(sizes, layout)
    }
}

/// The operands of an operation without their types.
pub(crate) trait Parts {
    /// How many there are.
    fn count(&self) -> usize;

    /// One of them.
    fn part(&self, place: usize) -> Part<'_>;
}

impl Parts for &[Part<'_>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn part(&self, place: usize) -> Part<'_> {
        self[place]
    }
}

/// Elements whose type is that of a value.
pub(crate) trait Elements {
    /// The array of these elements.
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray;
}

impl<T: Element> Elements for Storage<T> {
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        AnyArray::new(Array { sizes, layout, storage: self.clone() })
    }
}

/// The layout of a result of these operands by a rule: with its node, if this thread records.
#[inline(never)]
pub(crate) fn recorded_result(
    sizes: PartSizes<'_>,
    result: &dyn Elements,
    rule: Rule,
    operands: &dyn Parts,
) -> Layout {
    if !is_recording() {
        return Layout::ROW_MAJOR;
    }
    let saves = rule.saves();
    let mut saved = Saved::with_room(saves, operands.count());
    let mut of = SmallVec::with_capacity(operands.count());
    for place in 0..operands.count() {
        let operand = operands.part(place);
        let sizes = operand.sizes.get();
        if saves.operands {
            saved.push_operand(operand.forget(Sizes::from_slice(&sizes)));
        }
        of.push(NodeOperand::new(operand.layout, sizes));
    }
    if saves.result {
        saved.push_result(result.array(sizes.get(), Layout::ROW_MAJOR));
    }
    record(rule, of, sizes.get(), saved)
}
