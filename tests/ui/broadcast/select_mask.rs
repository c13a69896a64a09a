//! A mask for five positions and scores for four.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<5>` with one of size `Dim<4>`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let mask = Tensor::<shape![5], bool>::zeros();
    let scores = Tensor::<shape![2, 4]>::zeros();
    let _ = select(&mask, &scores, 0.0);
}
