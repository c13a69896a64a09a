//! A block of a model widens from 1024 to 4096 and back to 2048, and promises 1024.
//!
//! The compiler says: "mismatched types"
//! And: "expected `1024`, found `2048`"
//! And: "found struct `Tensor<(Lead, Dim<2048>)>`"

use tensor_core::{Shape, Tensor, shape};

struct Block {
    widen: Tensor<shape![1024, 4096]>,
    narrow: Tensor<shape![4096, 2048]>,
}

impl Block {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., 1024]>) -> Tensor<shape![Lead.., 1024]> {
        let wide = x.dot(&self.widen).maximum(0.0);
        wide.dot(&self.narrow)
    }
}

fn main() {}
