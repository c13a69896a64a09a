//! An alias of a type of tensors, where the shape alone is wanted.
//!
//! The compiler says: "`Tensor<(((), Dim<32>), Dim<64>)>` is not a shape"
//! Lines: 14, as the compiler shows what is a shape

use tensor_core::{Tensor, shape};

type Matrix = Tensor<shape![32, 64]>;

fn main() {
    let flat = Tensor::<shape![2048]>::zeros();
    let _ = flat.reshape::<Matrix>();
}
