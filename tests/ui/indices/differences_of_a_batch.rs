//! How many elements a batch has is known at run time.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn steps(x: &Tensor<shape![Batch, 1024]>) {
    let _ = x.diff::<0>();
}

fn main() {}
