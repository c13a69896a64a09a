//! No size.
//!
//! The compiler says: "`dim!` takes the size of one axis, such as `dim!(768)`"

use tensor_core::dim;

fn main() {
    let _ = dim!();
}
