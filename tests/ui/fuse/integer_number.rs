//! An integer on the left of floats, which goes on into a method.
//!
//! The compiler says: "cannot multiply `{integer}` by `&Tensor<((), Dim<3>)>`"
//!
//! Lines: 17, as the operator says it; the compiler lists what can be multiplied.

use tensor_core::{Tensor, fuse, shape};

fn main() {
    let x = Tensor::<shape![3]>::zeros();
    let _ = fuse!((2 * x).exp());
}
