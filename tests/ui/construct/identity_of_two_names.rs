//! Two names may have the same size today.
//!
//! The compiler says: "shape `(((), Batch), Seq)` is not square"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Seq);

fn main() {
    let _ = Tensor::<shape![Batch, Seq]>::eye_shaped(shape![Batch(3), Seq(3)]);
}
