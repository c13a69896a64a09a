//! Element types: those of the tensor library, as XLA has them.

use core::fmt;

use crate::error::{Code, Error};

/// Element types with their names in Rust and StableHLO, their numbers in PJRT and their sizes in bytes.
macro_rules! element_types {
    ($($(#[$doc:meta])* $name:ident $rust:literal $stablehlo:literal $number:literal $size:literal;)*) => {
        /// The type of the elements of a tensor.
        ///
        /// ```
        /// use tensor_xla::ElementType;
        ///
        /// assert_eq!(ElementType::U8.to_string(), "u8");
        /// assert_eq!(ElementType::U8.stablehlo(), "ui8");
        /// assert_eq!(ElementType::U8.size(), 1);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ElementType {
            $($(#[$doc])* $name,)*
        }

        impl ElementType {
            /// All element types.
            ///
            /// ```
            /// assert_eq!(tensor_xla::ElementType::ALL.len(), 13);
            /// ```
            pub const ALL: [Self; 13] = [$(Self::$name),*];

            /// The name in StableHLO, such as `i1` for `bool` and `ui8` for `u8`.
            ///
            /// ```
            /// assert_eq!(tensor_xla::ElementType::Bool.stablehlo(), "i1");
            /// ```
            pub const fn stablehlo(self) -> &'static str {
                match self { $(Self::$name => $stablehlo,)* }
            }

            /// The number of bytes of an element.
            ///
            /// ```
            /// assert_eq!(tensor_xla::ElementType::F64.size(), 8);
            /// ```
            pub const fn size(self) -> usize {
                match self { $(Self::$name => $size,)* }
            }

            /// The type with this name in Rust.
            pub(crate) fn of_name(name: &str) -> Result<Self, Error> {
                match name {
                    $($rust => Ok(Self::$name),)*
                    _ => Err(Error::Program(format!("element type `{name}` is not supported"))),
                }
            }

            /// The number of the type in PJRT.
            pub(crate) fn number(self) -> i32 {
                match self { $(Self::$name => $number,)* }
            }

            /// The type with this number in PJRT.
            pub(crate) fn from_number(number: i32) -> Result<Self, Error> {
                match number {
                    $($number => Ok(Self::$name),)*
                    _ => {
                        let message = format!("element type number {number} is not supported");
                        Err(Error::plugin("Buffer_ElementType", Code::Unimplemented, &message))
                    }
                }
            }
        }

        impl fmt::Display for ElementType {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $rust,)* })
            }
        }
    };
}

element_types! {
    /// `bool`
    Bool "bool" "i1" 1 1;
    /// `i8`
    I8 "i8" "i8" 2 1;
    /// `i16`
    I16 "i16" "i16" 3 2;
    /// `i32`
    I32 "i32" "i32" 4 4;
    /// `i64`
    I64 "i64" "i64" 5 8;
    /// `u8`
    U8 "u8" "ui8" 6 1;
    /// `u16`
    U16 "u16" "ui16" 7 2;
    /// `u32`
    U32 "u32" "ui32" 8 4;
    /// `u64`
    U64 "u64" "ui64" 9 8;
    /// `f16` of the crate `half`
    F16 "f16" "f16" 10 2;
    /// `f32`
    F32 "f32" "f32" 11 4;
    /// `f64`
    F64 "f64" "f64" 12 8;
    /// `bf16` of the crate `half`
    Bf16 "bf16" "bf16" 13 2;
}

/// A type of Rust that the elements of a buffer can have on the host: the integers, the floats and `bool`; with
/// the feature `half`, `f16` and `bf16` of the crate `half`.
///
/// ```
/// use tensor_xla::{ElementType, HostElement};
///
/// assert_eq!(<f32 as HostElement>::TYPE, ElementType::F32);
/// ```
pub trait HostElement: sealed::Bytes {
    /// The element type.
    const TYPE: ElementType;
}

pub(crate) mod sealed {
    /// Elements as bytes, and back.
    #[doc(hidden)]
    pub trait Bytes: Copy {
        fn bytes(elements: &[Self]) -> &[u8];

        /// The elements whose bytes a function writes.
        fn read<E>(
            count: usize,
            write: impl FnOnce(&mut [u8]) -> Result<(), E>,
        ) -> Result<Vec<Self>, E>;
    }
}

/// `$d` is a dollar sign, for the macro that this one defines.
macro_rules! host_elements {
    ($d:tt $($(#[$cfg:meta])* $T:ty: $name:ident;)*) => {
        /// Runs a block with the type `$E` of elements whose type is known at run time; `None` if they have no type of Rust.
        #[cfg(feature = "safetensors")]
        macro_rules! with_host_element {
            ($d element:expr, $d E:ident => $d then:expr) => {
                match $d element {
                    $crate::ElementType::Bool => {
                        type $d E = bool;
                        Some($d then)
                    }
                    $($(#[$cfg])* $crate::ElementType::$name => {
                        type $d E = $T;
                        Some($d then)
                    })*
                    #[cfg(not(feature = "half"))]
                    _ => None,
                }
            };
        }

        $(
        $(#[$cfg])*
        impl HostElement for $T {
            const TYPE: ElementType = ElementType::$name;
        }

        $(#[$cfg])*
        impl sealed::Bytes for $T {
            fn bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }

            fn read<E>(count: usize, write: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Vec<Self>, E> {
                let mut elements: Vec<Self> = vec![bytemuck::Zeroable::zeroed(); count];
                write(bytemuck::cast_slice_mut(&mut elements))?;
                Ok(elements)
            }
        }
        )*
    };
}

host_elements! {
    $
    i8: I8;
    i16: I16;
    i32: I32;
    i64: I64;
    u8: U8;
    u16: U16;
    u32: U32;
    u64: U64;
    f32: F32;
    f64: F64;
    #[cfg(feature = "half")]
    half::f16: F16;
    #[cfg(feature = "half")]
    half::bf16: Bf16;
}

#[cfg(feature = "safetensors")]
pub(crate) use with_host_element as with_element;

impl HostElement for bool {
    const TYPE: ElementType = ElementType::Bool;
}

impl sealed::Bytes for bool {
    fn bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }

    fn read<E>(
        count: usize,
        write: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Vec<Self>, E> {
        let bytes = <u8 as sealed::Bytes>::read(count, write)?;
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_name_their_types() {
        for element_type in ElementType::ALL {
            assert_eq!(ElementType::from_number(element_type.number()), Ok(element_type));
        }
    }

    /// 0 is no type; 14 and 15 are complex, 16 and more have fewer than 16 bits.
    #[test]
    fn other_numbers_are_refused() {
        for number in [-1, 0, 14, 15, 16, 99] {
            let error = ElementType::from_number(number).expect_err("no element type");
            assert!(error.to_string().contains(&format!("number {number} is not supported")));
        }
    }
}
