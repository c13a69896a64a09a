//! A target with a name twice: nothing decides which of the two the axis of the tensor is.
//!
//! The compiler says: "axis `Time` is in the target `((((), Batch), Time), Time)` twice"
//! And: "nothing decides which of the two an axis of the tensor is"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Time);

fn main() {
    let mask = Tensor::<shape![Time]>::ones_shaped(shape![Time(7)]);
    let _ = mask.align_to::<shape![Batch, Time, Time]>();
}
