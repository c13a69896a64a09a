//! A tensor with a size in place of a name, which might be any of the axes of that size.
//!
//! The compiler says: "axis `Dim<32>` of the tensor, whose shape is `(((), Channels), Dim<32>)`, has no name"
//! And: "`x.rename_axis::<0, Channels>()` gives axis 0 the name that `axis!(Channels = 3)` declares"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Channels = 3, Height = 32, Width = 32);

fn main() {
    let x: Tensor<shape![Channels, 32]> = Tensor::zeros();
    let _ = x.align_to::<shape![Channels, Height, Width]>();
}
