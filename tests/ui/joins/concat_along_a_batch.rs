//! Two batches are joined: the size of the result is known only at run time.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn both(x: &Tensor<shape![Batch, 768]>) {
    let _ = x.concat::<0, _>(x);
}

fn main() {}
