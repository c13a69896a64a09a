//! Tables of 768 and of 512 columns are put below each other.
//!
//! The compiler says: "to concatenate along axis 0, all other axes must be equal: `((), Dim<768>)` is not `((), Dim<512>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let left = Tensor::<shape![1024, 768]>::zeros();
    let right = Tensor::<shape![2048, 512]>::zeros();
    let _ = left.concat::<0, _>(&right);
}
