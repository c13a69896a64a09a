//! `all` gives a tensor of rank 0, as every reduction.
//!
//! The compiler says: "expected `bool`, found `Tensor<(), bool>`"
//! And: ".all().into()"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![64, 1024]>::ones();
    if x.greater(0.0).all() {
        println!("positive");
    }
}
