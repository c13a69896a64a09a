//! The batch is squeezed, and not the axis of 1: no message about the result.
//!
//! The compiler says: "only an axis of size `One` can be squeezed, and axis 0 is `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn rewards(values: &Tensor<shape![Batch, 1]>) -> Tensor<shape![Batch]> {
    values.squeeze::<0>()
}

fn main() {
    let v = Tensor::ones_shaped(shape![Batch(16), 1]);
    println!("{}", rewards(&v).sum().item());
}
