//! A function wants rows of 1536, and gets rows of 1024.
//!
//! The compiler says: "mismatched types"
//! And: "expected `1536`, found `1024`"
//! And: "expected reference `&Tensor<(((), Dim<1024>), Dim<1536>)>`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Tensor, shape};

fn project(weight: &Tensor<shape![1024, 1536]>) -> f32 {
    weight.sum().item()
}

fn main() {
    let weight = Tensor::<shape![1024, 1024]>::ones();
    println!("{}", project(&weight));
}
