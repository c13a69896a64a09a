//! A running total of whole tensors: it is one number.
//!
//! The compiler says: "the tensor on the left lacks the axes `((), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut total = Tensor::<shape![]>::scalar(0.0);
    let x = Tensor::<shape![3]>::ones();
    total += &x;
}
