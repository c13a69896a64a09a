//! A run-time size needs a name.
//!
//! The compiler says: "`usize` is not the size of an axis"
//! And: "a run-time size as a named axis, `axis!(N)` and `shape![2, N(n)]`"
//! Errors: 2, of the function and of its result
//! Lines: 33, as the compiler shows what is an axis

use tensor_core::{Tensor, shape};

fn rows(n: usize) {
    let _ = Tensor::<_, f32>::zeros_shaped(shape![n, 3]);
}

fn main() {
    rows(4096);
}
