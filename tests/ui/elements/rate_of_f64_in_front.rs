//! An `f64` in front of a tensor of `f32`.
//!
//! The compiler says: "cannot combine a number of type `f64` with elements of type `f32`"
//! And: "give the number the type `f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let rate = 0.01_f64;
    let gradient = Tensor::<shape![1024, 4096]>::ones();
    let _ = rate * &gradient;
}
