//! A type with a method `forward` is no layer yet.
//!
//! The compiler says: "the layer `Squared` does not take an input `Tensor<(((), Dim<32>), Dim<10>)>`"
//! Lines: 23, as rustc lists layers that there are.

use tensor_core::{Shape, Tensor, dim, shape};
use tensor_nn::layers::{Linear, Pass, Sequential};

struct Squared;

impl Squared {
    fn forward<S: Shape>(&self, x: &Tensor<S>) -> Tensor<S> {
        x.square()
    }
}

type Model = Sequential<(Linear<dim!(784), dim!(10)>, Squared)>;

fn scores(model: &Model, images: &Tensor<shape![32, 784]>) -> Tensor<shape![32, 10]> {
    let squared = Squared.forward(images);
    model.forward(&squared, &mut Pass::eval())
}

fn main() {}
