//! The axes of an alias go in front with two dots: `shape![Image.., 3]`.
//!
//! The compiler says: "`(((), Dim<28>), Dim<28>)` is not the size of an axis"
//! Lines: 16, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::{Tensor, shape};

type Image = shape![28, 28];

fn main() {
    let _: Tensor<shape![Image, 3]>;
}
