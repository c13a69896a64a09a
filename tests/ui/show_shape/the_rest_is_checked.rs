//! The shape of the one side of a sum that is wrong: the mistake is reported too.
//!
//! Errors: 2, the answer and the mistake.
//!
//! The compiler says: "this tensor has shape `((), Dim<2>)` and elements of type `{integer}`"
//! And: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"

use tensor_core::{show_shape, tensor};

fn main() {
    let x = tensor![[1, 2, 3], [4, 5, 6]];
    let _ = &x + show_shape!(x.sum_axis::<1>());
}
