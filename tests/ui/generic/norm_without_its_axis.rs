//! The mean of the squares has lost its axis, and nothing is known of what is in front of it.
//!
//! The compiler says: "cannot broadcast shape `(Lead, O)` with shape `Lead`"
//! And: "where an axis was lost on the way, keep it, as `mean_axis_keepdims` does"
//! Lines: 16, as rustc proposes the bound for the function, and for its type.

use tensor_core::{Axis, Shape, Tensor, shape};

struct Projection<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
}

impl<I: Axis, O: Axis> Projection<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        let y = x.dot(&self.weight);
        let norm = y.square().mean_axis::<-1>();
        y / (norm + 1e-6).sqrt()
    }
}

fn main() {}
