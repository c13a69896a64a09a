//! A batch may hold one element, and is never squeezed.
//!
//! The compiler says: "only an axis of size `One` can be squeezed, and axis 0 is `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn main() {
    let x = Tensor::zeros_shaped(shape![Batch(1), 3]);
    let _: Tensor<shape![3]> = x.squeeze::<0>();
}
