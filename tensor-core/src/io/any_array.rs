//! Arrays that were read from a file, of any element type.

use core::ops::Range;

use tensor_files::Record;

use super::record;
use super::{Problem, ReadError};
use crate::shape::error::ShapeError;
use crate::tensor::DynTensor;
use tensor_array::array::history::AnyArray;
use tensor_kernels::element::Element;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

macro_rules! readers {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// Reads a tensor of a file with its own element type.
        pub(crate) fn read(found: &Record) -> Result<AnyArray, ReadError> {
            match &found.element[..] {
                $($(#[$cfg])* stringify!($T) => Ok(AnyArray::new(record::read::<$T>(found)?)),)*
                _ => Err(Problem::UnknownElement { found: found.element.clone() }.into()),
            }
        }
    };
}

for_each_element!(readers);

/// Returns the array that an expression computes of an array, as the `DynTensor` of its element type.
macro_rules! of_its_type {
    (
        ($array:expr, $tensor:ident => $result:expr)
        $($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*
    ) => {{
        $(
            $(#[$cfg])*
            if let Some($tensor) = $array.get::<DynTensor<$T>>() {
                return Ok(AnyArray::new($result));
            }
        )*
        unreachable!("elements of type {}", $array.element().name)
    }};
}

/// The only element.
pub(crate) fn number(array: &AnyArray) -> Result<AnyArray, ShapeError> {
    for_each_element!(of_its_type (array, tensor => tensor.reshape(&[])?))
}

/// The array with the last two axes swapped, copied.
pub(crate) fn transposed(array: &AnyArray) -> Result<AnyArray, ShapeError> {
    for_each_element!(of_its_type (array, tensor => tensor.transpose()?.contiguous()))
}

/// The array with axis 0 split into `[outer, inner, n]`, of which the first two are swapped, and merged again.
pub(crate) fn regrouped(
    array: &AnyArray,
    [outer, inner]: [usize; 2],
) -> Result<AnyArray, ShapeError> {
    for_each_element!(of_its_type (array, tensor => {
        let split = tensor.reshape(&[outer, inner, tensor.len() / (outer * inner)])?;
        split.swap_axes(0, 1)?.reshape(tensor.sizes())?
    }))
}

/// A range along an axis, copied.
pub(crate) fn part(
    array: &AnyArray,
    axis: usize,
    range: Range<usize>,
) -> Result<AnyArray, ShapeError> {
    for_each_element!(of_its_type (array, tensor => {
        tensor.slice_axis(axis as isize, range)?.contiguous()
    }))
}

/// Arrays of one element type, concatenated along an axis.
pub(crate) fn joined(arrays: &[AnyArray], axis: usize) -> Result<AnyArray, ShapeError> {
    fn concatenated<T: Element>(
        _: &DynTensor<T>,
        arrays: &[AnyArray],
        axis: usize,
    ) -> Result<DynTensor<T>, ShapeError> {
        let tensors =
            arrays.iter().map(|array| array.get().expect("one element type, as was checked"));
        DynTensor::concat_all(tensors, axis as isize)
    }
    for_each_element!(of_its_type (arrays[0], first => concatenated(first, arrays, axis)?))
}

/// Whether two arrays have the same element type, sizes and bits.
pub(crate) fn is_same(a: &AnyArray, b: &AnyArray) -> bool {
    (a.element(), a.sizes()) == (b.element(), b.sizes()) && a.to_le_bytes() == b.to_le_bytes()
}

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

        /// The array with elements of another float type, rounded to the nearest, or of another integer type.
        ///
        /// # Errors
        ///
        /// The first integer that the type does not have.
        pub(crate) fn converted(array: &AnyArray, to: &str) -> Result<AnyArray, i128> {
            $($(#[$cfg])* conversions!(@if $class $T array to);)*
            unreachable!("elements of type {} are not converted", array.element().name)
        }
    };
    (@class float) => { Some(Class::Float) };
    (@class half) => { Some(Class::Float) };
    (@class boolean) => { None };
    (@class $integer:ident) => { Some(Class::Integer) };
    (@if boolean $($rest:tt)*) => {};
    (@if $class:ident $T:ident $array:ident $to:ident) => {
        if let Some(tensor) = $array.get::<DynTensor<$T>>() {
            return conversions!(@from $class tensor $to);
        }
    };
    (@from float $tensor:ident $to:ident) => {
        Ok(match $to {
            "f64" => AnyArray::new($tensor.cast::<f64>()),
            #[cfg(feature = "half")]
            "f16" => AnyArray::new($tensor.cast::<f16>()),
            #[cfg(feature = "half")]
            "bf16" => AnyArray::new($tensor.cast::<bf16>()),
            _ => AnyArray::new($tensor.cast::<f32>()),
        })
    };
    (@from half $tensor:ident $to:ident) => { conversions!(@from float $tensor $to) };
    (@from $integer:ident $tensor:ident $to:ident) => {{
        let numbers = $tensor.to_vec();
        let sizes = $tensor.sizes();
        match $to {
            "i8" => integers::<_, i8>(sizes, numbers).map(AnyArray::new),
            "i16" => integers::<_, i16>(sizes, numbers).map(AnyArray::new),
            "i32" => integers::<_, i32>(sizes, numbers).map(AnyArray::new),
            "u8" => integers::<_, u8>(sizes, numbers).map(AnyArray::new),
            "u16" => integers::<_, u16>(sizes, numbers).map(AnyArray::new),
            "u32" => integers::<_, u32>(sizes, numbers).map(AnyArray::new),
            "u64" => integers::<_, u64>(sizes, numbers).map(AnyArray::new),
            _ => integers::<_, i64>(sizes, numbers).map(AnyArray::new),
        }
    }};
}

for_each_element!(conversions);

/// Integers as another type; the first that it does not have is the error.
fn integers<T, U>(sizes: &[usize], numbers: Vec<T>) -> Result<DynTensor<U>, i128>
where
    T: Copy + Into<i128>,
    U: TryFrom<i128> + Element,
{
    let converted =
        numbers.into_iter().map(|number| U::try_from(number.into()).map_err(|_| number.into()));
    Ok(DynTensor::from_row_major(sizes, converted.collect::<Result<_, i128>>()?))
}

/// Whether elements are converted from one type to another: between floats, and between integers.
pub(crate) fn converts(from: &str, to: &str) -> bool {
    class_of(from).is_some() && class_of(from) == class_of(to)
}
