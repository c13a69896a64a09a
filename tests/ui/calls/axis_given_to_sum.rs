//! `sum` is the sum of all elements; the one along an axis has another name.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.sum(), // along an axis: x.sum_axis::<0>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let counts = Tensor::<shape![2048, 4096]>::ones();
    println!("{}", counts.sum(0));
}
