//! Three axes are 0, 1 and 2.
//!
//! The compiler says: "axis 3 is out of range for shape `((((), Dim<2>), Dim<3>), Dim<4>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3, 4]>::zeros();
    let _ = x.flatten_axes::<1, 3>();
}
