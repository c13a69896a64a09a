//! A number is used in the closure, and is no operand.
//!
//! The compiler says: "`{float}` is not a tensor"
//! And: "the closure can use it"

use tensor_core::{Tensor, shape, zip_with};

fn main() {
    let x = Tensor::<shape![2048]>::ones();
    let _ = zip_with(&x, 0.5, |x, rate| x * rate);
}
