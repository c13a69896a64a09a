//! More groups than an option of a type has.
//!
//! The compiler says: "a stride, dilation, window or number of groups is from 1 to 9,999, not 10001"
//! And: "[T806]"

use tensor_core::{Tensor, shape};

fn main() {
    let x: Tensor<shape![20002, 4, 4]> = Tensor::zeros();
    let _ = x.group_norm::<-3, 10001>(1e-5);
}
