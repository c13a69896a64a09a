//! The last half of an axis, which is shorter than it was.
//!
//! The compiler says: "slice 1024.. is out of range for axis 1 of size `Dim<768>`"
//!

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![32, 768]>::zeros();
    let _ = states.slice(slice![.., 1024..]);
}
