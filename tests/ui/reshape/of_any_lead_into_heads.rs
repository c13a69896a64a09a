//! Twelve heads of 60 are 720, and not 768: an axis is split in code over any leading axes.
//!
//! The compiler says: "`unflatten` keeps the number of elements: `Dim<768>` is not `Dim<720>`"

use tensor_core::{Shape, Tensor, shape};

fn heads<Lead: Shape>(x: &Tensor<shape![Lead.., 768]>) -> Tensor<shape![Lead.., 12, 60]> {
    x.unflatten::<-1, shape![12, 60]>()
}

fn main() {}
