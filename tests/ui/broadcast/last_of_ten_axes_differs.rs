//! Ten axes, of which the last differ. rustc shortens types of so many axes; the sizes stand before
//! them.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<1024>` with one of size `Dim<1536>`"
//! And: "`Dim<1024>` and `Dim<1536>` differ and neither is `One`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1024]>::zeros();
    let b = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1536]>::zeros();
    let _ = &a + &b;
}
