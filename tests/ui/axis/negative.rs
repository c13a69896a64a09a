//! A negative size. The axis is declared all the same.
//!
//! The compiler says: "a size cannot be negative: write `768`"

use tensor_core::{Tensor, axis, shape};

axis!(Hidden = -768);

fn main() {
    let _ = Tensor::<shape![Hidden]>::zeros();
}
