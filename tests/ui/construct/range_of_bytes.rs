//! 300 numbers in bytes: the last ones would wrap around.
//!
//! The compiler says: "`u8` does not hold the numbers of a range of shape `((), Dim<300>)`"
//! And: "take a type of more bits"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![300], u8>::arange();
}
