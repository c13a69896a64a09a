//! Arithmetic in the place of a number.
//!
//! The compiler says: "the number of an axis is one integer, such as `0` for the first or `-1` for the last"

use tensor_core::axes;

fn main() {
    let _: axes![0 + 1, 0];
}
