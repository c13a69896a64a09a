//! The two choices of `select` have one element type.
//!
//! The compiler says: "is not an operand with elements of type"
//! And: "cast"

use tensor_core::{Tensor, select, shape};

fn main() {
    let mask = Tensor::<shape![3], bool>::zeros();
    let a = Tensor::<shape![3], f32>::zeros();
    let b = Tensor::<shape![3], f64>::ones();
    let _ = select(&mask, &a, &b);
}
