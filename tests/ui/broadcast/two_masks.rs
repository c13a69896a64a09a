//! Two masks are joined by `&`, one for each element and one for each row.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros().greater(0.0);
    let b = Tensor::<shape![2]>::zeros().greater(0.0);
    let _ = &a & &b;
}
