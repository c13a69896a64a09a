//! A window of an utterance that is shorter.
//!
//! The compiler says: "a window of `Dim<1024>` is longer than axis -1, which has size `Dim<768>`"

use tensor_core::{Tensor, dim, shape};

fn main() {
    let sound = Tensor::<shape![2, 768]>::zeros();
    let _ = sound.windows::<-1, dim!(1024)>();
}
