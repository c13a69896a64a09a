//! A view by `expand` has at least as many axes as the tensor.
//!
//! The compiler says: "cannot expand to fewer axes: the target lacks the axes `((), Dim<2>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.expand::<shape![3]>();
}
