//! Operations on windows: convolution, pooling, interpolation.

mod convolution;
mod interpolate;
mod mirrored;
mod pooling;
mod random;
#[path = "../random_views/mod.rs"]
mod random_views;
