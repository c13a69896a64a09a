//! Only an axis of size 1 stretches.
//!
//! The compiler says: "cannot expand an axis of size `Dim<3>` to `Dim<4>`"
//! And: "only an axis of size `One` stretches"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.expand::<shape![2, 4]>();
}
