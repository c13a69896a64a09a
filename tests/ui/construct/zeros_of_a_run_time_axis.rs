//! How many zeros? The type does not know; `zeros_shaped(shape![Batch(32), 3])` says it.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time"
//! And: "use the form that takes a shape value"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let _ = Tensor::<shape![Batch, 3]>::zeros();
}
