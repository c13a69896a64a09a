//! Two commas and nothing between them.
//!
//! The compiler says: "the number of an axis is missing before this comma: write it, or remove the comma"

use tensor_core::axes;

fn main() {
    let _: axes![0, , 1];
}
