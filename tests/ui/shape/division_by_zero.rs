//! A size divided by zero.
//!
//! The compiler says: "`28 / 0` divides by zero: write a divisor that is at least 1"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![28 / 0]>;
}
