//! Squeezing keeps every element, so that it takes only an axis of one.
//!
//! The compiler says: "only an axis of size `One` can be squeezed, and axis 0 is `Dim<2>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 1, 3]>::zeros();
    let _ = x.squeeze::<0>();
}
