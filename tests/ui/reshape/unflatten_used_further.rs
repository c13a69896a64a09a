//! Twelve heads of 65 from 768: what is done with the heads is not a second mistake.
//!
//! The compiler says: "`unflatten` keeps the number of elements: `Dim<768>` is not `Dim<780>`"

use tensor_core::{Tensor, axes, shape};

fn heads(x: &Tensor<shape![32, 128, 768]>) -> Tensor<shape![32, 12, 128, 64]> {
    let heads = x.unflatten::<-1, shape![12, 65]>();
    heads.permute::<axes![0, 2, 1, 3]>()
}

fn main() {}
