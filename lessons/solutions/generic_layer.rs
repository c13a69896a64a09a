//! A layer that is written once: from any number of inputs `I` to any number of outputs `O`, over
//! any leading axes `Lead`.
//!
//! A type parameter may be anything at all, a `String` too. A bound states what it has to be:
//! `Axis` for one axis, `Shape` for any number of them. No further bound is needed, and the compiler
//! checks the layer once, for all sizes.

use tensor_core::{Axis, Shape, Tensor, axis, dim, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        x.dot(&self.weight) + &self.bias
    }
}

axis!(Batch);

fn main() {
    let layer: Linear<dim!(3), dim!(2)> = Linear { weight: Tensor::ones(), bias: Tensor::ones() };

    let one = layer.forward(&Tensor::<shape![3]>::ones());
    assert_eq!(one.to_vec(), [4.0, 4.0]);

    let many = layer.forward(&Tensor::ones_shaped(shape![Batch(5), 7, 3]));
    assert_eq!(many.shape(), shape![Batch(5), 7, 2]);
}
