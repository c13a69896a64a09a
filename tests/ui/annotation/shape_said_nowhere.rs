//! The number of zeros is not given anywhere.
//!
//! The compiler says: "type annotations needed"
//! Lines: 16, as the compiler lists implementations

use tensor_core::Tensor;

fn main() {
    let x = Tensor::zeros();
    println!("{}", x + 1.0);
}
