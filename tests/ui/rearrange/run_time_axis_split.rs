//! An axis is split whose size is known at run time.
//!
//! The compiler says: "the size of axis `Tokens` is not known at compile time, and neither is what its parts leave"
//! And: "name the other axis after the operand, as `seq = Seq(_)`"

use tensor_core::{Tensor, axis, rearrange, shape};

axis!(Tokens);

fn main() {
    let x = Tensor::<shape![Tokens, 768]>::zeros_shaped(shape![Tokens(8192), 768]);
    let batch = rearrange!((b s) d -> b s d; x, b = 8);
    let _ = batch.softmax::<-1>();
}
