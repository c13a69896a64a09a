//! The sum along an axis removes it; `sum_axis_keepdims` keeps it.
//!
//! The compiler says: "mismatched types"
//! And: "expected `Tensor<(((), Dim<4>), One)>`, found `Tensor<((), Dim<4>)>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![4, 3]>::zeros();
    let _: Tensor<shape![4, 1]> = x.sum_axis::<1>();
}
