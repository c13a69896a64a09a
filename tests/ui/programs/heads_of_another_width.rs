//! Twelve heads of 46 numbers, where a row has 768: no message about the result.
//!
//! The compiler says: "`unflatten` keeps the number of elements: `Dim<768>` is not `Dim<552>`"

use tensor_core::{Shape, Tensor, shape};

fn split<Lead: Shape>(
    x: &Tensor<shape![Lead.., 768]>,
) -> Tensor<shape![Lead.., 12, 64]> {
    x.unflatten::<-1, shape![12, 46]>()
}

fn main() {
    let x = Tensor::<shape![2, 1024, 768]>::ones();
    let heads = split(&x);
    println!("{}", heads.sum_axis::<-1>().mean().item());
}
