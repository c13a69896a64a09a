//! What a wrong choice would have given is used in two more lines: one error.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, select, shape};

fn forward(x: &Tensor<shape![2, 3]>, y: &Tensor<shape![2, 4]>) -> Tensor<shape![2, 3]> {
    let positive = select(x.greater(0.0), x, y);
    let grown = positive.exp();
    grown + 1.0
}

fn main() {}
