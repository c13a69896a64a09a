//! A matrix does not become a vector by stretching, also where the target is a value.
//!
//! The compiler says: "cannot expand to fewer axes: the target lacks the axes `((), Dim<2>)`"
//! And: "`squeeze`, `reshape` and reductions take axes away"
//! Lines: 14, as the compiler lists implementations

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.expand_shaped(shape![3]);
}
