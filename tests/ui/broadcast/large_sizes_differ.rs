//! A vocabulary of 50,257 words, and one that was rounded up to 50,304.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<50000, 257>` with one of size `Dim<50000, 304>`"

use tensor_core::{Tensor, shape};

fn main() {
    let logits = Tensor::<shape![50_257]>::zeros();
    let bias = Tensor::<shape![50_304]>::zeros();
    let _ = logits + bias;
}
