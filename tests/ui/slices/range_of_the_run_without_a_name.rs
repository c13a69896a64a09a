//! A minibatch: its bounds are variables.
//!
//! The compiler says: "this range is known when the program runs, so what is left of axis `Dim<60000>` needs a name"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let images = Tensor::<shape![60000, 784]>::zeros();
    let (start, end) = (64, 128);
    let _ = images.slice(slice![start..end]);
}
