//! Gradients.

mod autograd;
mod autograd_edges;
mod autograd_fuse;
mod autograd_windows;
#[path = "../random_views/mod.rs"]
mod random_views;
