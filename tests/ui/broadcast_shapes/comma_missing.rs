//! Two shapes and nothing between them.
//!
//! The compiler says: "missing comma"

use tensor_core::broadcast_shapes;

fn main() {
    let _: broadcast_shapes![[2, 3] [3]];
}
