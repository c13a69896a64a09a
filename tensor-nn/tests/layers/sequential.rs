//! Layers one after the other, and models in generic code.

use tensor_core::module::{Module, StaticModule};
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::*;

use super::{Batch, D, rng};

/// All layers in one list: what each gives the next one takes.
#[test]
fn sequential() {
    type Net = Sequential<(
        Conv2d<dim!(1), D<4>, D<3>, D<3>, Same2d>,
        BatchNorm2d<D<4>>,
        Relu,
        MaxPool2d<Pool2dOptions<D<2>, D<2>>>,
        Flatten,
        Dropout,
        Sequential<(Linear<D<64>, D<16>>, Gelu)>,
        Linear<D<16>, D<10>>,
        LogSoftmax,
    )>;
    let rng = &mut rng();
    let net: Net = Sequential((
        Conv2d::new(rng),
        BatchNorm2d::new(),
        Relu,
        MaxPool2d(Pool2dOptions::new::<2>()),
        Flatten,
        Dropout::new(0.1),
        Sequential((Linear::new(rng), Gelu)),
        Linear::new(rng),
        LogSoftmax,
    ));
    let images: Tensor<shape![Batch, 1, 8, 8]> =
        rng.normal_shaped(shape![Batch(5), 1, 8, 8], 0.0, 1.0);
    let y: Tensor<shape![Batch, 10]> = net.forward(&images, &mut Pass::training(rng));
    assert!(y.exp().sum_axis::<-1>().iter().all(|sum| (sum - 1.0).abs() < 1e-5));

    let names = ["0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var"];
    assert_eq!(net.names()[..6], names);
    assert_eq!(net.names()[7..], ["6.0.weight", "6.0.bias", "7.weight", "7.bias"]);
    assert_eq!(Net::NUM_PARAMETERS, 40 + 8 + 65 * 16 + 170);
    assert_eq!(net.num_parameters(), Net::NUM_PARAMETERS);
}

/// A list may contain recurrent layers, attention and tables, too.
#[test]
fn sequential_of_words() {
    let rng = &mut rng();
    let model = Sequential((
        Embedding::<D<20>, D<8>>::new(rng),
        LearnedPositions::<D<6>, D<8>>::new(rng),
        TransformerBlock::<D<8>, D<2>, D<4>, D<16>>::new(rng, NormOrder::Pre, 0.1),
        MultiHeadAttention::<D<8>, D<2>, D<4>>::new(rng),
        GroupedQueryAttention::<D<8>, D<4>, D<2>, D<3>>::new(rng),
        SwiGlu::<D<8>, D<12>>::new(rng),
        RmsNorm::<D<8>>::new(),
        Lstm::<D<8>, D<5>>::new(rng),
        Gru::<D<5>, D<4>>::new(rng),
        LayerNorm::<D<4>>::new(),
    ));
    let words: Tensor<shape![3, 6], i64> = rng.integers(0..20);
    let y: Tensor<shape![3, 6, 4]> = model.forward(&words, &mut Pass::eval());
    assert!(y.is_finite().all().item());
}

/// A model in generic code needs no bounds beyond those of its axes.
#[test]
fn generic_models() {
    use tensor_core::{Axis, Shape};

    fn scores<Lead: Shape, I: Axis, H: Axis, O: Axis>(
        model: &Sequential<(Linear<I, H>, Relu, Linear<H, O>)>,
        x: &Tensor<shape![Lead.., I]>,
    ) -> Tensor<shape![Lead.., O]> {
        model.forward(x, &mut Pass::eval())
    }

    fn written<Lead: Shape, Time: Axis, D: Axis, H: Axis, O: Axis>(
        (attention, norm, hidden, out): &(
            MultiHeadAttention<D, dim!(2), dim!(4)>,
            LayerNorm<D>,
            Linear<D, H>,
            Linear<H, O>,
        ),
        x: &Tensor<shape![Lead.., Time, D]>,
    ) -> Tensor<shape![Lead.., Time, O]> {
        let x = x + attention.forward(&norm.forward(x), Causal, &mut Pass::eval());
        out.forward(&hidden.forward(&x).gelu())
    }

    let rng = &mut rng();
    let model = Sequential((Linear::<D<5>, D<6>>::new(rng), Relu, Linear::<D<6>, D<7>>::new(rng)));
    assert_eq!(scores(&model, &Tensor::<shape![2, 3, 5]>::ones()).shape(), shape![2, 3, 7]);
    let model = (
        MultiHeadAttention::<D<8>, D<2>, D<4>>::new(rng),
        LayerNorm::new(),
        Linear::<D<8>, D<6>>::new(rng),
        Linear::<D<6>, D<7>>::new(rng),
    );
    assert_eq!(written(&model, &Tensor::<shape![2, 3, 8]>::ones()).shape(), shape![2, 3, 7]);
}
