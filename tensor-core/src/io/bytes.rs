//! Elements as bytes.

use std::io::{self, Read, Write};

use super::{Problem, ReadError};
use crate::element::Element;

pub(super) use sealed::Endian;

/// The bytes that are read or written at once.
const CHUNK: usize = 1 << 16;

/// A type of elements that files have: all of [`Element`].
pub trait FileElement: Element + sealed::Bytes {}

impl<T: Element + sealed::Bytes> FileElement for T {}

pub(super) mod sealed {
    /// The order of the bytes of a number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Endian {
        Little,
        Big,
    }

    /// Elements to bytes and back, compiled here once for each type.
    pub trait Bytes: Sized {
        /// The name in a `.npy` header without the order of bytes; `None` if NumPy has no such type.
        const NPY: Option<&'static str>;
        /// The name in a `.safetensors` header.
        const SAFETENSORS: &'static str;

        /// Appends the elements that the bytes are, or gives the first byte that is none.
        #[doc(hidden)]
        fn decode(bytes: &[u8], endian: Endian, elements: &mut Vec<Self>) -> Result<(), u8>;

        /// Appends the bytes of the elements, in little-endian order.
        #[doc(hidden)]
        fn encode(elements: &[Self], bytes: &mut Vec<u8>);
    }
}

macro_rules! numbers {
    ($($T:ident $npy:expr, $safetensors:literal;)*) => {$(
        impl sealed::Bytes for $T {
            const NPY: Option<&'static str> = $npy;
            const SAFETENSORS: &'static str = $safetensors;

            fn decode(bytes: &[u8], endian: Endian, elements: &mut Vec<Self>) -> Result<(), u8> {
                let (chunks, _) = bytes.as_chunks::<{ size_of::<$T>() }>();
                match endian {
                    Endian::Little => elements.extend(chunks.iter().map(|&chunk| $T::from_le_bytes(chunk))),
                    Endian::Big => elements.extend(chunks.iter().map(|&chunk| $T::from_be_bytes(chunk))),
                }
                Ok(())
            }

            fn encode(elements: &[Self], bytes: &mut Vec<u8>) {
                elements.iter().for_each(|element| bytes.extend(element.to_le_bytes()));
            }
        }
    )*};
}

numbers! {
    f32 Some("f4"), "F32";
    f64 Some("f8"), "F64";
    i8 Some("i1"), "I8";
    i16 Some("i2"), "I16";
    i32 Some("i4"), "I32";
    i64 Some("i8"), "I64";
    u8 Some("u1"), "U8";
    u16 Some("u2"), "U16";
    u32 Some("u4"), "U32";
    u64 Some("u8"), "U64";
}

#[cfg(feature = "half")]
use half::{bf16, f16};

#[cfg(feature = "half")]
numbers! {
    f16 Some("f2"), "F16";
    bf16 None, "BF16";
}

impl sealed::Bytes for bool {
    const NPY: Option<&'static str> = Some("b1");
    const SAFETENSORS: &'static str = "BOOL";

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

/// What a type in a header is called in Rust, for messages.
#[cfg(feature = "npy")]
pub(super) fn rust_name(npy: &str) -> Option<&'static str> {
    [
        ("f2", "f16"),
        ("f4", "f32"),
        ("f8", "f64"),
        ("i1", "i8"),
        ("i2", "i16"),
        ("i4", "i32"),
        ("i8", "i64"),
        ("u1", "u8"),
        ("u2", "u16"),
        ("u4", "u32"),
        ("u8", "u64"),
        ("b1", "bool"),
    ]
    .iter()
    .find(|(name, _)| *name == npy)
    .map(|&(_, rust)| rust)
}

/// Reads elements of so many bytes. Memory is taken as they come, at most twice what there is.
pub(super) fn read<T: FileElement>(
    mut reader: impl Read,
    bytes: usize,
    endian: Endian,
) -> Result<Vec<T>, ReadError> {
    let (mut elements, mut chunk) = (Vec::new(), vec![0; CHUNK.min(bytes)]);
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
            .map_err(|byte| ReadError::format(format!("a bool is byte 0 or 1, not {byte}")))?;
        found += wanted;
    }
    Ok(elements)
}

/// Writes elements in little-endian order.
pub(super) fn write<T: FileElement>(mut writer: impl Write, elements: &[T]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(CHUNK.min(size_of_val(elements)));
    for chunk in elements.chunks(CHUNK / size_of::<T>()) {
        bytes.clear();
        T::encode(chunk, &mut bytes);
        writer.write_all(&bytes)?;
    }
    Ok(())
}
