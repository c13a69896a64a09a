//! The same in generic code.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.mean_axis_keepdims::<0>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Axis, Shape, Tensor, shape};

fn centred<Lead: Shape, D: Axis>(x: &Tensor<shape![Lead.., D]>) -> Tensor<shape![Lead.., D]> {
    x - x.mean_axis_keepdims(-1)
}

fn main() {}
