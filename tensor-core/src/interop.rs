//! Conversions from and to the types of other crates, each behind the feature of the crate's name.
//!
//! | feature | from | to |
//! | --- | --- | --- |
//! | `ndarray` | `DynTensor::from(array)`, `Tensor::try_from(array)`: without a copy | `x.as_ndarray()`: a view; `ArrayD::from(x)` |
//! | `nalgebra` | `DynTensor::from(matrix)`, `Tensor::try_from(matrix)`: without a copy | `x.as_nalgebra()`: a view; `DMatrix::try_from(x)` |
//! | `image` | `DynTensor::from(image)`, `Tensor::try_from(image)`: without a copy | `RgbImage::try_from(x)` |
//! | `serde` | `Deserialize` | `Serialize` |
//!
//! The guide has [a chapter](crate::guide::neighbours) with an example of each.

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "ndarray")]
pub use self::ndarray::NdarrayShape;
