//! The eleventh of ten classes.
//!
//! The compiler says: "index 10 is out of range for axis 1 of size `Dim<10>`"
//!

use tensor_core::{Tensor, shape, slice};

fn main() {
    let scores = Tensor::<shape![1024, 10]>::zeros();
    let _ = scores.slice(slice![.., 10]);
}
