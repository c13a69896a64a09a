//! Two rows before and two after make 224 of 220, not 222.
//!
//! The compiler says: "expected `222`, found `224`"

use tensor_core::{Padding, Tensor, shape};

fn main() {
    let image = Tensor::<shape![3, 220, 220]>::zeros();
    let _: Tensor<shape![3, 222, 222]> = image.pad::<shape![2, 2], shape![2, 2]>(Padding::Reflect);
}
