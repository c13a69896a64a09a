//! `pow` takes any power, and is for floats; `powi` is for integers.
//!
//! The compiler says: "elements of type `i64` are not floating-point numbers"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3], i64>::zeros();
    let _ = x.pow(2);
}
