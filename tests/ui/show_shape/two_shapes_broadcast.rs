//! The shape that two shapes broadcast to.
//!
//! The compiler says: "this shape is `(((), Dim<4>), Dim<3>)`"

use tensor_core::{broadcast_shapes, show_shape};

fn main() {
    show_shape!(type broadcast_shapes![[4, 1], [3]]);
}
