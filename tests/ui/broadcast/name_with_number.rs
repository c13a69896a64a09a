//! A batch is not a 32, even when this one holds 32.
//!
//! The compiler says: "cannot broadcast an axis of size `Batch` with one of size `Dim<32>`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let a = Tensor::<shape![Batch, 3]>::zeros_shaped(shape![Batch(32), 3]);
    let b = Tensor::<shape![32, 3]>::zeros();
    let _ = &a + &b;
}
