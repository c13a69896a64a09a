//! A layer of any size begins with ones; the size is to be static.
//!
//! The compiler says: "in generic code, add the bound `D: StaticAxis`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Tensor, shape, shapes};

#[shapes]
struct Norm<D: Axis> {
    gain: Tensor<shape![D]>,
}

impl<D: Axis> Default for Norm<D> {
    fn default() -> Self {
        Self { gain: Tensor::ones() }
    }
}

fn main() {}
