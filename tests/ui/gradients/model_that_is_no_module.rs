//! A gradient with respect to a struct without `derive(Module)`.
//!
//! The compiler says: "`Line` is not a module"
//! And: "#[derive(Module)]"
//! Lines: 14, as rustc shows the call.

use tensor_core::autograd::value_and_grad;
use tensor_core::{Tensor, shape, tensor};

#[derive(Clone)]
struct Line {
    slope: Tensor<shape![1]>,
    height: Tensor<shape![]>,
}

fn main() {
    let line = Line { slope: Tensor::zeros(), height: Tensor::zeros() };
    let (x, y) = (tensor![[0.0], [1.0], [2.0]], tensor![1.0, 3.0, 5.0]);
    let (loss, _) = value_and_grad(&line, |line| {
        (x.dot(&line.slope) + &line.height - &y).square().mean()
    });
    println!("{loss}");
}
