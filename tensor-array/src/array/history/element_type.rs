//! Element types as values.

use core::any::TypeId;
use core::fmt;

use tensor_kernels::layout::Layout;
use tensor_kernels::layout::graph::Elements;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::ErasedBuffer;

use super::AnyArray;

/// An element type.
#[doc(hidden)]
pub struct ElementType {
    /// As Rust writes it.
    pub name: &'static str,
    /// [`Element::NUMBER`](tensor_kernels::element::Element::NUMBER)
    pub(crate) number: usize,
    pub(crate) bytes: usize,
    pub(crate) id: TypeId,
    pub(crate) is_float: bool,
    /// An array that is traced, which has no elements: whatever loses the layout finds nothing to read.
    pub(crate) traced: fn(Sizes, Layout) -> AnyArray,
    /// The array of such elements, which it shares.
    pub(crate) array_of: fn(&dyn Elements, Sizes, Layout) -> AnyArray,
    /// [`ElementType::array`]
    pub(crate) array: fn(ErasedBuffer, Sizes, Layout) -> AnyArray,
    /// The bytes of the elements of an array of this type, in row-major order, the least significant one first.
    pub(crate) to_bytes: fn(&AnyArray) -> Vec<u8>,
    /// The array of these sizes whose elements have these bytes. Panics if their number does not fit.
    pub of_bytes: fn(&[u8], &[usize]) -> AnyArray,
}

impl fmt::Debug for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for ElementType {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl ElementType {
    /// An array of elements of this type without its elements; the layout is traced, or replaced by one that is.
    pub(crate) fn traced(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        (self.traced)(sizes, layout)
    }

    /// An array of elements of this type.
    ///
    /// # Panics
    ///
    /// If the buffer has elements of another type.
    pub(crate) fn array(&self, buffer: ErasedBuffer, sizes: Sizes, layout: Layout) -> AnyArray {
        (self.array)(buffer, sizes, layout)
    }
}
