//! Operations on windows: convolution, pooling, interpolation.

mod convolution;
mod interpolate;
mod pooling;
mod random;
