//! A batch, twice: its size is known only at run time.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn twice(x: &Tensor<shape![Batch, 768]>) {
    let _ = x.tile::<shape![2, 1]>();
}

fn main() {}
