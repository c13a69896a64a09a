//! Operations on windows: convolution, pooling, other sizes of images, and the normalisations that go
//! with them. [`windows`](crate::windows) has the types, this module the calls.

// rustdoc shows the methods in this order.
mod convolution;
mod normalization;
mod pooling;
mod three;
