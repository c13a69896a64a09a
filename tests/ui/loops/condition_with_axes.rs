//! A loop goes on while numbers are small: which of them, its condition does not say.
//!
//! The compiler says: "expected `Tensor<(), bool>`, found `Tensor<((), Dim<3>), bool>`"

use tensor_core::trace::while_loop;
use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![3]>::ones();
    let last = while_loop(&x, |x| x.less(100.0), |x| x * 2.0);
    println!("{last}");
}
