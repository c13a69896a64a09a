//! Whether two shapes can be multiplied depends on their last axes, which `L` and `R` hide.
//!
//! The compiler says: "cannot multiply shape `L` by shape `R`"
//! And: "in generic code, name the last two axes of both sides"

use tensor_core::{Shape, Tensor};

fn product<L: Shape, R: Shape>(a: &Tensor<L>, b: &Tensor<R>) {
    let _ = a.matmul(b);
}

fn main() {}
