//! The guide: models that are generic over their sizes, and the messages about layers.
//!
//! | chapter | for |
//! | --- | --- |
//! | [`generic_models`] | layers and models that are generic over sizes and leading axes: which bounds to write |
//! | [`errors`] | an error: every message about layers, its reason, and a program that works |

#[doc = include_str!("../guide/generic_models.md")]
pub mod generic_models {}

#[doc = include_str!("../guide/errors.md")]
pub mod errors {}
