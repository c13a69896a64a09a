//! Integers and floats in one product.
//!
//! The compiler says: "is not an operand with elements of type `i64`"
//! And: "there is no silent promotion"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3], i64>::ones();
    let b = Tensor::<shape![3]>::ones();
    let _ = a.dot(&b);
}
