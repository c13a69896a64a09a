//! A number that does not fit into 64 bits.
//!
//! The compiler says: "size 99999999999999999999 is out of range: an axis has at most 999999999 elements"

use tensor_core::dim;

fn main() {
    let _: dim!(99_999_999_999_999_999_999);
}
