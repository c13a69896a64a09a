//! A name in the place of a number.
//!
//! The compiler says: "expected the number of an axis, such as `0` for the first or `-1` for the last"

use tensor_core::{axes, axis};

axis!(Batch);

fn main() {
    let _: axes![Batch, 1];
}
