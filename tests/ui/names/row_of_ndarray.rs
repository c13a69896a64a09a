//! A row as in ndarray and nalgebra.
//!
//! The compiler says: "ndarray's `row` is `x.index::<0>(3)`"

use tensor_core::{Tensor, shape};

fn main() {
    let table = Tensor::<shape![50257, 768]>::zeros();
    let words = [464, 3290];
    for word in words {
        println!("{}", table.row(word).norm());
    }
}
