//! A loop goes on with the product of its state, which has another width.
//!
//! The compiler says: "expected `3`, found `4`"

use tensor_core::trace::while_loop;
use tensor_core::{Tensor, shape};

fn main() {
    let weights = Tensor::<shape![3, 4]>::ones();
    let state = Tensor::<shape![3]>::ones();
    let last = while_loop(&state, |x| x.sum().less(100.0), |x| x.dot(&weights));
    println!("{last}");
}
