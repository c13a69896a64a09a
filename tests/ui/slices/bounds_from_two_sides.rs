//! From 64 before the end to 1000 from the front.
//!
//! The compiler says: "a slice that starts from the end of an axis ends there as well"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.slice(slice![-64..1000]);
}
