//! The lower limits match, the upper limits do not.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let low = Tensor::<shape![3]>::zeros();
    let high = Tensor::<shape![2]>::ones();
    let _ = x.clamp(&low, &high);
}
