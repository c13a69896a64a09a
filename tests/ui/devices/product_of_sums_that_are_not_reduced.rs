//! The product of two sums is not the sum of the products of their parts.
//!
//! The compiler says: "a sum that is not reduced is not multiplied or divided by"

use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, unreduced};

mesh!(Grid: Data = 4, Model = 2);

fn main() {
    let rows = Tensor::<shape![Data, 16, 3]>::ones();
    let sum = unreduced(&rows, |rows| rows.sum());
    let squares = unreduced(&rows, |rows| rows.square().sum());
    let _ = &sum * squares;
}
