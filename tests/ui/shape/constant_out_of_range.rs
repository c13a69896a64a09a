//! A constant that is no size.
//!
//! The compiler says: "an axis has at most 999999999 elements"

use tensor_core::{Tensor, shape};

const TOO_LARGE: usize = 1 << 40;

fn main() {
    let _: Tensor<shape![{ TOO_LARGE }]>;
}
