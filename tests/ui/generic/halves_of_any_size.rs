//! Rotary positions: the channels in two halves. That the number of channels is even is a bound.
//!
//! The compiler says: "is not known here"
//! And: "required for `((Lead, Time), D)` to implement `ChunkAxis<-1, 2>`"
//! Lines: 14, as rustc proposes a bound

use tensor_core::{Axis, Shape, StaticAxis, Tensor, shape};

fn rotate<Lead: Shape, Time: Axis, D: StaticAxis>(
    x: &Tensor<shape![Lead.., Time, D]>,
) -> Tensor<shape![Lead.., Time, D]> {
    let [a, b] = x.chunk::<-1, 2>();
    (-b).concat::<-1, _>(&a)
}

fn main() {}
