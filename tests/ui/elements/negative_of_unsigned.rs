//! Unsigned integers have no sign to change.
//!
//! The compiler says: "cannot apply unary operator `-` to type `Tensor<((), Dim<2>), u8>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2], u8>::zeros();
    let _ = -x;
}
