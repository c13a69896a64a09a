//! A layer needs at least one axis; a single number has none.
//!
//! The compiler says: "mismatched types"
//! And: "expected `&Tensor<(_, Dim<3>)>`, found `&Tensor<()>`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Shape, Tensor, shape};

fn last_axis<Lead: Shape>(_: &Tensor<shape![Lead.., 3]>) {}

fn main() {
    last_axis(&Tensor::<shape![]>::zeros());
}
