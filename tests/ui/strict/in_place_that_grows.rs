//! An in-place sum that does not fit, where no side may stretch: the one error is about that.
//!
//! The compiler says: "an in-place result cannot grow"

use tensor_core::{Tensor, shape, strict};

#[strict(same)]
fn main() {
    let mut a: Tensor<shape![2, 1]> = Tensor::ones();
    let b: Tensor<shape![2, 3]> = Tensor::ones();
    a += b;
}
