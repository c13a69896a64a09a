//! A negative size.
//!
//! The compiler says: "a size cannot be negative: write `3`"

use tensor_core::dim;

fn main() {
    let _: dim!(-3);
}
