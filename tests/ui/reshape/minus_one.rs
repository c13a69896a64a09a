//! NumPy's -1, "whatever is left": write the size.
//!
//! The compiler says: "a size cannot be negative: write the size, or a named axis such as `Batch`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let _ = x.reshape::<shape![-1, 2]>();
}
