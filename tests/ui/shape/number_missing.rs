//! An operator at the end.
//!
//! The compiler says: "a number is missing after this operator"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![28 *]>;
}
