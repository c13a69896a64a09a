//! What functions ask of elements, under other names, so that messages are about the call alone: see
//! [`tensor_core::bounds`]. In generic code, write [`Integer`] and [`Float`].

use tensor_core::Float;
use tensor_core::element::Integer;

/// An element type of indices and classes: [`Integer`].
#[cfg_attr(doc, doc(hidden))]
pub trait IndexElement: Integer {}

impl<T: Integer> IndexElement for T {}

/// An element type of losses: [`Float`].
#[cfg_attr(doc, doc(hidden))]
pub trait LossElement: Float {}

impl<T: Float> LossElement for T {}
