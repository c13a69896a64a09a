//! One upper limit for each of two rows, aligned with three columns.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let high = Tensor::<shape![2]>::ones();
    let _ = x.clamp(0.0, &high);
}
