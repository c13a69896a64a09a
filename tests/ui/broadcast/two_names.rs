//! A batch and a sequence are different axes, whatever their sizes will be.
//!
//! The compiler says: "cannot broadcast an axis of size `Batch` with one of size `Seq`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Seq);

fn main() {
    let a = Tensor::<shape![Batch, 3]>::zeros_shaped(shape![Batch(32), 3]);
    let b = Tensor::<shape![Seq, 3]>::zeros_shaped(shape![Seq(32), 3]);
    let _ = &a + &b;
}
