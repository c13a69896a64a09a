//! The last of ten axes is 1, and would have to become 1536.
//!
//! The compiler says: "its axis of size `One` does not hold one of size `Dim<1536>`"
//! And: "`Dim<1536>` does not fit into `One`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1]>::zeros();
    let b = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1536]>::zeros();
    a += &b;
}
