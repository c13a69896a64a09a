//! A gradient of one row, added to the weights in place where no side may stretch.
//!
//! The compiler says: "a side would stretch: shape `(((), Dim<784>), Dim<10>)` is not shape `((), Dim<10>)`"
//! And: "[T107]"

use tensor_core::{Tensor, shape, strict};

#[strict(same)]
fn step(weights: &mut [Tensor<shape![784, 10]>], gradient: &Tensor<shape![10]>) {
    weights[0] -= gradient * 0.1;
}

fn main() {
    step(&mut [], &Tensor::ones());
}
