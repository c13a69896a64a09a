//! Models and files of tensors.

mod checkpoint;
mod module;
mod npy;
mod open;
#[allow(dead_code, reason = "a module of `tensor-core`, for its unit tests")]
#[path = "../../../../tensor-core/src/module/weight_map/pattern.rs"]
mod pattern;
mod pytorch_files;
mod saved_files;
mod weight_map;
mod weights;
