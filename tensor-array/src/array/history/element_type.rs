//! Element types as values.

use core::any::TypeId;
use core::fmt;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::AnyArray;
use crate::array::layout::Layout;
use crate::array::storage::RawBuffer;
use crate::sizes::Sizes;

/// An element type.
#[doc(hidden)]
pub struct ElementType {
    /// As Rust writes it.
    pub name: &'static str,
    pub(crate) bytes: usize,
    pub(crate) id: TypeId,
    pub(crate) is_float: bool,
    /// Memory of this many zeros.
    pub(crate) zeros: fn(usize) -> RawBuffer,
    /// [`ElementType::array`]
    pub(crate) array: unsafe fn(RawBuffer, Sizes, Layout) -> AnyArray,
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
    /// Memory of at least `len` zeros, for an array that is traced: its elements are never read, but code that
    /// is given its layout may rely on the memory. All arrays of a type share it.
    pub fn placeholder(&self, len: usize) -> RawBuffer {
        static SHARED: Mutex<Option<HashMap<TypeId, (usize, RawBuffer)>>> = Mutex::new(None);
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let of_types = shared.get_or_insert_default();
        match of_types.get(&self.id) {
            Some((available, buffer)) if *available >= len => buffer.clone(),
            _ => {
                let buffer = (self.zeros)(len);
                of_types.insert(self.id, (len, buffer.clone()));
                buffer
            }
        }
    }

    /// An array of elements of this type.
    ///
    /// # Safety
    ///
    /// The buffer has elements of this type, one for each index of the layout.
    pub unsafe fn array(&self, buffer: RawBuffer, sizes: Sizes, layout: Layout) -> AnyArray {
        // SAFETY: as the caller promises.
        unsafe { (self.array)(buffer, sizes, layout) }
    }
}
