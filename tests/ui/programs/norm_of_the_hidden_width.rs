//! The normalisation before a layer has the width of the layer's output.
//!
//! The compiler says: "the layer takes `Dim<2048>`, and the last axis of its input is `Dim<512>`"
//! And: "`LayerNorm<dim!(64)>`"

use tensor_core::random::Generator;
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::layers::{LayerNorm, Linear};

axis!(Batch);
axis!(Time);

struct FeedForward {
    norm: LayerNorm<dim!(2048)>,
    up: Linear<dim!(512), dim!(2048)>,
    down: Linear<dim!(2048), dim!(512)>,
}

impl FeedForward {
    fn forward(&self, x: &Tensor<shape![Batch, Time, 512]>) -> Tensor<shape![Batch, Time, 512]> {
        let inner = self.up.forward(&self.norm.forward(x)).silu();
        x + self.down.forward(&inner)
    }
}

fn main() {
    let mut rng = Generator::seed(2);
    let ff = FeedForward {
        norm: LayerNorm::new(),
        up: Linear::new(&mut rng),
        down: Linear::new(&mut rng),
    };
    let x = Tensor::zeros_shaped(shape![Batch(2), Time(64), 512]);
    println!("{:?}", ff.forward(&x).shape());
}
