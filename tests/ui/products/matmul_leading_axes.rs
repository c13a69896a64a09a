//! The matrices fit, but there are 6 on one side and 7 on the other.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<6>` with one of size `Dim<7>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![6, 2, 3]>::zeros();
    let b = Tensor::<shape![7, 3, 5]>::zeros();
    let _ = a.matmul(&b);
}
