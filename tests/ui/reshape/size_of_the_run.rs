//! A column whose number of rows is counted at run time.
//!
//! The compiler says: "`usize` is not the size of an axis"
//! And: "a run-time size as a named axis, `axis!(N)` and `shape![2, N(n)]`"
//! Errors: 2, of the function and of its result
//! Lines: 36, as the compiler shows what is an axis

use tensor_core::{Tensor, shape};

fn column(x: &Tensor<shape![4096]>, n: usize) {
    let column = x.reshape_shaped(shape![n, 1]);
    println!("{column}");
}

fn main() {}
