//! A mask of ten axes, of which the last differs.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<2048>` with one of size `Dim<4096>`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let mask = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 2048], bool>::zeros();
    let x = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 4096]>::zeros();
    let _ = select(&mask, &x, 0.0);
}
