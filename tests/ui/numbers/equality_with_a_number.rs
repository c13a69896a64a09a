//! As in NumPy, `==` for a mask.
//!
//! The compiler says: "`==` compares tensors of one shape and element type, not shape `((), Dim<50000, 257>)` of `i64` with `{integer}`"
//! And: "to compare each element, write `.equal(…)`"

use tensor_core::{Tensor, shape};

fn main() {
    let tokens = Tensor::<shape![50257], i64>::zeros();
    let padding = tokens == 0;
    println!("{padding}");
}
