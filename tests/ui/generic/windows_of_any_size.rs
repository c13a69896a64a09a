//! Frames of a signal of any length.
//!
//! The compiler says: "is not known here"
//! And: "required for `((), N)` to implement `WindowsAlong<-1, Dim<400>>`"
//! Lines: 13, as rustc proposes a bound

use tensor_core::{StaticAxis, Tensor, dim, shape};

fn energy<N: StaticAxis>(signal: &Tensor<shape![N]>) -> f32 {
    let frames = signal.windows::<-1, dim!(400)>();
    frames.square().sum_axis::<-1>().max().item()
}

fn main() {}
