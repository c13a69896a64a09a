//! `axes!` writes a list of axis indices, `shape!` one of sizes.
//!
//! The compiler says: "`permute` takes a list of axis indices, and `((((), Dim<2>), Dim<0>), One)` is none"
//! And: "write the indices of the axes: `axes![1, 0]`"

use tensor_core::{Tensor, shape};

fn main() {
    let image = Tensor::<shape![224, 224, 3]>::zeros();
    let _ = image.permute::<shape![2, 0, 1]>();
}
