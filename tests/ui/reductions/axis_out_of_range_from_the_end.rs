//! A matrix has no axis -3: its first one is -2, or 0.
//!
//! The compiler says: "axis -3 is out of range for shape `(((), Dim<2>), Dim<3>)`"
//! And: "axes count from 0 at the front and from -1 at the end"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.mean_axis_keepdims::<-3>();
}
