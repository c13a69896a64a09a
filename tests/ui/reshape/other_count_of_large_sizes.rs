//! 28 × 28 is 784, not 768.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<1000000, 568000>` is not `Dim<1000000, 536000>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2000, 28, 28]>::zeros();
    let _ = x.reshape::<shape![2000, 768]>();
}
