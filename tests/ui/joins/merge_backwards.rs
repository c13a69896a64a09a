//! The first axis comes after the last.
//!
//! The compiler says: "axis 1 comes after axis 0: there is nothing to flatten"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);
axis!(Seq);
axis!(Tokens);

fn merged(x: &Tensor<shape![Batch, Seq, 512]>) {
    let _ = x.flatten_axes_as::<1, 0, Tokens>();
}

fn main() {}
