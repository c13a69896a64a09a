//! Sizes end at 999,999,999, those that are computed too.
//!
//! The compiler says: "size 4294967296 is out of range: an axis has at most 999999999 elements"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![65_536 * 65_536]>;
}
