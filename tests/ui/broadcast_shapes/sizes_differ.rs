//! The third shape does not match the first two.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::broadcast_shapes;

fn main() {
    let _: broadcast_shapes![[2, 3], [3], [4]];
}
