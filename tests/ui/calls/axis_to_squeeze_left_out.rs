//! NumPy's `squeeze` removes every axis of size 1; here one is named.
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `squeeze`"
//! And: "column.squeeze::<AXIS>()"

use tensor_core::{Tensor, shape};

fn main() {
    let column = Tensor::<shape![1024, 1]>::ones();
    println!("{}", column.squeeze());
}
