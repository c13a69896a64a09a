//! The mask and the first choice match, the other choice does not.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<4>` with one of size `Dim<3>`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let mask = Tensor::<shape![4], bool>::zeros();
    let scores = Tensor::<shape![2, 4]>::zeros();
    let others = Tensor::<shape![2, 3]>::zeros();
    let _ = select(&mask, &scores, &others);
}
