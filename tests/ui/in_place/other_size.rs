//! Four numbers into three places.
//!
//! The compiler says: "an in-place result cannot grow: its axis of size `Dim<3>` does not hold one of size `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let mut a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![4]>::ones();
    a *= &b;
}
