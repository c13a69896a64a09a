//! No expression at all.
//!
//! The compiler says: "expected an expression: write `strictly!(a - b)`"

use tensor_core::strictly;

fn main() {
    let _ = strictly!();
}
