//! A field for positions up to 2048 is given one for 4096.
//!
//! The compiler says: "mismatched types"
//! And: "expected `2048`, found `4096`"

use tensor_core::{Tensor, shape};

struct Embedding {
    positions: Tensor<shape![2048, 768]>,
}

fn main() {
    let embedding = Embedding { positions: Tensor::<shape![4096, 768]>::zeros() };
    println!("{}", embedding.positions.len());
}
