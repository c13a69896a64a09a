//! A minibatch: its bounds are variables.
//!
//! The compiler says: "this range is known only at run time, so the sliced axis `Dim<60000>` needs a new name"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let images = Tensor::<shape![60000, 784]>::zeros();
    let (start, end) = (64, 128);
    let _ = images.slice(slice![start..end]);
}
