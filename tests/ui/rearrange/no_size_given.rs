//! Neither the number of heads nor their size is given.
//!
//! The compiler says: "neither `h` nor `d` has a size: give all but one after the operand, as `h = 8`"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![8, 1024, 768]>::zeros();
    let _ = rearrange!(b s (h d) -> b h s d; x);
}
