//! More from the end than there is.
//!
//! The compiler says: "slice 0..-2048 is out of range for axis -1 of size `Dim<1024>`"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![8, 1024]>::zeros();
    let _ = states.slice(slice![..., ..-2048]);
}
