//! Images of three axes have no axis 3: the channels are the last one, axis 2.
//!
//! The compiler says: "axis 3 is out of range for shape `((((), Dim<224>), Dim<224>), Dim<3>)`"
//! And: "axes count from 0 at the front and from -1 at the end"

use tensor_core::{Tensor, axes, shape};

fn main() {
    let image = Tensor::<shape![224, 224, 3]>::zeros();
    let _ = image.max_axes_keepdims::<axes![0, 3]>();
}
