//! NumPy's `squeeze` removes every axis of size 1; here one is named.
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `squeeze`"
//! And: "x.squeeze::<0>()"
//! Errors: 2, as the compiler says it of the result and of the parameter
//! Lines: 27, as it shows the line of the definition for the second

use tensor_core::{Tensor, shape};

fn main() {
    let column = Tensor::<shape![1024, 1]>::ones();
    println!("{}", column.squeeze());
}
