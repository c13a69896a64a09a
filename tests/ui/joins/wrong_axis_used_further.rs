//! Features are joined along the batch, and convolved.
//!
//! The compiler says: "to concatenate along axis 0, all other axes must be equal"

use tensor_core::windows::Conv2dOptions;
use tensor_core::{Tensor, shape};

fn up(
    deep: &Tensor<shape![4, 128, 64, 64]>,
    skip: &Tensor<shape![4, 64, 64, 64]>,
    filters: &Tensor<shape![64, 192, 3, 3]>,
) -> Tensor<shape![4, 64, 64, 64]> {
    let both = deep.concat::<0, _>(skip);
    both.conv2d(filters, Conv2dOptions::new().same()).relu()
}

fn main() {}
