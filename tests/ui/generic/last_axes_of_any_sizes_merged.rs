//! The last two axes of any sizes are merged.
//!
//! The compiler says: "the size of axis `C` is not known at compile time"
//! And: "add the bound `C: StaticAxis`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Shape, Tensor, shape};

fn total<Lead: Shape, C: Axis, H: Axis>(x: &Tensor<shape![Lead.., C, H]>) -> f32 {
    x.flatten_axes::<-2, -1>().sum().item()
}

fn main() {}
