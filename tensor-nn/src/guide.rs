//! The guide: layers, training, models that are generic over their sizes, and the messages about layers.
//!
//! | chapter | for |
//! | --- | --- |
//! | [`layers`] | networks of layers, and layers of your own |
//! | [`training`] | a training step, and its parts in PyTorch |
//! | [`generic_models`] | layers and models that are generic over sizes and leading axes: which bounds to write |
//! | [`errors`] | an error: every message about layers, its reason, and a program that works |

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/layers.md")]
pub mod layers {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/training.md")]
pub mod training {}

#[doc = include_str!("../guide/generic_models.md")]
pub mod generic_models {}

#[doc = include_str!("../guide/errors.md")]
pub mod errors {}
