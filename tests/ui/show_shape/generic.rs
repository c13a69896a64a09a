//! A shape in generic code, by a reference.
//!
//! The compiler says: "this tensor has shape `(Lead, One)` and elements of type `f64`"

use tensor_core::{Axis, Shape, Tensor, show_shape};

fn spread<Lead: Shape, A: Axis>(x: &Tensor<(Lead, A), f64>) -> Tensor<(Lead, A), f64> {
    let mean = &x.mean_axis_keepdims::<-1>();
    x - show_shape!(mean)
}

fn main() {
    spread(&Tensor::ones_shaped(((), tensor_core::dim!(3))));
}
