//! A stack along the first axis needs the rank.
//!
//! The compiler says: "add the bound `S: Unsqueeze<0>`"

use tensor_core::{Shape, Tensor};

fn pair<S: Shape>(x: &Tensor<S>) {
    let _ = Tensor::stack::<0, _>([x, x]);
}

fn main() {}
