//! Three billion numbers in one axis.
//!
//! The compiler says: "the compiler counts static sizes, up to 999,999,999 elements"

use tensor_core::{Tensor, shape};

fn flat(x: &Tensor<shape![60_000, 50_257]>) {
    let _ = x.flatten();
}

fn main() {}
