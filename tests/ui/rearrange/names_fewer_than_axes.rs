//! The batch has no name.
//!
//! The compiler says: "expected a name for each axis of shape `((((), Dim<8>), Dim<1024>), Dim<768>)`, found 2"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![8, 1024, 768]>::zeros();
    let y = rearrange!(s d -> d s; x);
    let _ = y.softmax::<-1>();
}
