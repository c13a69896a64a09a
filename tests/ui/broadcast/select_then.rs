//! The mask fits the number that is taken otherwise, and not the tensor that is taken where it is
//! true.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<5>` with one of size `Dim<4>`"

use tensor_core::{Tensor, select, shape};

fn main() {
    let mask = Tensor::<shape![2, 5]>::zeros().greater(0.0);
    let then = Tensor::<shape![2, 4]>::zeros();
    let _ = select(&mask, &then, 0.0);
}
