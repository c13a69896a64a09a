//! Conversions of a [`DynTensor`](crate::DynTensor) from and to the types of other crates, each behind the feature
//! of the crate's name.

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "nalgebra")]
pub(crate) mod nalgebra;
#[cfg(feature = "ndarray")]
pub(crate) mod ndarray;
#[cfg(feature = "serde")]
mod serde;
