//! A number of copies instead of a list of them.
//!
//! The compiler says: "x.tile::<shape![2, 2]>()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = x.tile(2);
}
