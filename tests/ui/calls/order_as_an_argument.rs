//! The order of the axes decides the shape, so it is a type.
//!
//! The compiler says: "this method takes 0 arguments but 1 argument was supplied"
//! And: "x.permute::<axes![1, 0]>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let image = Tensor::<shape![224, 224, 3]>::zeros();
    let channels_first = image.permute([2, 0, 1]);
    println!("{channels_first}");
}
