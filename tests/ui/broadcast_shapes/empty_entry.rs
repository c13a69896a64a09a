//! Two commas and nothing between them.
//!
//! The compiler says: "a shape is missing before this comma: write one, or remove the comma"

use tensor_core::broadcast_shapes;

fn main() {
    let _: broadcast_shapes![[2, 3], , [3]];
}
