//! What cannot be joined is not multiplied either: one mistake is one error.
//!
//! The compiler says: "to concatenate along axis -1, all other axes must be equal"

use tensor_core::{Tensor, shape};

fn main() {
    let words = Tensor::<shape![2048, 512]>::zeros();
    let places = Tensor::<shape![1024, 256]>::zeros();
    let weight = Tensor::<shape![768, 64]>::zeros();
    let _ = words.concat::<-1, _>(&places).dot(&weight);
}
