//! The new shape is a type. The line that defines the method shows the call.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.reshape::<shape![2, 3]>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let tokens = Tensor::<shape![4096]>::zeros();
    let batches = tokens.reshape(shape![2, 2048]);
    println!("{batches}");
}
