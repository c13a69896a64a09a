//! One mistake: what is done with the slice is not another one.
//!
//! The compiler says: "slice 0..2048 is out of range for axis 1 of size `Dim<1024>`"
//!

use tensor_core::{Tensor, shape, slice};

fn main() {
    let states = Tensor::<shape![8, 1024]>::zeros();
    let weights = Tensor::<shape![2048, 64]>::zeros();
    let first = states.slice(slice![.., ..2048]);
    let hidden = first.matmul(&weights).relu();
    let _ = hidden.mean_axis::<-1>();
}
