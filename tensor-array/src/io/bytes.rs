//! Conversion between elements and bytes.

#[cfg(feature = "npy")]
use std::io::Write;
use std::io::{self, Read};

use tensor_files::npy::Endian;
use tensor_kernels::element::Element;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::{Problem, ReadError};

/// The number of bytes that are read or written at once.
const CHUNK: usize = 1 << 16;

/// An element type that files support: all types of [`Element`].
///
/// ```
/// use tensor_core::DynTensor;
/// use tensor_core::io::FileElement;
///
/// fn bytes<T: FileElement>(x: &DynTensor<T>) -> Vec<u8> {
///     let mut bytes = Vec::new();
///     # #[cfg(feature = "npy")]
///     x.write_npy(&mut bytes).expect("a `Vec` takes what is written");
///     bytes
/// }
/// # let _ = bytes(&DynTensor::full(&[2], 1.0_f32));
/// ```
pub trait FileElement: Element + sealed::Bytes {}

impl<T: Element + sealed::Bytes> FileElement for T {}

pub(crate) mod sealed {
    use tensor_files::npy::Endian;

    /// Conversion of elements to bytes and back, compiled here once for each type.
    #[doc(hidden)]
    pub trait Bytes: Sized {
        /// Appends the decoded elements, or returns the first byte that is not a valid element.
        #[doc(hidden)]
        fn decode(bytes: &[u8], endian: Endian, elements: &mut Vec<Self>) -> Result<(), u8>;

        /// Appends the bytes of the elements, in little-endian order.
        #[doc(hidden)]
        fn encode(elements: &[Self], bytes: &mut Vec<u8>);
    }
}

/// Generates the impls for all element types.
macro_rules! bytes {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* bytes!(@$class $T); )*
    };
    (@boolean $T:ident) => {
        impl sealed::Bytes for $T {
            fn decode(bytes: &[u8], _: Endian, elements: &mut Vec<Self>) -> Result<(), u8> {
                for &byte in bytes {
                    match byte {
                        0 | 1 => elements.push(byte == 1),
                        _ => return Err(byte),
                    }
                }
                Ok(())
            }

            fn encode(elements: &[Self], bytes: &mut Vec<u8>) {
                bytes.extend(elements.iter().map(|&element| u8::from(element)));
            }
        }
    };
    (@$number:ident $T:ident) => {
        impl sealed::Bytes for $T {
            fn decode(bytes: &[u8], endian: Endian, elements: &mut Vec<Self>) -> Result<(), u8> {
                let chunks = bytes.as_chunks::<{ size_of::<$T>() }>().0.iter();
                match endian {
                    Endian::Little => elements.extend(chunks.map(|&chunk| $T::from_le_bytes(chunk))),
                    Endian::Big => elements.extend(chunks.map(|&chunk| $T::from_be_bytes(chunk))),
                }
                Ok(())
            }

            fn encode(elements: &[Self], bytes: &mut Vec<u8>) {
                elements.iter().for_each(|element| bytes.extend(element.to_le_bytes()));
            }
        }
    };
}

for_each_element!(bytes);

/// Reads elements of `bytes` bytes in all. Memory is allocated as they arrive, at most twice the bytes read.
pub fn read<T: FileElement>(
    reader: impl Read,
    bytes: usize,
    endian: Endian,
) -> Result<Vec<T>, ReadError> {
    read_into(Vec::new(), reader, bytes, endian)
}

/// [`read`], which appends to a vector: one of the right capacity is not allocated again.
pub fn read_into<T: FileElement>(
    mut elements: Vec<T>,
    mut reader: impl Read,
    bytes: usize,
    endian: Endian,
) -> Result<Vec<T>, ReadError> {
    let mut chunk = vec![0; CHUNK.min(bytes)];
    let mut found = 0;
    while found < bytes {
        let wanted = CHUNK.min(bytes - found);
        let mut filled = 0;
        while filled < wanted {
            match reader.read(&mut chunk[filled..wanted]) {
                Ok(0) => {
                    let found = found + filled;
                    return Err(Problem::Truncated { expected: bytes, found }.into());
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        T::decode(&chunk[..wanted], endian, &mut elements)
            .map_err(|byte| Problem::NotABool { byte })?;
        found += wanted;
    }
    Ok(elements)
}

/// Writes elements in little-endian order.
#[cfg(feature = "npy")]
pub(super) fn write<T: FileElement>(mut writer: impl Write, elements: &[T]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(CHUNK.min(size_of_val(elements)));
    for chunk in elements.chunks(CHUNK / size_of::<T>()) {
        bytes.clear();
        T::encode(chunk, &mut bytes);
        writer.write_all(&bytes)?;
    }
    Ok(())
}
