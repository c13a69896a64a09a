//! How many zeros? Nothing here says it.
//!
//! The compiler says: "type annotations needed"

use tensor_core::Tensor;

fn main() {
    let x = Tensor::zeros();
    println!("{}", x + 1.0);
}
