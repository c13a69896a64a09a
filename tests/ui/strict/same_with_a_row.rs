//! A row that would stretch over a table, where no side may stretch.
//!
//! The compiler says: "a side would stretch: shape `(((), Dim<2>), Dim<3>)` is not shape `((), Dim<3>)`"
//! And: "in `strict(same)` code no side may stretch"
//! And: "[T107]"

use tensor_core::{Tensor, shape, strict};

#[strict(same)]
mod losses {
    use super::*;

    pub fn error(x: &Tensor<shape![2, 3]>, target: &Tensor<shape![3]>) -> Tensor<shape![2, 3]> {
        2.0 * x - target
    }
}

fn main() {
    losses::error(&Tensor::ones(), &Tensor::ones());
}
