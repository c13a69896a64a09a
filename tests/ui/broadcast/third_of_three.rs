//! The first two operands match, the third does not match their result.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape, zip_with3};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let weight = Tensor::<shape![3]>::zeros();
    let bias = Tensor::<shape![4]>::zeros();
    let _ = zip_with3(&x, &weight, &bias, |x, w, b| x * w + b);
}
