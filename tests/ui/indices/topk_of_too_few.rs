//! The five best of three classes.
//!
//! The compiler says: "`Dim<5>` elements cannot be chosen of `Dim<3>`"

use tensor_core::{Tensor, dim, shape};

fn main() {
    let scores = Tensor::<shape![1024, 3]>::zeros();
    let _ = scores.topk::<-1, dim!(5)>();
}
