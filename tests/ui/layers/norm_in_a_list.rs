//! In a list of layers, a norm has another width than the layer in front of it.
//!
//! The compiler says: "the layer takes `Dim<256>`, and the last axis of its input is `Dim<512>`"

use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::layers::{Dropout, LayerNorm, Linear, Pass, Relu, Sequential};

axis!(Batch);

type Classifier = Sequential<(
    Linear<dim!(784), dim!(512)>,
    LayerNorm<dim!(256)>,
    Relu,
    Dropout,
    Linear<dim!(512), dim!(10)>,
)>;

fn scores(model: &Classifier, images: &Tensor<shape![Batch, 784]>) {
    let _ = model.forward(images, &mut Pass::eval());
}

fn main() {}
