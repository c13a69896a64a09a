//! The attention of an encoder as BERT's, over any leading axes, time, width and heads: written out, and as a layer.
//! `examples/generic_models/encoder.rs` has the whole encoder.

use tensor_core::arithmetic::CountElements;
use tensor_core::random::Generator;
use tensor_core::{Axis, Shape, StaticAxis, Tensor, axis, dim, select, shape};
use tensor_nn::layers::{MultiHeadAttention, NoMask, Pass};

axis!(Batch);
axis!(Time);

/// The weights of queries, keys, values and the result.
struct Attention<D: Axis, H: StaticAxis, C: StaticAxis> {
    weights: [Tensor<shape![D, D]>; 4],
    heads: shape![H, C],
}

impl<D: StaticAxis, H: StaticAxis, C: StaticAxis> Attention<D, H, C>
where
    shape![H, C]: CountElements<Count = D>,
{
    fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, D]>,
        is_token: &Tensor<shape![Lead.., Time], bool>,
    ) -> Tensor<shape![Lead.., Time, D]> {
        let [queries, keys, values, result] = &self.weights;
        let in_heads = |weight| -> Tensor<shape![Lead.., H, Time, C]> {
            x.dot(weight).unflatten::<-1, shape![H, C]>().swap_axes::<-3, -2>()
        };
        let (_, channels) = self.heads;
        let scores = in_heads(queries).matmul(&in_heads(keys).transpose());
        let scores = scores / (channels.size() as f32).sqrt();
        let keys = is_token.unsqueeze::<-2>().unsqueeze::<-2>();
        let weights = select(keys, scores, f32::NEG_INFINITY).softmax::<-1>();
        let found = weights.matmul(&in_heads(values)).swap_axes::<-3, -2>();
        found.flatten_axes::<-2, -1>().dot(result)
    }
}

fn main() {
    let rng = &mut Generator::seed(42);
    let x: Tensor<shape![Batch, Time, 12]> =
        rng.normal_shaped(shape![Batch(2), Time(5), 12], 0.0, 1.0);
    let is_token = Tensor::full_shaped(shape![Batch(2), Time(5)], true);

    // Written out, and as a layer: the same weights and results.
    let layer: MultiHeadAttention<dim!(12), dim!(3), dim!(4)> = MultiHeadAttention::new(rng);
    let [queries, keys, values] = [0, 12, 24]
        .map(|row| layer.in_proj_weight.slice_axis::<0, dim!(12)>(row..row + 12).transpose());
    let weights = [queries, keys, values, layer.out_proj.weight.transpose()];
    let attention = Attention { weights, heads: shape![3, 4] };
    let y = attention.forward(&x, &is_token);
    assert!(y.all_close(&layer.forward(&x, NoMask, &mut Pass::eval()), 1e-5, 1e-5));
}
