//! NumPy's `...`: here the leading axes have a name.
//!
//! The compiler says: "name the shape that the leading axes come from: `Lead..`"

use tensor_core::{Tensor, shape};

fn last(_: &Tensor<shape![.., 3]>) {}

fn main() {}
