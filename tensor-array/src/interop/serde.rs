//! Serialization with `serde`: `{"shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]}`, in row-major order.
//!
//! In human-readable formats a float is a number, or `"NaN"`, `"inf"` or `"-inf"` if it is not finite; in
//! other formats it is serialized by its own type: `f16` and `bf16` as their bits.
//!
//! The field names are a part of the format: they do not change.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use tensor_kernels::element::Element;

use crate::array::dynamic::DynTensor;

mod number;

const NAME: &str = "Tensor";
const SHAPE: &str = "shape";
const DATA: &str = "data";
const FIELDS: [&str; 2] = [SHAPE, DATA];

/// The elements in row-major order, without a copy.
struct ElementSequence<'a, T: Element>(&'a DynTensor<T>);

impl<T: Element + Serialize> Serialize for ElementSequence<'_, T> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_seq(self.0.iter().map(number::Readable))
    }
}

/// `{"shape": […], "data": […]}`, in row-major order.
impl<T: Element + Serialize> Serialize for DynTensor<T> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut fields = serializer.serialize_struct(NAME, FIELDS.len())?;
        fields.serialize_field(SHAPE, self.sizes())?;
        fields.serialize_field(DATA, &ElementSequence(self))?;
        fields.end()
    }
}

/// Reads what [`Serialize`] writes; an error if the number of elements does not match the shape.
impl<'de, T: Element + Deserialize<'de>> Deserialize<'de> for DynTensor<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(NAME, &FIELDS, Fields(PhantomData))
    }
}

/// Reads both fields, in any order, or in sequence if the format has no names.
struct Fields<T>(PhantomData<T>);

impl<'de, T: Element + Deserialize<'de>> Visitor<'de> for Fields<T> {
    type Value = DynTensor<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tensor, with `shape` and `data`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let shape = fields.next_element()?.ok_or_else(|| de::Error::missing_field(SHAPE))?;
        let data = fields.next_element()?.ok_or_else(|| de::Error::missing_field(DATA))?;
        tensor(shape, data)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut shape, mut data) = (None, None);
        while let Some(Field(index)) = fields.next_key()? {
            let is_second = if index == 0 { shape.is_some() } else { data.is_some() };
            if is_second {
                return Err(de::Error::duplicate_field(FIELDS[index]));
            }
            if index == 0 {
                shape = Some(fields.next_value()?);
            } else {
                data = Some(fields.next_value::<Vec<number::Readable<T>>>()?);
            }
        }
        let shape = shape.ok_or_else(|| de::Error::missing_field(SHAPE))?;
        let data = data.ok_or_else(|| de::Error::missing_field(DATA))?;
        tensor(shape, data)
    }
}

/// The tensor of the fields that were read.
fn tensor<T: Element, E: de::Error>(
    shape: Vec<usize>,
    data: Vec<number::Readable<T>>,
) -> Result<DynTensor<T>, E> {
    // No copy: the wrapper is transparent, and `collect` works in place.
    let data = data.into_iter().map(|number::Readable(element)| element).collect();
    DynTensor::from_vec(&shape, data).map_err(E::custom)
}

/// The index of a field among [`FIELDS`].
struct Field(usize);

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldVisitor;

        impl Visitor<'_> for FieldVisitor {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`shape` or `data`")
            }

            fn visit_u64<E: de::Error>(self, index: u64) -> Result<Field, E> {
                match index {
                    0 => Ok(Field(0)),
                    1 => Ok(Field(1)),
                    _ => Err(E::invalid_value(de::Unexpected::Unsigned(index), &self)),
                }
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
                let index = FIELDS.iter().position(|field| *field == name);
                index.map(Field).ok_or_else(|| E::unknown_field(name, &FIELDS))
            }
        }

        deserializer.deserialize_identifier(FieldVisitor)
    }
}
