//! A function of images of 28 × 28 is given one of 32 × 32.
//!
//! The compiler says: "mismatched types"
//! And: "expected `28`, found `32`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Tensor, shape};

fn classify(_: &Tensor<shape![28, 28]>) {}

fn main() {
    classify(&Tensor::<shape![32, 32]>::zeros());
}
