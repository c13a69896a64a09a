//! Views, and tensors of parts of others.

mod dynamic_views;
mod gather;
mod index;
mod joining;
#[path = "../random_views/mod.rs"]
mod random_views;
mod rearrange;
mod run_time_axes;
mod slicing;
mod views;
