//! A step that leads nowhere.
//!
//! The compiler says: "a step is at least 1, or at most -1"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.slice(slice![..; 0]);
}
