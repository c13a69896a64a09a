//! Training: `grad` calls a function of the parameters, which computes the loss, and gives the
//! gradient of that loss. A step against the gradient makes the loss smaller.
//!
//! The parameter here is one number, the slope of a line through the points (1, 2) and (2, 4).

use tensor_core::autograd::grad;
use tensor_core::tensor;

fn main() {
    let (x, y) = (tensor![1.0_f32, 2.0], tensor![2.0, 4.0]);
    let mut slope = tensor![0.0];

    for _ in 0..50 {
        let gradient = grad(&slope, |slope| {
            let error = &x * slope - &y;
            error.square().mean().item()
        });
        slope -= gradient * 0.1;
    }

    assert!((slope.sum().item() - 2.0).abs() < 0.001, "{slope}");
}
