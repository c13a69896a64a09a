//! A size is not a shape.
//!
//! The compiler says: "expected a shape: the type of one, such as `S`, or its sizes in brackets, such as `[2, 1]`"

use tensor_core::broadcast_shapes;

fn main() {
    let _: broadcast_shapes![2, 3];
}
