//! Pixels of any floats are brought into the range from 0 to 1, by literals: the first one is the error.
//!
//! The compiler says: "`{float}` is not an operand with elements of type `T`"
//! And: "in generic code a number is `T::from_f64(0.5)`"

use tensor_core::{Axis, Float, Tensor, shape};

fn brightened<B: Axis, C: Axis, H: Axis, W: Axis, T: Float>(
    images: &Tensor<shape![B, C, H, W], T>,
    by: T,
) -> Tensor<shape![B, C, H, W], T> {
    (images * by).clamp(0.0, 1.0)
}

fn main() {}
