//! The bounds in the order of Python for a negative step.
//!
//! The compiler says: "this slice ends before it starts: the smaller bound is written first, also with a negative step, `2..6; -1`"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.slice(slice![512..256; -1]);
}
