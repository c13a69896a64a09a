//! `map` gives a tensor, whose elements are numbers or `bool`.
//!
//! The compiler says: "`String` is not a type of tensor elements"

use tensor_core::tensor;

fn main() {
    let _ = tensor![1, 2].map(|x| x.to_string());
}
