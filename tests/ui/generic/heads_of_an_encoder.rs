//! A layer of an encoder, generic over its sizes, is made with ten heads of 64 channels for a width of 768.
//!
//! The compiler says: "`Dim<10>` heads of `Dim<64>` channels are `Dim<640>` channels, and the model has `Dim<768>`"
//! Lines: 18, as rustc shows the bound of `new`.

use tensor_core::{Axis, Shape, StaticAxis, Tensor, dim, random::Generator, shape};
use tensor_nn::layers::{HeadsFill, LayerNorm, Linear, MultiHeadAttention, NoMask, Pass};

struct Layer<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis> {
    attention: MultiHeadAttention<D, H, C>,
    attention_norm: LayerNorm<D>,
    up: Linear<D, F>,
    down: Linear<F, D>,
    norm: LayerNorm<D>,
}

impl<D: StaticAxis, H: StaticAxis, C: StaticAxis, F: StaticAxis> Layer<D, H, C, F>
where
    (H, C): HeadsFill<D>,
{
    fn new(rng: &mut Generator) -> Self {
        Self {
            attention: MultiHeadAttention::new(rng),
            attention_norm: LayerNorm::new(),
            up: Linear::new(rng),
            down: Linear::new(rng),
            norm: LayerNorm::new(),
        }
    }
}

impl<D: Axis, H: StaticAxis, C: StaticAxis, F: Axis> Layer<D, H, C, F> {
    fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D]>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Time, D]> {
        let x = self.attention_norm.forward(&(x + self.attention.forward(x, NoMask, pass)));
        let y = self.down.forward(&self.up.forward(&x).gelu());
        self.norm.forward(&(x + y))
    }
}

fn main() {
    let layer: Layer<dim!(768), dim!(10), dim!(64), dim!(3072)> =
        Layer::new(&mut Generator::seed(42));
    let y = layer.forward(&Tensor::<shape![32, 128, 768]>::ones(), &mut Pass::eval());
    println!("{}", y.mean());
}
