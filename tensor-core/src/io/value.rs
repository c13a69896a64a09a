//! [`Value`]: a tensor that was read from a file, of any element type.

use core::any::Any;
use core::ops::Range;

use tensor_files::Record;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::record;
use super::stored::StoredTensor;
use super::{Problem, ReadError};
use crate::shape::error::ShapeError;
use crate::tensor::{AnyTensor, AssignError, DynTensor};

/// Generates the code that differs between element types.
macro_rules! values {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// A tensor whose element type is known at run time.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(non_camel_case_types, reason = "variants have the names of element types")]
        pub(crate) enum Value {
            $($(#[$cfg])* $T(DynTensor<$T>),)*
        }

        impl Value {
            /// Reads a tensor of a file with its own element type.
            pub(crate) fn read(found: &Record) -> Result<Self, ReadError> {
                match &found.element[..] {
                    $($(#[$cfg])* stringify!($T) => Ok(Self::$T(record::read(found)?)),)*
                    _ => Err(Problem::UnknownElement { found: found.element.clone() }.into()),
                }
            }

            /// The elements of a tensor of a model, without a copy.
            pub(crate) fn of(tensor: &dyn AnyTensor) -> Self {
                $($(#[$cfg])* if let Some(tensor) = tensor.get::<$T>() {
                    return Self::$T(tensor);
                })*
                unreachable!("elements of type {}", tensor.element_name())
            }

            /// The tensor, a `DynTensor` of its element type.
            pub(crate) fn as_any(&self) -> &dyn Any {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => tensor,)*
                }
            }

            /// The tensor, a `DynTensor` of its element type.
            pub(crate) fn into_any(self) -> Box<dyn Any> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => Box::new(tensor),)*
                }
            }

            /// The tensor, to be written.
            pub(crate) fn as_stored(&self) -> &dyn StoredTensor {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => tensor,)*
                }
            }

            /// Replaces a tensor of a model.
            pub(crate) fn assign_to(&self, tensor: &mut dyn AnyTensor) -> Result<(), AssignError> {
                match self {
                    $($(#[$cfg])* Self::$T(value) => tensor.assign(value.clone()),)*
                }
            }

            /// The only element.
            pub(crate) fn number(&self) -> Result<Self, ShapeError> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => Ok(Self::$T(tensor.reshape(&[])?)),)*
                }
            }

            /// With the last two axes swapped, copied.
            pub(crate) fn transposed(&self) -> Result<Self, ShapeError> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => {
                        Ok(Self::$T(tensor.transpose()?.contiguous()))
                    })*
                }
            }

            /// With axis 0 split into `[outer, inner, n]`, of which the first two are swapped, and merged again.
            pub(crate) fn regrouped(&self, [outer, inner]: [usize; 2]) -> Result<Self, ShapeError> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => {
                        let split = tensor.reshape(&[outer, inner, tensor.len() / (outer * inner)])?;
                        Ok(Self::$T(split.swap_axes(0, 1)?.reshape(tensor.sizes())?))
                    })*
                }
            }

            /// A range along an axis, copied.
            pub(crate) fn part(&self, axis: usize, range: Range<usize>) -> Result<Self, ShapeError> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => {
                        Ok(Self::$T(tensor.slice_axis(axis as isize, range)?.contiguous()))
                    })*
                }
            }

            /// Tensors of one element type, concatenated along an axis.
            pub(crate) fn joined(values: &[Self], axis: usize) -> Result<Self, ShapeError> {
                match &values[0] {
                    $($(#[$cfg])* Self::$T(_) => {
                        let tensors = values.iter().map(|value| {
                            value.as_any().downcast_ref::<DynTensor<$T>>()
                                .expect("one element type, as was checked")
                        });
                        Ok(Self::$T(DynTensor::concat_all(tensors, axis as isize)?))
                    })*
                }
            }
        }
    };
}

for_each_element!(values);

/// The class of an element type, within which elements are converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Float,
    Integer,
}

macro_rules! conversions {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        fn class_of(element: &str) -> Option<Class> {
            match element {
                $($(#[$cfg])* stringify!($T) => conversions!(@class $class),)*
                _ => None,
            }
        }

        impl Value {
            /// With elements of another float type, rounded to the nearest, or of another integer type.
            ///
            /// # Errors
            ///
            /// The first integer that the type does not have.
            pub(crate) fn converted(&self, to: &str) -> Result<Self, i128> {
                match self {
                    $($(#[$cfg])* Self::$T(tensor) => conversions!(@from $class tensor to),)*
                }
            }
        }
    };
    (@class float) => { Some(Class::Float) };
    (@class half) => { Some(Class::Float) };
    (@class boolean) => { None };
    (@class $integer:ident) => { Some(Class::Integer) };
    (@from float $tensor:ident $to:ident) => {
        Ok(match $to {
            "f64" => Self::f64($tensor.cast()),
            #[cfg(feature = "half")]
            "f16" => Self::f16($tensor.cast()),
            #[cfg(feature = "half")]
            "bf16" => Self::bf16($tensor.cast()),
            _ => Self::f32($tensor.cast()),
        })
    };
    (@from half $tensor:ident $to:ident) => { conversions!(@from float $tensor $to) };
    (@from boolean $tensor:ident $to:ident) => {
        unreachable!("a bool is not converted: {:?} to {}", $tensor.sizes(), $to)
    };
    (@from $integer:ident $tensor:ident $to:ident) => {{
        let numbers = $tensor.to_vec();
        let sizes = $tensor.sizes();
        match $to {
            "i8" => integers(sizes, numbers).map(Self::i8),
            "i16" => integers(sizes, numbers).map(Self::i16),
            "i32" => integers(sizes, numbers).map(Self::i32),
            "u8" => integers(sizes, numbers).map(Self::u8),
            "u16" => integers(sizes, numbers).map(Self::u16),
            "u32" => integers(sizes, numbers).map(Self::u32),
            "u64" => integers(sizes, numbers).map(Self::u64),
            _ => integers(sizes, numbers).map(Self::i64),
        }
    }};
}

for_each_element!(conversions);

/// Integers as another type; the first that it does not have is the error.
fn integers<T, U>(sizes: &[usize], numbers: Vec<T>) -> Result<DynTensor<U>, i128>
where
    T: Copy + Into<i128>,
    U: TryFrom<i128> + tensor_kernels::element::Element,
{
    let converted =
        numbers.into_iter().map(|number| U::try_from(number.into()).map_err(|_| number.into()));
    Ok(DynTensor::from_row_major(sizes, converted.collect::<Result<_, i128>>()?))
}

/// Whether elements are converted from one type to another: between floats, and between integers.
pub(crate) fn converts(from: &str, to: &str) -> bool {
    class_of(from).is_some() && class_of(from) == class_of(to)
}
