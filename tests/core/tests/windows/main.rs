//! Operations on windows: convolution, pooling, interpolation.

mod convolution;
mod interpolate;
mod mirrored;
mod pooling;
mod random;
