//! A matrix has no axis 2: its last one is 1, or -1.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"
//! And: "axes count from 0 at the front and from -1 at the end"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.sum_axis::<2>();
}
