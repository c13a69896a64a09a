#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod layers;

pub mod losses;

pub mod optim;

pub mod data;

pub mod sampling;

pub mod audio;

pub mod guide;

mod numbers;

pub use tensor_core;
pub use tensor_core::Module;
