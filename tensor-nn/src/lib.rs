//! Layers, losses, optimisers and data for neural networks whose shapes are types.
//!
//! | for | see |
//! | --- | --- |
//! | layers and activations | [`layers`] |
//! | models that are generic over sizes and leading axes | [`guide::generic_models`] |
//! | what a message of the compiler means, by its code | [`guide::errors`] |
//! | losses | [`losses`] |
//! | optimisers, clipping, schedules of the learning rate | [`optim`] |
//! | batches, shuffled and prefetched | [`data`] |
//!
//! A program depends on this crate and on `tensor-core`, or on this crate alone: `tensor_core` is in it,
//! and its macros find it there.
//!
//! # Features
//!
//! | feature | what |
//! | --- | --- |
//! | `safetensors` (default) | models and states of optimisers in `.safetensors` files |
//! | `half` | the element types `f16` and `bf16` |

pub mod layers;

pub mod losses;

pub mod optim;

pub mod data;

pub mod guide;

mod numbers;

pub use tensor_core;
pub use tensor_core::Module;
