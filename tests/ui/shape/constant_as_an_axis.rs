//! A constant alone, which is a value and no type.
//!
//! The compiler says: "expected type, found constant `VOCAB`"

use tensor_core::{Tensor, shape};

const VOCAB: usize = 50_257;

fn main() {
    let _: Tensor<shape![VOCAB]>;
}
