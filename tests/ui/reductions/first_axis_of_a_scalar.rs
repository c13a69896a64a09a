//! A single number has no axis, counted from the front as from the end.
//!
//! The compiler says: "axis 0 is out of range for shape `()`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![]>::scalar(3.0);
    let _ = x.sum_axis::<0>();
}
