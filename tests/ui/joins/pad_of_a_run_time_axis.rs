//! How long a padded sequence is, types do not know.
//!
//! The compiler says: "the size of axis `Seq` is not known at compile time"

use tensor_core::{Padding, Tensor, axis, shape};

axis!(Seq);

fn padded(x: &Tensor<shape![Seq, 512]>) {
    let _ = x.pad::<shape![1, 0], shape![1, 0]>(Padding::Constant(0.0));
}

fn main() {}
