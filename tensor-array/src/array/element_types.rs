//! The element types as values, one for each row of the table.

use core::any::{Any, TypeId};
use core::slice::from_ref;
use std::borrow::Cow;

use tensor_kernels::element::Element;
use tensor_kernels::layout::Layout;
use tensor_kernels::layout::graph::Elements;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::{ErasedBuffer, Storage};

use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, ElementType};

const fn element_type<T: Element>(
    to_bytes: fn(&AnyArray) -> Vec<u8>,
    of_bytes: fn(&[u8], &[usize]) -> AnyArray,
) -> ElementType {
    fn array<T: Element>(buffer: ErasedBuffer, sizes: Sizes, layout: Layout) -> AnyArray {
        let storage = Storage::Heap(buffer.typed().expect("a buffer of this element type"));
        AnyArray::new(DynTensor::<T> { sizes, layout, storage })
    }
    fn array_of<T: Element>(elements: &dyn Elements, sizes: Sizes, layout: Layout) -> AnyArray {
        let elements: &dyn Any = elements;
        let storage = match elements.downcast_ref::<Storage<T>>() {
            Some(storage) => storage.clone(),
            None => Storage::from_slice(elements.downcast_ref().map_or(&[], from_ref::<T>)),
        };
        AnyArray::new(DynTensor { sizes, layout, storage })
    }
    fn traced<T: Element>(sizes: Sizes, layout: Layout) -> AnyArray {
        AnyArray::new(DynTensor::<T>::of_step(layout, sizes))
    }
    ElementType {
        name: T::NAME,
        number: T::NUMBER,
        bytes: size_of::<T>(),
        id: TypeId::of::<T>(),
        is_float: T::IS_FLOAT,
        traced: traced::<T>,
        array_of: array_of::<T>,
        array: array::<T>,
        to_bytes,
        of_bytes,
    }
}

fn elements<T: Element>(array: &AnyArray) -> &DynTensor<T> {
    array.get().expect("an array of this element type")
}

/// The bytes of all elements in row-major order: those of a contiguous array are copied once.
fn bytes_of<T: Element, const N: usize>(
    array: &AnyArray,
    to_bytes: impl Fn(T) -> [u8; N],
) -> Vec<u8> {
    let array = elements::<T>(array);
    let elements = array.as_slice().map_or_else(|| array.to_vec().into(), Cow::Borrowed);
    let mut bytes = vec![0; N * elements.len()];
    for (bytes, &element) in bytes.as_chunks_mut().0.iter_mut().zip(&*elements) {
        *bytes = to_bytes(element);
    }
    bytes
}

fn array_of<T: Element>(sizes: &[usize], elements: Vec<T>) -> AnyArray {
    AnyArray::new(DynTensor::from_vec(sizes, elements).expect("the bytes of these sizes"))
}

/// Generates the values of all types, and the list of them.
macro_rules! element_types {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// All types, at their numbers.
        const ALL: &[&ElementType] = &[$($(#[$cfg])* {
            static TYPE: ElementType = element_type::<$T>(
                element_types!(@to $class $T),
                element_types!(@of $class $T),
            );
            &TYPE
        },)*];
    };
    (@to boolean $T:ident) => {
        |array| bytes_of::<bool, 1>(array, |element| [u8::from(element)])
    };
    (@to $class:ident $T:ident) => {
        |array| bytes_of(array, $T::to_le_bytes)
    };
    (@of boolean $T:ident) => {
        |bytes, sizes| array_of(sizes, bytes.iter().map(|&byte| byte != 0).collect())
    };
    (@of $class:ident $T:ident) => {
        |bytes, sizes| {
            let (elements, _) = bytes.as_chunks::<{ size_of::<$T>() }>();
            let elements = elements.iter().map(|&bytes| $T::from_le_bytes(bytes));
            array_of(sizes, elements.collect())
        }
    };
}

for_each_element!(element_types);

impl ElementType {
    /// The number of element types.
    pub(crate) const COUNT: usize = ALL.len();

    /// The element type `T`.
    pub const fn of<T: Element>() -> &'static Self {
        ALL[T::NUMBER]
    }

    /// The element type with this [number](Element::NUMBER).
    pub(crate) fn numbered(number: usize) -> &'static Self {
        ALL[number]
    }
}

/// The element type with this identifier.
///
/// # Panics
///
/// If it is that of another type.
pub fn element_type_of(id: TypeId) -> &'static ElementType {
    ALL.iter().find(|element| element.id == id).expect("a type of the table")
}
