//! A field for 50,257 words is given 4096: the note has the whole sizes, the label the first part of
//! the larger one.
//!
//! The compiler says: "mismatched types"
//! And: "expected `50000`, found `4096`"
//! And: "expected struct `Tensor<(((), Dim<1024>), Dim<50000, 257>)>`"

use tensor_core::{Tensor, shape};

struct Head {
    weight: Tensor<shape![1024, 50257]>,
}

fn main() {
    let weight = Tensor::<shape![1024, 4096]>::zeros();
    let head = Head { weight };
    println!("{}", head.weight.len());
}
