//! A layer over any number of inputs says so: `I: Axis`.
//!
//! The compiler says: "`I` is not the size of an axis"
//! And: "add the bound `I: Axis`"

use tensor_core::{Tensor, shape};

struct Scale<I> {
    factors: Tensor<shape![I]>,
}

fn main() {}
