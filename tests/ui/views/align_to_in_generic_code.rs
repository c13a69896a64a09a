//! Axes that are parameters: whether they have names is not known.
//!
//! The compiler says: "the axes `(((), B), C)` of the target are not known here"
//! And: "in generic code, add the bound of the call, such as `shape![C]: AlignTo<shape![B, C, H, W]>`"
//! And: "[T212]"
//! Lines: 13, because the compiler also proposes a bound.

use tensor_core::{Axis, Tensor, shape};

fn biased<B: Axis, C: Axis>(x: &Tensor<shape![B, C]>, bias: &Tensor<shape![C]>) {
    let _ = x + bias.align_to::<shape![B, C]>();
}

fn main() {
    biased(&Tensor::<shape![2, 3]>::zeros(), &Tensor::zeros());
}
