//! Classes are integers.
//!
//! The compiler says: "elements of type `f32` are not integers"

use tensor_core::{Tensor, dim, shape};

fn main() {
    let classes = Tensor::<shape![1024]>::zeros();
    let _ = classes.one_hot::<dim!(10), f32>();
}
