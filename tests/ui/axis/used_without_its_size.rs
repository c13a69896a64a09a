//! A batch is a value with its size, and not a size by itself.
//!
//! The compiler says: "use parentheses to construct this tuple struct"
//! Lines: 15, because E0308 also shows how to write it.

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let _: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch, 3]);
}
