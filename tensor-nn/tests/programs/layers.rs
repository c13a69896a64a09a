//! Layers.

use tensor_core::random::Generator;
use tensor_core::windows::{Conv1dOptions, Conv2dOptions, Pool1dOptions, Pool2dOptions};
use tensor_core::{Float, axis, dim, shape, tensor};
use tensor_nn::layers::*;

use super::check::{Check, numbers, numbers_shaped};
use super::{Batch, D, Time, step, training};

pub fn cases<T: Float>(check: &mut Check) {
    elements::<T>(check);
    linear::<T>(check);
    normalization::<T>(check);
    windows::<T>(check);
    positions::<T>(check);
    lists::<T>(check);
}

fn elements<T: Float>(check: &mut Check) {
    let x = numbers::<shape![4, 10], T>();
    check.case("activations::forward Relu", x.clone(), |x| Relu.forward(x));
    check.case("activations::forward Gelu", x.clone(), |x| Gelu.forward(x));
    check.case("activations::forward GeluTanh", x.clone(), |x| GeluTanh.forward(x));
    check.case("activations::forward Silu", x.clone(), |x| Silu.forward(x));
    check.case("activations::forward Tanh", x.clone(), |x| Tanh.forward(x));
    check.case("activations::forward Sigmoid", x.clone(), |x| Sigmoid.forward(x));
    check.case("activations::forward Softplus", x.clone(), |x| Softplus.forward(x));
    check.case("activations::forward Identity", x.clone(), |x| Identity.forward(x));
    check.case("activations::forward LeakyRelu", x.clone(), |x| LeakyRelu::default().forward(x));
    check.case("activations::forward Elu", x.clone(), |x| Elu { alpha: 0.5 }.forward(x));
    check.case("activations::forward Softmax", x.clone(), |x| Softmax.forward(x));
    check.case("activations::forward LogSoftmax", x.clone(), |x| LogSoftmax.forward(x));
    check.case("gated::forward Glu", x.clone(), |x| <Glu>::default().forward(x));
    check.case("gated::forward Glu<Gelu>", x.clone(), |x| Glu(Gelu).forward(x));
    check.case("dropout::forward", (step(), x.clone()), |(step, x)| {
        let mut pass = training(step);
        let once = Dropout::new(0.25).forward(x, &mut pass);
        (Dropout::new(0.5).forward(&once, &mut pass), Dropout::new(1.0).forward(x, &mut pass))
    });
    check.case("dropout::forward evaluation", x.clone(), |x| {
        Dropout::new(0.25).forward(x, &mut Pass::eval())
    });
    check.case("checkpoint::checkpoint", (step(), x.clone()), |(step, x)| {
        training(step).checkpoint((x, x), |(x, y), pass| {
            Dropout::new(0.25).forward(&(x * y.tanh()), pass).exp()
        })
    });
    let tiny = numbers::<shape![3], T>();
    check.case("activations::forward tiny", tiny, |x| (Gelu.forward(x), Softmax.forward(x)));
}

fn linear<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(1);
    let layer: Linear<D<8>, D<6>, T> = Linear::new(rng);
    let batch = numbers_shaped::<shape![Batch, 8], T>(shape![Batch(3), 8]);
    check.case("linear::forward", (layer.clone(), batch), |(layer, x)| layer.forward(x));
    let x = numbers::<shape![2, 3, 8], T>();
    check.case("linear::forward sequences", (layer.clone(), x.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let one = numbers::<shape![8], T>();
    check.case("linear::forward one", (layer, one), |(layer, x)| layer.forward(x));
    let layer: Linear<D<8>, D<6>, T, NoBias> = Linear::without_bias(rng);
    check.case("linear::forward without bias", (layer, x.clone()), |(layer, x)| layer.forward(x));
    let tiny: Linear<D<2>, D<3>, T> = Linear::new(rng);
    check.case("linear::forward tiny", (tiny, numbers::<shape![2], T>()), |(layer, x)| {
        layer.forward(x)
    });
    let weight = numbers::<shape![Out<D<6>>, In<D<8>>], T>();
    let bias = numbers::<shape![6], T>();
    check.case("linear::of", (weight, bias, x.clone()), |(weight, bias, x)| {
        let layer: Linear<D<8>, D<6>, T> = Linear::of(weight.clone(), bias.clone());
        layer.forward(x)
    });
    let layer: SwiGlu<D<8>, D<12>, T> = SwiGlu::new(rng);
    check.case("gated::forward SwiGlu", (layer, x.clone()), |(layer, x)| layer.forward(x));
    let layer: GeGlu<D<8>, D<12>, T> = GeGlu::new(rng);
    check.case("gated::forward GeGlu", (layer, x.clone()), |(layer, x)| layer.forward(x));
    let layer: GatedMlp<D<8>, D<12>, T, GeluTanh> = GatedMlp::new(rng);
    check.case("gated::forward GatedMlp", (layer, x.clone()), |(layer, x)| layer.forward(x));
    let layer: ReGlu<D<8>, D<12>, T> = ReGlu::new(rng);
    check.case("gated::forward ReGlu", (layer, x), |(layer, x)| layer.forward(x));

    let words = tensor![[1_i64, 0, -1], [4, 4, 2]];
    let layer: Embedding<D<7>, D<5>, T> = Embedding::new(rng);
    check.case("embedding::forward", (words.clone(), layer.clone()), |(words, layer)| {
        layer.forward(words).unwrap()
    });
    check.case("embedding::forward_padded", (words, layer), |(words, layer)| {
        layer.forward_padded(words, 4).unwrap()
    });
}

fn normalization<T: Float>(check: &mut Check) {
    let x = numbers::<shape![3, 4, 24], T>();
    let mut layer: LayerNorm<D<24>, T> = LayerNorm::new();
    (layer.weight, layer.bias) = (numbers(), numbers());
    check.case("normalization::forward LayerNorm", (layer, x.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: LayerNorm<D<24>, T, NoBias> = LayerNorm::without_bias().with_epsilon(1e-3);
    check.case("normalization::forward without bias", (layer, x.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: LayerNorm<D<3>, T> = LayerNorm::new();
    check.case("normalization::forward tiny", (layer, numbers::<shape![3], T>()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: RmsNorm<D<24>, T> = RmsNorm::new();
    check.case("normalization::forward RmsNorm", (layer, x), |(layer, x)| layer.forward(x));
    let images = numbers::<shape![2, 4, 3, 5], T>();
    let mut layer: GroupNorm<D<4>, 2, T> = GroupNorm::new();
    layer.weight = numbers();
    check.case("normalization::forward GroupNorm", (layer, images.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let rows = numbers::<shape![6, 4], T>();
    let layer: GroupNorm<D<4>, 2, T, -1> = GroupNorm::new();
    check.case("normalization::forward GroupNorm of rows", (layer, rows.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: InstanceNorm<D<4>, T> = InstanceNorm::new();
    check.case("normalization::forward InstanceNorm", (layer, images.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let sequences = numbers::<shape![2, 4, 9], T>();
    let layer: InstanceNorm<D<4>, T, -2> = InstanceNorm::new();
    check.case(
        "normalization::forward InstanceNorm of sequences",
        (layer, sequences.clone()),
        |(layer, x)| layer.forward(x),
    );

    macro_rules! batch_norm {
        ($name:literal, $Norm:ty, $x:expr) => {
            let mut layer: $Norm = BatchNorm::new();
            layer.weight = numbers();
            check.case(
                concat!("batch_norm::forward ", $name),
                (layer.clone(), $x.clone()),
                |(layer, x)| layer.forward(x, &mut Pass::eval()),
            );
            check.case(
                concat!("batch_norm::update ", $name),
                (layer, step(), $x.clone()),
                |(layer, step, x)| {
                    let (mut layer, mut pass) = (layer.clone(), training(step));
                    let y = layer.forward(x, &mut pass);
                    pass.update(&mut layer);
                    let z = layer.forward(&(x * x), &mut pass);
                    layer.update(&mut pass);
                    (y, z, layer)
                },
            );
        };
    }
    batch_norm!("BatchNorm2d", BatchNorm2d<D<4>, T>, images);
    batch_norm!("BatchNorm1d", BatchNorm1d<D<4>, T>, rows);
    batch_norm!("BatchNorm1d of sequences", BatchNorm1d<D<4>, T>, sequences);
    batch_norm!("BatchNorm of rows", BatchNorm<D<4>, T, -1>, rows);
    batch_norm!("BatchNorm of sequences", BatchNorm<D<4>, T, -2>, sequences);
}

fn windows<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(2);
    let sequences = numbers::<shape![2, 4, 9], T>();
    let images = numbers::<shape![2, 4, 6, 7], T>();
    let layer: Conv1d<D<4>, D<3>, D<3>, Conv1dOptions, T> = Conv1d::new(rng);
    check.case("convolution::forward Conv1d", (layer, sequences.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: Conv1d<D<2>, D<6>, D<3>, Options1d<2, 1, 1, 2>, T, NoBias> =
        Conv1d::without_bias(rng);
    check.case("convolution::forward groups", (layer, sequences.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: Conv1d<D<4>, D<3>, D<3>, Named1d<Time, 2, 1>, T> = Conv1d::new(rng);
    let named = numbers_shaped::<shape![2, 4, Time], T>(shape![2, 4, Time(9)]);
    check.case("convolution::forward Named1d", (layer, named), |(layer, x)| layer.forward(x));
    let layer: Conv2d<D<4>, D<3>, D<3>, D<2>, Conv2dOptions, T> = Conv2d::new(rng);
    check.case("convolution::forward Conv2d", (layer, images.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: Conv2d<D<4>, D<3>, D<3>, D<3>, Same2d<2>, T> = Conv2d::new(rng);
    check.case("convolution::forward Same2d", (layer, images.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: Conv1d<D<4>, D<3>, D<3>, Same1d, T> = Conv1d::zeros();
    check.case("convolution::forward Same1d", (layer, sequences.clone()), |(layer, x)| {
        layer.forward(x)
    });
    axis!(Height);
    axis!(Width);
    let layer: Conv2d<dim!(1), D<4>, D<3>, D<3>, Named2d<Height, Width, 2, 1, 1, 4>, T> =
        Conv2d::new(rng);
    let named = numbers_shaped::<shape![2, 4, Height, Width], T>(shape![2, 4, Height(6), Width(7)]);
    check.case("convolution::forward Named2d", (layer, named), |(layer, x)| layer.forward(x));
    let layer: Conv2d<D<4>, D<3>, D<3>, D<3>, Options2d<2, 1>, T> = Conv2d::new(rng);
    check.case("convolution::forward Options2d", (layer, images.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: ConvTranspose1d<D<4>, D<3>, D<3>, Options1d<2, 1>, T> = ConvTranspose1d::new(rng);
    check.case("conv_transpose::forward 1d", (layer, sequences.clone()), |(layer, x)| {
        layer.forward(x)
    });
    let layer: ConvTranspose2d<D<4>, D<3>, D<3>, D<2>, Conv2dOptions, T> =
        ConvTranspose2d::new(rng);
    check
        .case("conv_transpose::forward 2d", (layer, images.clone()), |(layer, x)| layer.forward(x));

    check.case("pooling::forward MaxPool1d", sequences.clone(), |x| {
        MaxPool1d(Pool1dOptions::new::<3>().stride::<2>().padding::<1>()).forward(x)
    });
    check.case("pooling::forward AvgPool1d", sequences.clone(), |x| {
        AvgPool1d(Pool1dOptions::new::<3>().stride::<2>().padding::<1>()).forward(x)
    });
    check.case("pooling::forward MaxPool2d", images.clone(), |x| {
        MaxPool2d(Pool2dOptions::new::<2>()).forward(x)
    });
    check.case("pooling::forward AvgPool2d", images.clone(), |x| {
        AvgPool2d(Pool2dOptions::new::<2>()).forward(x)
    });
    check.case("pooling::forward AdaptiveAvgPool", images.clone(), |x| {
        AdaptiveAvgPool::<shape![4, 3]>::new().forward(x)
    });
    check.case("pooling::forward AdaptiveMaxPool", images.clone(), |x| {
        AdaptiveMaxPool::<shape![4, 3]>::new().forward(x)
    });
    check.case("pooling::forward GlobalAvgPool2d", images.clone(), |x| GlobalAvgPool2d.forward(x));
    check.case("pooling::forward GlobalMaxPool2d", images.clone(), |x| GlobalMaxPool2d.forward(x));
    check.case("pooling::forward Flatten", images, |x| {
        (<Flatten>::new().forward(x), Flatten::<0>::new().forward(x))
    });
}

fn positions<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(3);
    let x = numbers_shaped::<shape![2, Time, 8], T>(shape![2, Time(5), 8]);
    check.case("positions::forward interleaved", x.clone(), |x| {
        SinusoidalPositions::<Time, D<8>, T>::interleaved(shape![Time(5), 8], 2).forward(x)
    });
    check.case("positions::forward halves", x.clone(), |x| {
        SinusoidalPositions::<Time, D<8>, T>::halves(shape![Time(5), 8], 0).forward(x)
    });
    let layer: LearnedPositions<D<9>, D<8>, T> = LearnedPositions::new(rng);
    check.case("positions::forward LearnedPositions", (layer, x.clone()), |(layer, x)| {
        layer.forward(x, 3)
    });
    let mask = tensor![[true, true, false, true, false], [false, false, false, false, false]];
    let sequences = numbers::<shape![2, 5, 8], T>();
    check.case("masked_mean::masked_mean", (mask, sequences), |(mask, x)| masked_mean(x, mask));

    let halves = numbers::<shape![2, 5, Halves<D<8>>], T>();
    check.case("rotary::forward Halves", halves.clone(), |x| {
        RotaryPositions::<D<5>, Halves<D<8>>, T>::new().forward(x)
    });
    let pairs = numbers::<shape![2, 5, Interleaved<D<8>>], T>();
    check.case("rotary::forward Interleaved", pairs.clone(), |x| {
        let scaling = RotaryScaling::Ntk { factor: 2.0 };
        let shape = (((), D::<5>::default()), Interleaved(D::<8>::default()));
        RotaryPositions::<D<5>, Interleaved<D<8>>, T>::new_scaled(shape, 1e4, 3, scaling).forward(x)
    });
    check.case("rotary::part", halves.clone(), |x| {
        RotaryPositions::<D<9>, Halves<D<8>>, T>::new().part::<D<5>>(2..7).forward(x)
    });
    check.case("layouts::of Halves", pairs, |x| Halves::of(x));
    check.case("layouts::of Interleaved", halves, |x| Interleaved::of(x));
    let rows = numbers::<shape![QkvPerHead<D<2>, D<3>>, 6], T>();
    check.case("layouts::qkv_blocks", rows, |x| qkv_blocks::<_, D<6>, _, _, T>(x));
}

fn lists<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(4);
    let list = Sequential((
        Linear::<D<8>, D<6>, T>::new(rng),
        Relu,
        Dropout::new(0.25),
        LayerNorm::<D<6>, T>::new(),
        Linear::<D<6>, D<4>, T>::new(rng),
        Softmax,
    ));
    let inputs = (list, step(), numbers::<shape![3, 8], T>());
    check.case("sequential::forward", inputs, |(list, step, x)| {
        list.forward(x, &mut training(step))
    });
    let list = Sequential((
        Conv2d::<D<2>, D<4>, D<3>, D<3>, Same2d, T>::new(rng),
        BatchNorm2d::<D<4>, T>::new(),
        Elu::default(),
        MaxPool2d(Pool2dOptions::new::<2>()),
        <Flatten>::new(),
        Linear::<D<36>, D<3>, T>::new(rng),
    ));
    let inputs = (list, step(), numbers::<shape![2, 2, 6, 6], T>());
    check.case("sequential::forward images", inputs, |(list, step, x)| {
        let (mut list, mut pass) = (list.clone(), training(step));
        let y = list.forward(x, &mut pass);
        pass.update(&mut list);
        (y, list)
    });
}
