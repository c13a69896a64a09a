//! `broadcast_to` is another name for `expand`.
//!
//! The compiler says: "cannot expand an axis of size `Dim<3>` to `Dim<5>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = x.broadcast_to::<shape![2, 5]>();
}
