//! How far does it stretch? `expand_shaped(shape![Batch(32), 3])` says it.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.expand::<shape![Batch, 3]>();
}
