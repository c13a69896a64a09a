//! An index counts from the front, as a `usize`.
//!
//! The compiler says: "expected `usize`, found `i32`"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let row: i32 = 3;
    let _ = states.slice(slice![row]);
}
