//! A single number has no axis.
//!
//! The compiler says: "axis -1 is out of range for shape `()`"

use tensor_core::Tensor;

fn main() {
    let x: Tensor<()> = Tensor::scalar(1.0);
    let _ = x.max_axis::<-1>();
}
