//! A batch into a 32.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `Dim<32>` does not hold one of size `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let mut a = Tensor::<shape![32, 3]>::zeros();
    let b = Tensor::<shape![Batch, 3]>::zeros_shaped(shape![Batch(32), 3]);
    a += &b;
}
