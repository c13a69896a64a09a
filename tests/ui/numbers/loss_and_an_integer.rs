//! A loss of floats with an integer literal: `1.0` is meant.
//!
//! The compiler says: "`<` and `>` compare two numbers of one type, not shape `()` of `f32` with `{integer}`"

use tensor_core::{Tensor, shape};

fn main() {
    let loss = Tensor::<shape![4096]>::ones().mean();
    if loss < 1 {
        println!("done");
    }
}
