//! How many zeros? Nothing here says it.
//!
//! The compiler says: "type annotations needed"
//! Lines: 21, because the compiler also shows the bound of the type, and proposes a type.

use tensor_core::Tensor;

fn main() {
    let x = Tensor::zeros();
    println!("{}", x + 1.0);
}
