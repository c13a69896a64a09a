//! The variance of integers would have to be rounded.
//!
//! The compiler says: "elements of type `i64` are not floating-point numbers"
//! And: "convert with `.cast::<f32>()` first"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3], i64>::zeros();
    let _ = x.var_axis::<1>();
}
