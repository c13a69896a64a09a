//! A function of a sum is not the sum of the function of its parts.
//!
//! The compiler says: "the sum over `Data` is not reduced"
//! And: "call `.reduce()` before"

use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, unreduced};

mesh!(Grid: Data = 4, Model = 2);

fn main() {
    let rows = Tensor::<shape![Data, 16, 3]>::ones();
    let sum = unreduced(&rows, |rows| rows.sum_axis::<0>());
    let _ = sum.exp();
}
