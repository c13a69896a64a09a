//! Models and files of tensors.

mod checkpoint;
mod module;
mod npy;
mod open;
mod pytorch_files;
mod saved_files;
mod weight_map;
