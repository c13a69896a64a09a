//! A vocabulary of 50,257 by one that was padded to 50,304.
//!
//! The compiler says: "the last axis of the left side is `Dim<50000, 257>`"
//! And: "`Dim<50000, 257>` and `Dim<50000, 304>` differ"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![128, 50257]>::zeros();
    let b = Tensor::<shape![50304, 768]>::zeros();
    let _ = a.matmul(&b);
}
