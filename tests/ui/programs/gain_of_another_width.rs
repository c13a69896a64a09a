//! A gain that is expanded to a width it does not have, and used further on.
//!
//! The compiler says: "cannot expand an axis of size `Dim<1024>` to `Dim<768>`"
//! Errors: 2, as the target is the shape of the result

use tensor_core::{Tensor, shape};

type Batch = Tensor<shape![32, 1024]>;

/// `x · gain + shift`, with the gain of each channel written out for every row.
fn scaled(x: &Batch, gain: &Tensor<shape![1024]>, shift: &Tensor<shape![1024]>) -> Batch {
    let gains = gain.expand::<shape![32, 768]>();
    let y = x * &gains;
    let shifted = y + shift;
    shifted.relu()
}

fn main() {
    let x = Batch::ones();
    let (gain, shift) = (Tensor::full(2.0), Tensor::full(0.5));
    println!("{}", scaled(&x, &gain, &shift).mean());
}
