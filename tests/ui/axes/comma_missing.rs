//! Two numbers and nothing between them.
//!
//! The compiler says: "missing comma: write `, 1`"

use tensor_core::axes;

fn main() {
    let _: axes![0 1];
}
