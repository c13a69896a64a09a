//! An axis that nobody declared.
//!
//! The compiler says: "cannot find type `Batch` in this scope"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![Batch, 3]>;
}
