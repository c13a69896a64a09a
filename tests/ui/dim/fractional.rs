//! A fraction.
//!
//! The compiler says: "a size is an integer: write `0`, not `0.5`"

use tensor_core::dim;

fn main() {
    let _ = dim!(0.5);
}
