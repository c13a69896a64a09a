//! Positions are added to what is at each place, in a function that leaves the axis of places out.
//!
//! The compiler says: "cannot broadcast shape `Lead` with shape `((), Time)`"

use tensor_core::{Axis, Shape, Tensor, shape};

fn with_positions<Lead: Shape, Time: Axis, D: Axis>(
    x: &Tensor<shape![Lead.., D]>,
    positions: &Tensor<shape![Time, D]>,
) -> Tensor<shape![Lead.., Time, D]> {
    x + positions
}

fn main() {}
