//! A range alone, as in Python.
//!
//! The compiler says: "`std::ops::RangeFrom<{integer}>` is not a slice"
//!

use tensor_core::{Tensor, shape};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.slice(1..);
}
