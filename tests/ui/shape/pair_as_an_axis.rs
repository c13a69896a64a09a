//! A shape in the place of an axis.
//!
//! The compiler says: "expected the size or the name of an axis, not a shape: the axes of a shape go in front, as `Lead..`"

use tensor_core::{Tensor, shape};

fn main() {
    let _: Tensor<shape![(2, 3), 4]>;
}
