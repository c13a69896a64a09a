//! The brackets of the macro are those of the shape.
//!
//! The compiler says: "the axes of a shape are one list, without inner brackets: write `shape![2, 3]`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![[2, 3]]>;
}
