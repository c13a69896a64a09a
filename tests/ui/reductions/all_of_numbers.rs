//! `all` is asked of truth values.
//!
//! The compiler says: "elements of type `f32` are not `bool`"
//! And: "compare first, as in `x.greater(0.0).all()`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.all();
}
