//! A device compares its part of a gradient with a bound, and not the gradient.
//!
//! The compiler says: "the sum over `Data` is not reduced"

use tensor_core::{Tensor, shape};
use tensor_xla::{Unreduced, mesh};

mesh!(Grid: Data = 4, Model = 2);

fn is_large(gradient: &Unreduced<Tensor<shape![64]>, Data>) -> Tensor<shape![64], bool> {
    let bound = Tensor::<shape![]>::full(0.5);
    gradient.greater(&bound)
}

fn main() {
    let _ = is_large(&Unreduced::zeros_like(&Tensor::zeros()));
}
