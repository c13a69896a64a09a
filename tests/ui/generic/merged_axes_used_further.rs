//! The time axis is merged with the heads, and not the heads with their channels: the product behind is no second error.
//!
//! The compiler says: "the size of axis `Time` is not known at compile time"
//! Lines: 13, as rustc proposes a bound

use tensor_core::{Axis, Shape, StaticAxis, Tensor, shape};

fn merged<Lead: Shape, Time: Axis, H: StaticAxis, C: Axis, D: Axis>(
    heads: &Tensor<shape![Lead.., Time, H, C]>,
    out: &Tensor<shape![D, D]>,
) -> Tensor<shape![Lead.., Time, D]> {
    heads.flatten_axes::<-3, -2>().dot(out)
}

fn main() {}
