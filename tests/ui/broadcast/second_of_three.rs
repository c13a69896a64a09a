//! The second operand does not match the first; the third would have matched both.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape, zip_with3};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let weight = Tensor::<shape![4]>::zeros();
    let bias = Tensor::<shape![1]>::zeros();
    let _ = zip_with3(&x, &weight, &bias, |x, w, b| x * w + b);
}
