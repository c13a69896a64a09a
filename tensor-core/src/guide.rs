#![doc = include_str!("../guide/pictures/references.md")]
#![doc = include_str!("../guide/start.md")]
//!
//! # Chapters
//!
//! | chapter | for |
//! | --- | --- |
//! | [`shapes`] | what a shape is, how messages print it, and names of axes |
//! | [`broadcasting`] | learning the rule, and the shapes that bias, means and masks need |
//! | [`mistakes`] | how to read a message, and the usual corrections |
//! | [`strict`] | code in which shapes must not stretch by accident |
//! | [`slicing`] | parts of tensors: NumPy's brackets, minibatches, iteration |
//! | [`run_time_axes`] | sizes that are known at run time: batches, files, `view(-1, 512)` |
//! | [`run_time_ones`] | why an axis stretches by its type and not by its size, and how to state it |
//! | [`indices`] | gather and scatter, sorting, boolean indexing |
//! | [`convolution`] | convolution and pooling, and how the sizes of their results are computed |
//! | [`checkpoints`] | models from files of Hugging Face, PyTorch and NumPy, and files for them |
//! | [`from_pytorch`] | a model of PyTorch as a Rust program, through ONNX |
//! | [`gradients`] | gradients of models and of tensors |
//! | [`speed`] | fast programs: one pass, threads, memory |
//! | [`programs`] | functions as data: traced, run, drawn, counted, compiled by XLA |
//! | [`precision`] | products in `bf16` or `f16`, everything else in `f32`; loss scaling |
//! | [`by_name`] | features by name, present or not: ONNX, FFT, decompositions, mixed precision, notebooks |
//! | [`coming_from`] | for users of NumPy, PyTorch or ndarray: the names of their functions here |
//! | [`neighbours`] | arrays, matrices, pictures and data of other crates |
//! | [`macros`] | long expressions, `#[no_implicit_prelude]`, a renamed dependency |
//! | [`operations`] | all operations, and their names in NumPy, PyTorch and StableHLO |
//! | [`testing_messages`] | how to test compile errors in a crate that depends on this one |
//! | [`failures`] | what only fails at run time: every panic and every `Err`, and how to avoid it |
//! | [`errors`] | every compile error: its message, its reason, and a program that works |

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/shapes.md")]
pub mod shapes {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/broadcasting.md")]
pub mod broadcasting {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/mistakes.md")]
pub mod mistakes {}

#[doc = include_str!("../guide/strict.md")]
pub mod strict {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/slicing.md")]
pub mod slicing {}

#[doc = include_str!("../guide/run_time_axes.md")]
pub mod run_time_axes {}

#[doc = include_str!("../guide/run_time_ones.md")]
pub mod run_time_ones {}

#[doc = include_str!("../guide/indices.md")]
pub mod indices {}

#[doc = include_str!("../guide/convolution.md")]
pub mod convolution {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/checkpoints.md")]
pub mod checkpoints {}

#[doc = include_str!("../guide/from_pytorch.md")]
pub mod from_pytorch {}

#[doc = include_str!("../guide/gradients.md")]
pub mod gradients {}

#[doc = include_str!("../guide/speed.md")]
pub mod speed {}

#[doc = include_str!("../guide/pictures/references.md")]
#[doc = include_str!("../guide/programs.md")]
pub mod programs {}

#[doc = include_str!("../guide/precision.md")]
pub mod precision {}

#[doc = include_str!("../guide/by_name.md")]
pub mod by_name {}

#[doc = include_str!("../guide/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("../guide/neighbours.md")]
pub mod neighbours {}

#[doc = include_str!("../guide/macros.md")]
pub mod macros {}

#[doc = include_str!("../guide/operations.md")]
pub mod operations {}

#[doc = include_str!("../guide/testing_messages.md")]
pub mod testing_messages {}

#[doc = include_str!("../guide/failures.md")]
pub mod failures {}

#[doc = include_str!("../guide/errors.md")]
pub mod errors {}
