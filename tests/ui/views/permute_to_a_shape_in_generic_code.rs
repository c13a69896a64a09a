//! `axes!` writes a list of axis indices, `shape!` one of sizes.
//!
//! The compiler says: "`permute` takes a list of axis indices, and `(((), One), Dim<0>)` is none"

use tensor_core::{Axis, Tensor, shape};

fn transposed<M: Axis, N: Axis>(x: &Tensor<shape![M, N]>) -> Tensor<shape![N, M]> {
    x.permute::<shape![1, 0]>()
}

fn main() {}
