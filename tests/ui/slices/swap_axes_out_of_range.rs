//! Axis 2 of a matrix.
//!
//! The compiler says: "axis 2 is out of range for shape `(((), Dim<1024>), Dim<768>)`"

use tensor_core::{Tensor, shape};

fn main() {
    let states = Tensor::<shape![1024, 768]>::zeros();
    let _ = states.swap_axes::<0, 2>();
}
