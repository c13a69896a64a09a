//! Shapes, and what tensors are made of and converted to.

mod construct;
mod conversions;
mod display;
mod generic_layers;
mod interop;
mod one_name_one_size;
mod sizes;
