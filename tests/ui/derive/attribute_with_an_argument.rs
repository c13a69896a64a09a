//! There is nothing to choose.
//!
//! The compiler says: "`#[shapes]` takes no argument [T710]"

use tensor_core::{Tensor, shape, shapes};

#[shapes(Linear)]
struct Linear {
    weight: Tensor<shape![1024, 4096]>,
}

fn main() {
    let _ = Linear { weight: Tensor::zeros() }.weight;
}
