//! Truth values are not added: `|` is their "or", `cast` makes numbers of them.
//!
//! The compiler says: "cannot add `&Tensor<((), Dim<2>), bool>` to `&Tensor<((), Dim<2>), bool>`"

use tensor_core::tensor;

fn main() {
    let a = tensor![true, false];
    let b = tensor![true, true];
    let _ = &a + &b;
}
