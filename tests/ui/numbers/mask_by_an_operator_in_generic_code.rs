//! The same in generic code: `S` may have any axes.
//!
//! The compiler says: "`<` and `>` compare two numbers of one type, not shape `S` of `f32` with `{float}`"
//! And: "to compare each element, write `.less(…)` or `.greater(…)`"

use tensor_core::{Shape, Tensor};

fn count_positive<S: Shape>(x: Tensor<S>) -> usize {
    let positive = x > 0.0;
    usize::from(positive)
}

fn main() {}
