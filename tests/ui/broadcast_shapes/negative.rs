//! A mistake within one of the shapes.
//!
//! The compiler says: "a size cannot be negative: write the size, or a named axis such as `Batch`"

use tensor_core::broadcast_shapes;

fn main() {
    let _: broadcast_shapes![[2, 3], [-1]];
}
