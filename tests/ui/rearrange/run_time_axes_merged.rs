//! Two axes are merged whose sizes are known at run time.
//!
//! The compiler says: "the size of axis `Batch` is not known at compile time, and neither is that of the merged axis"
//! And: "give the merged axis a name: `(batch seq as Tokens)`"

use tensor_core::{Tensor, axis, rearrange, shape};

axis!(Batch);

fn main() {
    let x = Tensor::<shape![Batch, 1024, 768]>::zeros_shaped(shape![Batch(8), 1024, 768]);
    let tokens = rearrange!(b s d -> (b s) d; x);
    let _ = tokens.softmax::<-1>();
}
