//! Windows of an image: five numbers for six axes, and the result goes on.
//!
//! The compiler says: "a permutation names every axis once, and this list is too short"

use tensor_core::{Tensor, axes, shape};

fn windows(x: &Tensor<shape![4, 56, 56, 96]>) -> Tensor<shape![256, 49, 96]> {
    let rows = x.reshape::<shape![4, 8, 7, 8, 7, 96]>();
    let blocks = rows.permute::<axes![0, 1, 3, 2, 4]>();
    let centred = &blocks - blocks.mean_axis_keepdims::<-1>();
    centred.reshape::<shape![256, 49, 96]>()
}

fn main() {}
