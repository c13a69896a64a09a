//! Where the elements of a tensor are: within the value for small tensors, shared otherwise.

use core::mem::MaybeUninit;
use std::sync::Arc;

use crate::element::Element;

mod block;
mod buffer;
pub(crate) mod cache;

pub(crate) use buffer::{Buffer, RawBuffer};

/// How many elements are kept within the value, so that small tensors need no allocation.
pub(crate) const INLINE: usize = 16;

/// Elements that are copied when they are written to through one of several owners.
#[derive(Clone)]
pub(crate) enum Storage<T> {
    /// At most [`INLINE`] elements; those behind the last are zero.
    Inline([T; INLINE]),
    /// Memory of our own.
    Shared(Buffer<T>),
    /// The memory of a `Vec` that the user gave.
    Adopted(Arc<Vec<T>>),
}

impl<T: Element> Storage<T> {
    /// Storage of `len` elements that `fill` writes.
    ///
    /// # Safety
    ///
    /// `fill` must write every element of the slice that it is given.
    #[inline]
    pub(crate) unsafe fn build(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Self {
        if len <= INLINE {
            let mut elements = [MaybeUninit::new(T::ZERO); INLINE];
            fill(&mut elements[..len]);
            // SAFETY: all elements were written above, and `fill` wrote some of them again.
            return Self::Inline(elements.map(|element| unsafe { element.assume_init() }));
        }
        // SAFETY: `fill` writes every element, as the caller promises.
        Self::Shared(unsafe { Buffer::build(len, fill) })
    }

    /// `len` times zero.
    pub(crate) fn zeros(len: usize) -> Self {
        if len <= INLINE {
            Self::Inline([T::ZERO; INLINE])
        } else {
            Self::Shared(Buffer::zeros(len))
        }
    }

    pub(crate) fn from_slice(elements: &[T]) -> Self {
        let copy = |slots: &mut [MaybeUninit<T>]| {
            slots.write_copy_of_slice(elements);
        };
        // SAFETY: `copy` writes as many elements as there are.
        unsafe { Self::build(elements.len(), copy) }
    }

    /// The elements of a `Vec`, in its memory unless they fit into the value.
    pub(crate) fn from_vec(elements: Vec<T>) -> Self {
        if elements.len() <= INLINE {
            Self::from_slice(&elements)
        } else {
            Self::Adopted(Arc::new(elements))
        }
    }

    /// The elements; for inline storage also those behind the last.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        match self {
            Self::Inline(elements) => elements,
            Self::Shared(elements) => elements.as_slice(),
            Self::Adopted(elements) => elements,
        }
    }

    /// The elements for writing; copies them first if somebody else reads them too.
    #[inline]
    pub(crate) fn make_mut(&mut self) -> &mut [T] {
        if self.get_mut().is_none() {
            *self = Self::from_slice(self.as_slice());
        }
        self.get_mut().expect("a new copy has one owner")
    }

    /// The elements for writing, unless somebody else reads them too.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut [T]> {
        match self {
            Self::Inline(elements) => Some(elements),
            Self::Shared(elements) => elements.get_mut(),
            Self::Adopted(elements) => Arc::get_mut(elements).map(Vec::as_mut_slice),
        }
    }

    /// The first `len` elements as a `Vec`; the one that was given, if nobody else reads it.
    pub(crate) fn into_vec(self, len: usize) -> Vec<T> {
        match self {
            Self::Adopted(elements) => {
                let mut elements = Arc::unwrap_or_clone(elements);
                elements.truncate(len);
                elements
            }
            _ => self.as_slice()[..len].to_vec(),
        }
    }
}
