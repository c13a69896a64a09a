//! The value has three columns, the type four.
//!
//! The compiler says: "mismatched types"
//! And: "expected `4`, found `3`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let _ = Tensor::<shape![Batch, 4]>::zeros_shaped(shape![Batch(32), 3]);
}
