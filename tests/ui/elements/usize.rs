//! `usize` has another size on another machine, and is not an element type.
//!
//! The compiler says: "`usize` is not a type of tensor elements"
//! And: "elements are f32, f64, i8 to i64, u8 to u64 and bool"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![3], usize>;
}
