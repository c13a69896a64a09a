//! The mask is the first operand of `select`, as in NumPy's `where`.
//!
//! The compiler says: "is not a mask: its elements are not `bool`"
//! And: "`select` takes the mask first, `select(mask, then, otherwise)`"

use tensor_core::{Tensor, select, shape};

fn clipped(error: &Tensor<shape![64, 1024]>) -> Tensor<shape![64, 1024]> {
    let mask = error.greater(0.5);
    select(error, mask, 0.0)
}

fn main() {}
