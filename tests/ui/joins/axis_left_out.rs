//! `concat` without its axis: one mistake, and not one for each bound that depends on it.
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `concat`"
//! Errors: 2, as the compiler says it of the result and of the parameter
//! Lines: 27, as it shows the line of the definition for the second

use tensor_core::{Tensor, shape};

fn with_context(
    words: &Tensor<shape![32, 768]>,
    context: &Tensor<shape![32, 256]>,
) -> Tensor<shape![32, 1024]> {
    words.concat(context)
}

fn main() {
    println!("{}", with_context(&Tensor::ones(), &Tensor::ones()));
}
