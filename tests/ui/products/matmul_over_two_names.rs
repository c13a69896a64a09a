//! Two names of the same size are not summed over together.
//!
//! The compiler says: "the last axis of the left side is `Hidden`, the second last axis of the right side is `Inner`"
//! And: "`Hidden` and `Inner` differ"

use tensor_core::{Tensor, axis, shape};

axis!(Hidden = 768, Inner = 768);

fn main() {
    let a = Tensor::<shape![2, Hidden]>::zeros();
    let b = Tensor::<shape![Inner, 4]>::zeros();
    let _ = a.matmul(&b);
}
