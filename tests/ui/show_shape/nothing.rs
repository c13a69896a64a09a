//! The shape of nothing.
//!
//! The compiler says: "nothing to show: write `show_shape!(x)` for the shape of a tensor, or `show_shape!(type S)`"

use tensor_core::show_shape;

fn main() {
    show_shape!();
}
