//! A scaled loss from which the number was taken out: it has no gradient.
//!
//! The compiler says: "`f32` is not a loss"
//! And: "leave `.item()` out"

use tensor_core::precision::{autocast, f16};
use tensor_core::{Tensor, shape};
use tensor_nn::optim::LossScale;

fn main() {
    let (weights, x) = (Tensor::<shape![64]>::ones(), Tensor::<shape![32, 64]>::ones());
    let scale = LossScale::default();
    let (_, gradient) = autocast::<f16, _>(|| {
        scale.value_and_grad(&weights, |weights| x.dot(weights).square().mean().item())
    });
    println!("{gradient}");
}
