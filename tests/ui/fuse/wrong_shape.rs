//! A weight for each row instead of each column, within one pass: what the operator says.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"
//! And: "shapes align at the last axis"

use tensor_core::{Tensor, fuse, shape};

fn main() {
    let x = Tensor::<shape![4, 3]>::ones();
    let weight = Tensor::<shape![4]>::ones();
    let bias = Tensor::<shape![3]>::ones();
    let _ = fuse!((x * weight + bias).gelu());
}
