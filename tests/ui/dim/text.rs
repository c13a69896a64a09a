//! Text.
//!
//! The compiler says: "expected the size of an axis, such as `768`, not a string"

use tensor_core::dim;

fn main() {
    let _: dim!("768");
}
