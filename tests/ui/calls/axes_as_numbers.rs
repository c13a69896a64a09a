//! Several axes are one list, `axes![1, 2, 3]`. The line that defines the method shows the call.
//!
//! The compiler says: "method takes 1 generic argument but 3 generic arguments were supplied"
//! And: "::<axes![0, -1]>()"
//! Lines: 13, as the compiler shows the line of the definition.

use tensor_core::{Tensor, shape};

fn norms(filters: &Tensor<shape![64, 3, 3, 3]>) -> Tensor<shape![64]> {
    filters.square().sum_axes::<1, 2, 3>().sqrt()
}

fn main() {}
