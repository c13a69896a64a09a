//! A shape is written by `shape!`, not as an array.
//!
//! The compiler says: "`[usize; 2]` is not a shape"
//! And: "write shapes with `shape![2, 3]`"
//! Lines: 13, because the compiler also shows an impl of the trait, and how it came to it.

use tensor_core::Tensor;

fn main() {
    let _: Tensor<[usize; 2]>;
}
