//! The mean of answers, which is used as a number further on.
//!
//! The compiler says: "elements of type `bool` are not floating-point numbers"

use tensor_core::{Tensor, shape};

struct Metrics {
    accuracy: f32,
    loss: f32,
}

fn evaluate(p: &Tensor<shape![4096]>, y: &Tensor<shape![4096]>) -> Metrics {
    let right = p.greater(0.5).equal(&y.greater(0.5));
    let accuracy = right.mean().item();
    let loss = -(y * p.ln() + (1.0 - y) * (1.0 - p).ln()).mean();
    Metrics { accuracy, loss: loss.item() }
}

fn main() {
    let p = Tensor::full(0.7);
    let y = Tensor::ones();
    let m = evaluate(&p, &y);
    println!("{} {}", m.accuracy, m.loss);
}
