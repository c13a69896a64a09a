//! The index of the maximum along an axis that is not there.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.argmax_axis::<2>();
}
