//! One strict expression in code that is not strict: the larger of a column and a row.
//!
//! The compiler says: "both sides would stretch: shape `(((), Dim<2>), One)` and shape `((), Dim<3>)` give `(((), Dim<2>), Dim<3>)`"
//! And: "[T106]"

use tensor_core::{strictly, tensor};

fn main() {
    let table = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row = tensor![1.0, 2.0, 3.0];
    let _ = strictly!(table.sum_axis_keepdims::<1>().abs().maximum(&row));
}
