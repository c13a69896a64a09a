//! Conversions of a [`DynTensor`](crate::DynTensor) from and to the types of other crates, each behind the feature
//! of the crate's name.

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "nalgebra")]
pub mod nalgebra;
#[cfg(feature = "ndarray")]
pub mod ndarray;
#[cfg(feature = "serde")]
mod serde;
