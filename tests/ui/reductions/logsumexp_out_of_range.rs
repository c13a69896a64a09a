//! The logarithm of a sum of exponentials keeps an axis that is not there.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<2>), Dim<3>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.logsumexp_axis_keepdims::<2>();
}
