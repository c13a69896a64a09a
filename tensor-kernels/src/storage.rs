//! Storage of a tensor's elements: inline for small tensors, reference-counted on the heap otherwise.

use core::mem::MaybeUninit;

mod block;
mod buffer;
pub(crate) mod cache;
mod shared_vec;

pub use buffer::{Buffer, ErasedBuffer, RawBuffer};
use shared_vec::SharedVec;

/// Plain data: numbers and `bool`, which need no destructor.
///
/// # Safety
///
/// The bit pattern of zeros is a valid value of the type.
#[doc(hidden)]
pub unsafe trait Plain: Copy + Send + Sync + 'static {}

/// The value whose bits are all zero.
#[inline(always)]
const fn zero<T: Plain>() -> T {
    // SAFETY: the bit pattern of zeros is a value of the type, as the implementor promises.
    unsafe { core::mem::zeroed() }
}

/// Largest number of elements stored inline, without an allocation.
pub const INLINE: usize = 16;

/// Copy-on-write elements.
#[derive(Clone)]
pub enum Storage<T> {
    /// At most [`INLINE`] elements, padded with zeros.
    Inline([T; INLINE]),
    /// A buffer that this crate allocated.
    Heap(Buffer<T>),
    /// A `Vec` that the user passed in.
    FromVec(SharedVec<T>),
}

impl<T: Plain> Storage<T> {
    /// Storage of `len` elements, initialised by `fill`.
    ///
    /// # Safety
    ///
    /// `fill` must write every element of its slice.
    #[inline]
    pub unsafe fn build(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Self {
        let mut inline = MaybeUninit::uninit();
        // If `fill` panics, the memory is freed.
        let heap = (len > INLINE).then(|| RawBuffer::new_uninit(len, size_of::<T>()));
        let first = match &heap {
            Some(raw) => raw.first().as_ptr().cast(),
            None => inline.write([zero::<T>(); INLINE]).as_mut_ptr().cast(),
        };
        // In one place, as the closure is compiled in each.
        // SAFETY: there is room for `len` elements, which need no initialisation as `MaybeUninit`; nothing else uses
        // it. Inline elements stay initialised: `fill` overwrites all of the slice, by this function's contract.
        fill(unsafe { core::slice::from_raw_parts_mut(first, len) });
        match heap {
            // SAFETY: all elements are written, as the caller promises.
            Some(raw) => Self::Heap(unsafe { Buffer::from_raw(raw) }),
            // SAFETY: the elements were initialised above.
            None => Self::Inline(unsafe { inline.assume_init() }),
        }
    }

    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        if len <= INLINE { Self::Inline([zero(); INLINE]) } else { Self::Heap(Buffer::zeros(len)) }
    }

    /// A copy of the elements.
    pub fn from_slice(elements: &[T]) -> Self {
        if elements.len() > INLINE {
            return Self::Heap(Buffer::from_slice(elements));
        }
        let mut copy = [zero(); INLINE];
        copy[..elements.len()].copy_from_slice(elements);
        Self::Inline(copy)
    }

    /// The elements of a `Vec`: inline if they fit, else without a copy.
    #[inline(never)]
    pub fn from_vec(elements: Vec<T>) -> Self {
        if elements.len() <= INLINE {
            Self::from_slice(&elements)
        } else {
            Self::FromVec(SharedVec::new(elements))
        }
    }

    /// All elements; inline storage includes its padding.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::Inline(elements) => elements,
            Self::Heap(elements) => elements.as_slice(),
            Self::FromVec(elements) => elements.as_slice(),
        }
    }

    /// The elements for writing; copies them first if the storage is shared.
    #[inline]
    pub fn make_mut(&mut self) -> &mut [T] {
        if self.get_mut().is_none() {
            *self = Self::from_slice(self.as_slice());
        }
        self.get_mut().expect("a new copy has one owner")
    }

    /// The elements for writing; `None` if the storage is shared.
    #[inline]
    pub fn get_mut(&mut self) -> Option<&mut [T]> {
        match self {
            Self::Inline(elements) => Some(elements),
            Self::Heap(elements) => elements.get_mut(),
            Self::FromVec(elements) => elements.get_mut(),
        }
    }

    /// The first `len` elements as a `Vec`; the user's own `Vec` where it is not shared.
    #[inline(never)]
    pub fn into_vec(self, len: usize) -> Vec<T> {
        match self {
            Self::FromVec(elements) => {
                let mut elements = elements.into_vec();
                elements.truncate(len);
                elements
            }
            _ => self.as_slice()[..len].to_vec(),
        }
    }
}

/// Storage of `len` elements: `element(0)`, `element(1)` …
#[inline]
pub fn each_from<T: Plain>(len: usize, mut element: impl FnMut(usize) -> T) -> Storage<T> {
    let fill = |slots: &mut [MaybeUninit<T>]| {
        for (number, slot) in slots.iter_mut().enumerate() {
            slot.write(element(number));
        }
    };
    // SAFETY: `fill` writes every slot.
    unsafe { Storage::build(len, fill) }
}
