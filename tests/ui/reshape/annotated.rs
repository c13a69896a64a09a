//! The target may be written as an annotation too.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<12>` is not `Dim<10>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![12]>::zeros();
    let _: Tensor<shape![5, 2]> = x.reshape();
}
