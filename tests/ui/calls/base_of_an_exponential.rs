//! A function of one operand with an argument.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let logits = Tensor::<shape![64]>::linspace(0.0, 1.0);
    println!("{}", logits.exp(2.0));
}
