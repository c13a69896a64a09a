//! A layer over any number of inputs says so: `I: Axis`.
//!
//! The compiler says: "`I` is not the size of an axis"
//! And: "add the bound `I: Axis`"
//! Lines: 17, because the compiler also shows the bound of the type, and proposes one.

use tensor_core::{Tensor, shape};

struct Scale<I> {
    factors: Tensor<shape![I]>,
}

fn main() {}
