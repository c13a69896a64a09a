//! Axis and sizes in parentheses.
//!
//! The compiler says: "this method takes 0 arguments but 2 arguments were supplied"
//! And: "x.unflatten::<0, shape![2, 3]>()"
//! Lines: 18, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let hidden = Tensor::<shape![32, 768]>::zeros();
    let heads = hidden.unflatten(-1, shape![12, 64]);
    println!("{heads}");
}
