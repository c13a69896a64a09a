//! How many zeros? The type does not know; `zeros_shaped(shape![Batch(32), 3])` says it.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"
//! And: "give a run-time size in a shape value to a method whose name ends in `_shaped`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let _ = Tensor::<shape![Batch, 3]>::zeros();
}
