//! Normalisation of the last axis, of channels and of batches.

use tensor_core::autograd::value_and_grad;
use tensor_core::module::{Frozen, Module};
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::*;

use super::{Batch, D, Time, read, rng};

#[test]
fn normalisation_of_the_last_axis() {
    let case = read("layer_norm");
    let layer: LayerNorm<D<6>, f64> = case.fill(LayerNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 6]>("x")));

    // BERT's epsilon; with the default the small numbers are off by more than a half.
    let case = read("layer_norm_of_bert");
    let layer: LayerNorm<D<6>, f64> = case.fill(LayerNorm::new().with_epsilon(1e-12));
    let x = case.get::<shape![2, 3, 6]>("x");
    case.check("y", &layer.forward(&x));
    let default = LayerNorm { epsilon: 1e-5, ..layer.clone() }.forward(&x);
    assert!((default - layer.forward(&x)).abs().max().item() > 0.5);

    let case = read("layer_norm_without_bias");
    let mut layer: LayerNorm<D<6>, f64, NoBias> = case.fill(LayerNorm::without_bias());
    layer.epsilon = 0.5;
    case.check("y", &layer.forward(&case.get::<shape![2, 6]>("x")));

    let case = read("rms_norm");
    let layer: RmsNorm<D<6>, f64> = case.fill(RmsNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 3, 6]>("x")));
}

#[test]
fn normalisation_of_channels() {
    let case = read("group_norm");
    let layer: GroupNorm<D<4>, 2, f64> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3, 5]>("x")));
    let case = read("group_norm_of_sequences");
    let layer: GroupNorm<D<4>, 2, f64, -2> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, Time]>("x")));
    let case = read("group_norm_of_vectors");
    let layer: GroupNorm<D<4>, 2, f64, -1> = case.fill(GroupNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![Batch, 4]>("x")));

    let case = read("instance_norm");
    let layer: InstanceNorm<D<4>, f64> = case.fill(InstanceNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3, 5]>("x")));
    let case = read("instance_norm_of_sequences");
    let layer: InstanceNorm<D<4>, f64, -2> = case.fill(InstanceNorm::new());
    case.check("y", &layer.forward(&case.get::<shape![2, 4, 3]>("x")));
}

/// Three batches in training, what is kept of them, and a batch in use.
macro_rules! batch_norm {
    ($name:literal, $layer:expr, $($shape:tt)*) => {{
        let case = read($name);
        let mut layer = $layer;
        (layer.weight, layer.bias) = (case.get("weight"), case.get("bias"));
        let mut rng = rng();
        for batch in 0..3 {
            let mut pass = Pass::training(&mut rng);
            let y = layer.forward(&case.get::<$($shape)*>(&format!("x{batch}")), &mut pass);
            case.check(&format!("y{batch}"), &y);
            pass.update(&mut layer);
        }
        case.check("running_mean", &layer.running_mean);
        case.check("running_var", &layer.running_var);
        assert_eq!(layer.num_batches_tracked, case.integers("num_batches_tracked"));

        let x = case.get::<$($shape)*>("x0");
        case.check("used", &layer.forward(&x, &mut Pass::eval()));
        // A layer that does not take part in training is used, whatever the pass is for.
        layer.training = false;
        let mut pass = Pass::training(&mut rng);
        case.check("used", &layer.forward(&x, &mut pass));
        layer.update(&mut pass);
        assert_eq!(layer.num_batches_tracked.item(), 3);
    }};
}

#[test]
fn batch_norm() {
    batch_norm!("batch_norm1d", BatchNorm1d::<D<3>, f64>::new(), shape![5, 3]);
    batch_norm!("batch_norm1d", BatchNorm::<D<3>, f64, -1>::new(), shape![5, 3]);
    let mut layer = BatchNorm::<D<3>, f64, -2>::new();
    layer.momentum = 0.3;
    batch_norm!("batch_norm_of_sequences", layer, shape![Batch, 3, Time]);
    // PyTorch's `BatchNorm1d` takes both.
    let mut layer = BatchNorm1d::<D<3>, f64>::new();
    layer.momentum = 0.3;
    batch_norm!("batch_norm_of_sequences", layer, shape![Batch, 3, Time]);
    batch_norm!("batch_norm2d", BatchNorm2d::<D<3>, f64>::new(), shape![2, 3, 4, 5]);
}

/// Axis 1 has the channels, also where the last axis has the same size; and in a list.
#[test]
fn batch_norm_of_square_sequences() {
    let layer = BatchNorm1d::<D<3>, f64>::new();
    let x = Tensor::<shape![18], f64>::arange().square().reshape::<shape![2, 3, 3]>();
    let y = layer.forward(&x, &mut Pass::training(&mut rng()));
    assert!(y.mean_axes::<tensor_core::axes![0, 2]>().all_close(&Tensor::zeros(), 0.0, 1e-12));
    assert!(!y.mean_axes::<tensor_core::axes![0, 1]>().all_close(&Tensor::zeros(), 0.0, 1e-2));
    let list = Sequential((layer, Relu));
    let listed = list.forward(&x, &mut Pass::training(&mut rng()));
    assert_eq!(listed, y.relu());
}

/// Two layers of one shape keep their own statistics, in whatever order they take them over; a layer that
/// a pass goes through twice has seen two batches.
#[test]
fn statistics_go_to_their_layer() {
    let mut first = BatchNorm1d::<dim!(1)>::new();
    let mut second = BatchNorm1d::<dim!(1)>::new();
    let mut pass = Pass::training(&mut rng());
    let x: Tensor<shape![2, 1]> = Tensor::from_vec(vec![0.0, 20.0]).unwrap();
    second.forward(&x, &mut pass);
    first.forward(&(&x * 2.0), &mut pass);
    // A clone of the model may be trained.
    first.clone().forward(&(&x * 3.0), &mut pass);
    first.update(&mut pass);
    second.update(&mut pass);
    assert_eq!(first.running_mean[[0]], 0.9 * 2.0 + 0.1 * 30.0);
    assert_eq!(second.running_mean[[0]], 1.0);
    assert_eq!((first.num_batches_tracked.item(), second.num_batches_tracked.item()), (2, 1));
}

/// One call updates all layers of a model, wherever they are in it, and nothing else.
#[test]
fn statistics_of_a_model() {
    #[derive(Clone, Module)]
    enum Norm {
        Batch(Box<BatchNorm1d<D<3>, f64>>),
        Layer(Box<LayerNorm<D<3>, f64>>),
    }

    #[derive(Clone, Module)]
    struct Net {
        frozen: Frozen<Sequential<(BatchNorm1d<D<3>, f64>, Dropout)>>,
        norms: Vec<Norm>,
        last: Option<Box<(BatchNorm1d<D<3>, f64>,)>>,
    }

    impl Net {
        fn forward(
            &self,
            x: &Tensor<shape![5, 3], f64>,
            pass: &mut Pass,
        ) -> Tensor<shape![5, 3], f64> {
            let mut x = self.frozen.forward(x, pass);
            for norm in &self.norms {
                x = match norm {
                    Norm::Batch(norm) => norm.forward(&x, pass),
                    Norm::Layer(norm) => norm.forward(&x),
                };
            }
            self.last.as_ref().map_or(x.clone(), |last| last.0.forward(&x, pass))
        }
    }

    let new = BatchNorm1d::<D<3>, f64>::new;
    let mut net = Net {
        frozen: Frozen(Sequential((new(), Dropout::new(0.5)))),
        norms: vec![Norm::Batch(Box::new(new())), Norm::Layer(Box::new(LayerNorm::new()))],
        last: Some(Box::new((new(),))),
    };
    let x: Tensor<shape![5, 3], f64> = rng().normal(1.0, 2.0);
    let mut pass = Pass::training(&mut rng());
    let (_, gradient) = value_and_grad(&net, |net| net.forward(&x, &mut pass).square().sum());
    assert_eq!(gradient.names(), net.names());
    // A layer that is in no model is left alone.
    let mut other = new();
    pass.update(&mut other);
    assert_eq!(other.num_batches_tracked.item(), 0);
    for _ in 0..2 {
        pass.update(&mut net);
        let mut counts = Vec::new();
        for (name, _, tensor) in net.tensors_mut() {
            if name.ends_with("num_batches_tracked") {
                counts.extend_from_slice(tensor.as_mut_slice::<i64>().unwrap());
            }
        }
        assert_eq!(counts, [1, 1, 1]);
    }
    let mean = x.mean_axis::<0>();
    assert!(net.frozen.0.0.0.running_mean.all_close(&(mean * 0.1), 1e-12, 1e-12));

    net.set_training(false);
    let (mut first, mut second) = (Pass::training(&mut rng()), Pass::eval());
    assert_eq!(net.forward(&x, &mut first), net.forward(&x, &mut second));
}

#[test]
#[should_panic = "batch normalisation trains on more than one element for each channel"]
fn one_example_has_no_variance() {
    let layer = BatchNorm1d::<D<3>>::new();
    layer.forward(&Tensor::<shape![1, 3]>::ones(), &mut Pass::training(&mut rng()));
}

/// The layers normalise untracked tensors in one pass, with the bits of the operations one after the other.
#[test]
fn normalisation_in_one_pass_has_the_bits_of_the_operations() {
    macro_rules! check {
        ($($rows:literal $n:literal),*) => {$(
            let rng = &mut super::rng();
            let x: Tensor<shape![Batch, $n]> = rng.normal_shaped(shape![Batch($rows), $n], 0.5, 2.0);
            let (weight, bias): (Tensor<shape![$n]>, Tensor<shape![$n]>) = (rng.normal(0.0, 1.0), rng.normal(0.0, 1.0));
            let rms = RmsNorm { weight: weight.clone(), epsilon: 1e-6 };
            assert_eq!(rms.forward(&x), x.rms_norm::<-1>(1e-6) * &weight);
            let layer = LayerNorm { weight: weight.clone(), bias: NoBias, epsilon: 1e-5 };
            assert_eq!(layer.forward(&x), x.layer_norm::<-1>(1e-5) * &weight);
            let layer = LayerNorm { weight, bias, epsilon: 1e-5 };
            assert_eq!(layer.forward(&x), x.layer_norm::<-1>(1e-5) * &layer.weight + &layer.bias);
            // Strided rows are normalised by the operations.
            let columns = x.transpose().contiguous();
            assert_eq!(layer.forward(&columns.transpose()), layer.forward(&x));
        )*};
    }
    // Rows longer than a block of a sum are normalised by the operations, too.
    check!(3 1, 200 7, 0 64, 3 1024, 2 20000);
}
