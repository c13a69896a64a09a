//! A matrix has the axes 0 and 1: the variance along axis 2 does not exist, whatever is corrected.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"
//! And: "axes count from 0 at the front and from -1 at the end"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.var_axis_corrected::<2>(1);
}
