//! Parts that are zero are left out.
//!
//! The compiler says: "the parts of `Dim<0, 48>` are not written in order"

use tensor_core::{Dim, Tensor, shape};

fn main() {
    let _: Tensor<shape![Dim<0, 48>]>;
}
