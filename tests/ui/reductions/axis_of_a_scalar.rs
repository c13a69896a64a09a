//! A single number has no axis.
//!
//! The compiler says: "the method `max_axis` exists for struct `Tensor<()>`, but its trait bounds were not satisfied"
//! And: "`(): HasAxis<_>`"

use tensor_core::Tensor;

fn main() {
    let x: Tensor<()> = Tensor::scalar(1.0);
    let _ = x.max_axis::<-1>();
}
