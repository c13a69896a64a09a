//! The same number twice in one list.
//!
//! The compiler says: "axis 0 is listed twice: name each axis once"

use tensor_core::axes;

fn main() {
    let _: axes![0, 0, 1];
}
