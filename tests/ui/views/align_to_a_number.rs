//! A target with a size in place of a name.
//!
//! The compiler says: "axis `Dim<3>` of the target `(((), Batch), Dim<3>)` has no name"
//! And: "declare the axis, as by `axis!(Channels = 3)`, and write its name"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch = 8);

fn main() {
    let x: Tensor<shape![Batch]> = Tensor::zeros();
    let _ = x.align_to::<shape![Batch, 3]>();
}
