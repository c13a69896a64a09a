//! Two type parameters for leading axes that must be the same.
//!
//! The compiler says: "along axis -1, indices choose where all other axes are equal"
//! Lines: 13, as the compiler proposes a bound of its own

use tensor_core::{Shape, Tensor, shape};

fn losses<Lead: Shape, Other: Shape>(
    logits: &Tensor<shape![Lead.., 2048]>,
    targets: &Tensor<shape![Other.., 1], i64>,
) {
    let _ = logits.take_along_axis::<-1, _>(targets);
}

fn main() {}
