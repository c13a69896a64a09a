//! A comparison of each element by an operator, of a reference.
//!
//! The compiler says: "`<` and `>` compare two numbers of one type, not shape `((), Dim<3>)` of `f32` with `f32`"
//! And: "to compare each element, write `.less(…)` or `.greater(…)`"

use tensor_core::{Tensor, shape};

fn positive(x: &Tensor<shape![3]>) -> bool {
    let mask = x > 0.0;
    mask
}

fn main() {
    println!("{}", positive(&Tensor::ones()));
}
