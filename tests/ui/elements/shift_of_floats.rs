//! Floats have no bits to shift.
//!
//! The compiler says: "no implementation for `Tensor<((), Dim<2>)> << {integer}`"
//! Lines: 14, because the compiler lists the operators of a tensor.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2]>::zeros();
    let _ = x << 1;
}
