//! Floats have no bits to shift.
//!
//! The compiler says: "no implementation for `Tensor<((), Dim<2>)> << {integer}`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2]>::zeros();
    let _ = x << 1;
}
