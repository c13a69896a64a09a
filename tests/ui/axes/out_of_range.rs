//! No shape has this many axes.
//!
//! The compiler says: "no shape has an axis 99_999_999_999"

use tensor_core::axes;

fn main() {
    let _: axes![99_999_999_999];
}
