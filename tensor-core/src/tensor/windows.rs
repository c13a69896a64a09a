//! Operations on windows: convolution, pooling, resizing of images, and the normalisations used with
//! them. [`windows`](crate::windows) has the shape types, this module the calls.

// rustdoc shows the methods in this order.
mod convolution;
mod normalization;
mod pooling;
mod three;
