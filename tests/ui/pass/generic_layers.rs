//! Layers over any leading axes, without where clauses.

use tensor_core::{Axis, Float, Shape, Tensor, axis, dim, shape};

axis!(Batch);

struct Linear<I: Axis, O: Axis, T: Float = f32> {
    weight: Tensor<shape![I, O], T>,
    bias: Tensor<shape![O], T>,
}

impl<I: Axis, O: Axis, T: Float> Linear<I, O, T> {
    fn forward<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., I], T>,
    ) -> Tensor<shape![Lead.., O], T> {
        x.dot(&self.weight) + &self.bias
    }
}

/// The same axis in and out, around whatever happens between.
struct Residual<A: Axis, H: Axis> {
    up: Linear<A, H>,
    down: Linear<H, A>,
}

impl<A: Axis, H: Axis> Residual<A, H> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., A]>) -> Tensor<shape![Lead.., A]> {
        x + self.down.forward(&self.up.forward(x).relu())
    }
}

fn layer_norm<Lead: Shape, A: Axis>(
    x: &Tensor<shape![Lead.., A]>,
    scale: &Tensor<shape![A]>,
) -> Tensor<shape![Lead.., A]> {
    let centred = x - x.mean_axis_keepdims::<-1>();
    let variance = centred.square().mean_axis_keepdims::<-1>();
    centred * (variance + 1e-5).rsqrt() * scale
}

fn softmax<Lead: Shape, A: Axis>(x: &Tensor<shape![Lead.., A]>) -> Tensor<shape![Lead.., A]> {
    let shifted = x - x.max_axis_keepdims::<-1>();
    let powers = shifted.exp();
    &powers / powers.sum_axis_keepdims::<-1>()
}

fn main() {
    let layer: Linear<dim!(3), dim!(2)> = Linear { weight: Tensor::ones(), bias: Tensor::ones() };
    let vector = layer.forward(&Tensor::<shape![3]>::ones());
    assert_eq!(vector.to_vec(), [4.0, 4.0]);
    let batch = layer.forward(&Tensor::ones_shaped(shape![Batch(5), 7, 3]));
    assert_eq!(batch.shape(), shape![Batch(5), 7, 2]);

    let down = Linear { weight: Tensor::ones(), bias: Tensor::zeros() };
    let block = Residual { up: layer, down };
    assert_eq!(block.forward(&Tensor::<shape![3]>::ones()).to_vec(), [9.0, 9.0, 9.0]);

    let x = Tensor::<shape![4, 3]>::from_fn(|[row, column]| (row * column) as f32);
    let normal = layer_norm(&x, &Tensor::ones());
    assert!(normal.mean_axis::<-1>().all_close(&Tensor::zeros(), 0.0, 1e-6));
    assert!(softmax(&x).all_close(&x.softmax::<-1>(), 1e-6, 0.0));
}
