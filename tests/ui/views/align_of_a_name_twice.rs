//! A tensor with a name twice: nothing decides which of the two the axis of the target is.
//!
//! The compiler says: "axis `Time` is in the tensor, whose shape is `(((), Time), Time)`, twice"
//! And: "give one another name by `rename_axis`"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Time);

fn main() {
    let scores = Tensor::<shape![Time, Time]>::ones_shaped(shape![Time(7), Time(7)]);
    let _ = scores.align_to::<shape![Batch, Time]>();
}
