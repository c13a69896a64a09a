//! Whether any number of each row is not 0: `any` asks about `bool`.
//!
//! The compiler says: "elements of type `f32` are not `bool`"
//! And: "compare first, as in `x.greater(0.0).all()`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.any_axis::<1>();
}
