//! An axis is a type. It is declared all the same, so that its use is not a second error.
//!
//! The compiler says: "an axis is a type, and is named like one: write `BatchSize`"

use tensor_core::{Tensor, axis, shape};

axis!(batch_size);

fn main() {
    let _: Tensor<shape![batch_size, 3]>;
}
