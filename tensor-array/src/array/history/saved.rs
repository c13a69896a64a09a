//! Saved values: what a rule reads besides the gradient of the result, kept in a node.

use smallvec::SmallVec;
use tensor_kernels::layout::{Layout, Strides, layout_of};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::ErasedBuffer;

use super::{AnyArray, ElementType, ErasedArray, Saves};

/// Arrays that can be made from a buffer of their elements.
pub(crate) trait FromBuffer: ErasedArray + Clone {
    /// The array with the elements of a buffer, if they have its element type.
    fn from_buffer(buffer: ErasedBuffer, sizes: Sizes, layout: Layout) -> Option<Self>;
}

/// A saved array without its history; the node has its sizes: those of an operand or of the result.
pub(crate) enum SavedArray {
    /// Elements of this type in a buffer; `layout` is row-major if the operand of the node has a
    /// view, which is then the layout.
    ///
    /// This variant needs no allocation.
    Buffer { of: &'static ElementType, buffer: ErasedBuffer, layout: Layout },
    /// Any other array.
    Any(AnyArray),
}

impl SavedArray {
    /// The array, if it has this type.
    pub(super) fn array<A: FromBuffer>(&self, sizes: &[usize], view: Placement<'_>) -> Option<A> {
        match self {
            Self::Buffer { buffer, layout, .. } => {
                A::from_buffer(buffer.clone(), sizes.into(), laid_out(sizes, view, layout))
            }
            Self::Any(array) => array.get().cloned(),
        }
    }

    /// The array.
    pub(super) fn any(&self, sizes: &[usize], view: Placement<'_>) -> AnyArray {
        match self {
            Self::Buffer { of, buffer, layout } => {
                let layout = laid_out(sizes, view, layout);
                of.array(buffer.clone(), sizes.into(), layout)
            }
            Self::Any(array) => array.clone(),
        }
    }
}

/// The layout of the view if there is one, or the saved layout.
fn laid_out(sizes: &[usize], view: Placement<'_>, saved: &Layout) -> Layout {
    match view {
        Some((offset, strides)) => layout_of(sizes, *offset, Strides::from_slice(strides), None),
        None => saved.clone(),
    }
}

/// The offset and strides of an operand within the elements of its node.
pub(super) type Placement<'a> = Option<&'a (usize, Strides)>;

/// The arrays that a rule reads: in one allocation, so that a node needs none for each.
#[derive(Default)]
pub struct Saved {
    pub(super) operands: usize,
    arrays: SmallVec<[SavedArray; 3]>,
}

impl Saved {
    /// Reserves memory for what a rule reads of this number of operands, and of the result.
    pub(super) fn reserve(&mut self, saves: Saves, operands: usize) {
        self.operands = saves.operands.min(operands);
        self.arrays.reserve(self.operands + usize::from(saves.result));
    }

    pub(super) fn push_operand(&mut self, operand: SavedArray) {
        debug_assert!(self.arrays.len() < self.operands, "an operand that the rule reads");
        self.arrays.push(operand);
    }

    pub(super) fn push_result(&mut self, result: SavedArray) {
        debug_assert_eq!(self.arrays.len(), self.operands, "the result is the last one");
        self.arrays.push(result);
    }

    /// The saved result of a rule that keeps one itself.
    pub(super) fn only_result(result: AnyArray) -> Self {
        let mut saved = Self::default();
        saved.push_result(SavedArray::Any(result));
        saved
    }

    /// # Panics
    ///
    /// If the rule did not say that it reads operands.
    pub(super) fn operand(&self, position: usize) -> &SavedArray {
        self.arrays[..self.operands]
            .get(position)
            .expect("the rule said that it reads the operands")
    }

    /// # Panics
    ///
    /// If the rule did not say that it reads the result.
    pub(super) fn result(&self) -> &SavedArray {
        self.arrays.get(self.operands).expect("the rule said that it reads the result")
    }
}
