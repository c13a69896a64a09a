//! A variable is not known at compile time: name the axis, and give it the size as a value.
//!
//! The compiler says: "attempt to use a non-constant value in a constant"

use tensor_core::{Tensor, shape};

fn main() {
    let rows = std::env::args().count();
    let _: Tensor<shape![{ rows }, 3]>;
}
