//! A loss whose target has lost an axis: each prediction meets each target.
//!
//! The compiler says: "both sides would stretch: shape `(((), Dim<4>), One)` and shape `((), Dim<4>)` give `(((), Dim<4>), Dim<4>)`"
//! And: "in strict code one side may stretch, not both"
//! And: "`squeeze` takes an axis of `One` away"
//! And: "write `relaxed!(a + b)` [T106]"

use tensor_core::{Tensor, shape, strict};

#[strict]
fn loss(prediction: &Tensor<shape![4, 1]>, target: &Tensor<shape![4]>) -> f32 {
    let error = prediction - target;
    (&error * &error).mean().item()
}

fn main() {
    loss(&Tensor::ones(), &Tensor::ones());
}
