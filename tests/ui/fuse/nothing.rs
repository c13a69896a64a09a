//! No expression.
//!
//! The compiler says: "expected an expression: write `fuse!(x * w + b)` [T709]"

use tensor_core::fuse;

fn main() {
    let _ = fuse!();
}
