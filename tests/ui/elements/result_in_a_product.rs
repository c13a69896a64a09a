//! Classes may be out of range, so `one_hot` gives a `Result`, and the product is written without its `?`.
//!
//! The compiler says: "is neither a tensor nor a number"
//! And: "unwrap a `Result` with `?` or `.unwrap()`"

use tensor_core::{Tensor, dim, shape};

fn chosen(p: &Tensor<shape![32, 20]>, classes: &Tensor<shape![32], i64>) -> Tensor<shape![32]> {
    let wanted = classes.one_hot::<dim!(20), f32>();
    (p * wanted).sum_axis::<-1>()
}

fn main() {}
