//! As in PyTorch, with the axis in parentheses.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.softmax::<-1>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let logits = Tensor::<shape![32, 50257]>::zeros();
    let probabilities: Tensor<shape![32, 50257]> = logits.softmax(-1);
    println!("{}", probabilities.len());
}
