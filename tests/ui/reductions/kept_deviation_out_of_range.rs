//! Counted from the end, a matrix has the axes -1 and -2.
//!
//! The compiler says: "axis -3 is out of range for shape `(((), Dim<2>), Dim<3>)`"
//! And: "no axis -3 is known here"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.std_axis_keepdims::<-3>();
}
