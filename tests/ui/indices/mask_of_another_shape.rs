//! The mask is that of the columns.
//!
//! The compiler says: "mismatched types"
//! And: "expected `2048`, found `1024`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Tensor, axis, shape};

axis!(Found);

fn rows(x: &Tensor<shape![2048, 1024]>, mask: &Tensor<shape![1024], bool>) {
    let _ = x.compress::<0, Found>(mask);
}

fn main() {}
