//! Two sizes are a shape.
//!
//! The compiler says: "`dim!` is one axis: several axes are a shape, `shape![2, 3]`"

use tensor_core::dim;

fn main() {
    let _: dim!(2, 3);
}
