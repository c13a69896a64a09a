//! `matmul` does not scale: `*` does.
//!
//! The compiler says: "a tensor of rank 0 has no axis that a product with shape `(((), Dim<2>), Dim<3>)` could sum over"
//! And: "to scale by a single number write `*`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let _ = a.matmul(2.0);
}
