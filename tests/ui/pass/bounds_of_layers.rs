//! Bounds on whole shapes: the input of a layer.

use tensor_core::{Axis, Tensor, dim, shape};
use tensor_nn::layers::{
    BatchNorm2d, ImageInput, LayerInput, Linear, Lstm, OutputOf, Pass, SequenceInput, SequenceOutput,
};

fn linear<S: LayerInput<I>, I: Axis, O: Axis>(
    layer: &Linear<I, O>,
    x: &Tensor<S>,
) -> Tensor<OutputOf<S, I, O>> {
    layer.forward(x)
}

fn lstm<S: SequenceInput<I>, I: Axis, H: Axis>(
    layer: &Lstm<I, H>,
    x: &Tensor<S>,
    pass: &mut Pass,
) -> Tensor<SequenceOutput<S, I, H>> {
    layer.forward(x, pass).0
}

fn norm<S: ImageInput<C>, C: Axis>(
    layer: &BatchNorm2d<C>,
    x: &Tensor<S>,
    pass: &mut Pass,
) -> Tensor<S::Same> {
    layer.forward(x, pass)
}

fn main() {
    let layer = Linear { weight: Tensor::<shape![3, 2]>::ones(), bias: Tensor::zeros() };
    let x = Tensor::<shape![4, 2]>::ones();
    let y: Tensor<shape![4, 3]> = linear(&layer, &x);
    assert_eq!(y, layer.forward(&x));

    let pass = &mut Pass::eval();
    let layer: Lstm<dim!(2), dim!(3)> = Lstm::zeros();
    let y: Tensor<shape![4, 3]> = lstm(&layer, &x, pass);
    assert_eq!(y, Tensor::zeros());

    let layer: BatchNorm2d<dim!(2)> = BatchNorm2d::new();
    let y: Tensor<shape![2, 3, 3]> = norm(&layer, &Tensor::<shape![2, 3, 3]>::zeros(), pass);
    assert_eq!(y, Tensor::zeros());
}
