//! Serialization with `serde`: `{"shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]}`, in row-major order.
//!
//! In human-readable formats a float is a number, or `"NaN"`, `"inf"` or `"-inf"` if it is not finite; in
//! other formats it is serialized by its own type: `f16` and `bf16` as their bits.
//!
//! The field names are a part of the format: they do not change.

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::tensor::{DynTensor, IntoTensor, Tensor};

/// `{"shape": […], "data": […]}`, in row-major order.
impl<S: Shape, T: Element + Serialize> Serialize for Tensor<S, T> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.erased().serialize(serializer)
    }
}

/// Reads what [`Serialize`] writes, if it has this shape. Named axes take their size from the data.
impl<'de, S: Shape, T: Element + Deserialize<'de>> Deserialize<'de> for Tensor<S, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DynTensor::deserialize(deserializer)?.into_tensor().map_err(de::Error::custom)
    }
}
