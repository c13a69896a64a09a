//! Two expressions.
//!
//! The compiler says: "the expression ends before this: write `relaxed!(a - b)`"

use tensor_core::relaxed;

fn main() {
    let _ = relaxed!(1 + 2, 3);
}
