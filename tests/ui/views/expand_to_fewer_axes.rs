//! A view by `expand` has at least as many axes as the tensor.
//!
//! The compiler says: "cannot expand to fewer axes: the axes `((), Dim<2>)` have no place in the target"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.expand::<shape![3]>();
}
