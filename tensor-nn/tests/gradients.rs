//! The gradient of every layer and every loss is what differences are, in `f64`, by each parameter and by
//! the input.

use tensor_core::autograd::{grad, value_and_grad};
use tensor_core::module::{Module, Role};
use tensor_core::random::Generator;
use tensor_core::windows::{Pool1dOptions, Pool2dOptions};
use tensor_core::{Dim, Shape, StaticAxis, StaticShape, Tensor, dim, shape, tensor};
use tensor_nn::layers::*;
use tensor_nn::losses::{self, CrossEntropy};

type D<const N: usize> = Dim<N>;

/// A loss that depends on every element, by weights that are not all the same.
fn weighted<S: Shape>(y: Tensor<S, f64>) -> Tensor<shape![], f64> {
    let weights = (0..y.len()).map(|i| 0.3 + ((i * 7) % 5) as f64 * 0.2).collect();
    let weights = Tensor::from_vec_shaped(y.shape(), weights).expect("as many as there are");
    (y * weights).sum()
}

fn input<S: StaticShape>(rng: &mut Generator) -> Tensor<S, f64> {
    rng.normal(0.0, 1.0)
}

/// Compares the gradient with differences of the loss, for all elements of all parameters.
#[track_caller]
fn check<M: Module + Clone>(model: M, loss: impl Fn(&M) -> Tensor<shape![], f64>) {
    const STEP: f64 = 1e-5;
    let (_, gradient) = value_and_grad(&model, &loss);
    let mut compared = 0;
    for (place, (name, role, by)) in gradient.tensors().into_iter().enumerate() {
        if role != Role::Parameter {
            continue;
        }
        let by = by.get::<f64>().expect("f64").to_vec();
        for (element, &by) in by.iter().enumerate() {
            let at = |step: f64| {
                let mut model = model.clone();
                let mut tensors = model.tensors_mut();
                tensors[place].2.as_mut_slice::<f64>().expect("f64")[element] += step;
                drop(tensors);
                loss(&model).item()
            };
            let difference = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let error = (by - difference).abs();
            assert!(
                error <= 1e-6 * (1.0 + difference.abs()),
                "element {element} of {name}: {by}, and {difference} by differences"
            );
            compared += 1;
        }
    }
    assert!(compared > 0, "nothing to compare");
}

/// A layer and its input.
macro_rules! check_layer {
    ($layer:expr, $x:expr) => {
        check_layer!($layer, $x, |layer, x| layer.forward(x))
    };
    ($layer:expr, $x:expr, |$of:ident, $input:ident| $y:expr) => {
        check(($layer, $x), |($of, $input)| weighted($y))
    };
}

#[test]
fn linear_layers_and_convolutions() {
    let rng = &mut Generator::seed(1);
    check_layer!(Linear::<D<3>, D<2>, f64>::new(rng), input::<shape![2, 2, 3]>(rng));
    check_layer!(
        Conv1d::<D<2>, D<4>, D<3>, Options1d<2, 1, 1, 2>, f64>::new(rng),
        input::<shape![2, 4, 5]>(rng)
    );
    check_layer!(
        Conv2d::<D<2>, D<3>, D<3>, D<2>, Options2d<2, 1>, f64>::new(rng),
        input::<shape![2, 2, 4, 5]>(rng)
    );
    check_layer!(
        ConvTranspose1d::<D<2>, D<3>, D<3>, Options1d<2, 1>, f64>::new(rng),
        input::<shape![2, 2, 3]>(rng)
    );
    check_layer!(
        ConvTranspose2d::<D<2>, D<3>, D<2>, D<3>, Options2d<2, 1>, f64>::new(rng),
        input::<shape![2, 3, 3]>(rng)
    );
}

#[test]
fn pooling() {
    let rng = &mut Generator::seed(2);
    let x = input::<shape![2, 4, 6]>(rng);
    check_layer!((), x.clone(), |_layer, x| MaxPool1d(Pool1dOptions::new::<2>()).forward(x));
    check_layer!((), x.clone(), |_layer, x| AvgPool1d(Pool1dOptions::new::<3>()).forward(x));
    check_layer!((), x.clone(), |_layer, x| {
        MaxPool2d(Pool2dOptions::new::<3>().stride::<1>().padding::<1>()).forward(x)
    });
    check_layer!((), x.clone(), |_layer, x| AvgPool2d(Pool2dOptions::new::<2>()).forward(x));
    check_layer!((), x.clone(), |_layer, x| AdaptiveAvgPool::<shape![3, 4]>::new().forward(x));
    check_layer!((), x.clone(), |_layer, x| AdaptiveMaxPool::<shape![3, 4]>::new().forward(x));
    check_layer!((), x.clone(), |_layer, x| GlobalMaxPool2d.forward(x));
    check_layer!((), x, |_layer, x| Flatten::<-2>::new().forward(x));
}

#[test]
fn normalisation() {
    let rng = &mut Generator::seed(3);
    let x = input::<shape![3, 4, 2, 2]>(rng);
    check_layer!(LayerNorm::<D<4>, f64>::new(), input::<shape![3, 4]>(rng));
    check_layer!(RmsNorm::<D<4>, f64>::new(), input::<shape![3, 4]>(rng));
    check_layer!(GroupNorm::<D<4>, 2, f64>::new(), x.clone());
    check_layer!(InstanceNorm::<D<4>, f64>::new(), x.clone());
    let mut layer = BatchNorm2d::<D<4>, f64>::new();
    layer.running_mean = rng.normal(0.0, 1.0);
    check_layer!(layer.clone(), x.clone(), |layer, x| layer.forward(x, &mut Pass::eval()));
    check_layer!(layer, x, |layer, x| {
        layer.forward(x, &mut Pass::training(&mut Generator::seed(4)))
    });
}

/// The state of a pass keeps no history alive, and running means are not tracked.
#[test]
fn statistics_have_no_gradient() {
    let rng = &mut Generator::seed(5);
    let mut layer = BatchNorm1d::<D<3>, f64>::new();
    let mut pass = Pass::training(rng);
    let x = input::<shape![4, 3]>(rng);
    value_and_grad(&layer, |layer| weighted(layer.forward(&(&x * 2.0), &mut pass)));
    let _ = layer.forward(&x.requires_grad(), &mut pass);
    layer.update(&mut pass);
    assert_eq!(layer.num_batches_tracked.item(), 2);
    assert!(!layer.running_mean.is_tracked() && !layer.running_var.is_tracked());
}

/// The same numbers are drawn again for each difference.
#[test]
fn dropout() {
    let x = input::<shape![4, 5]>(&mut Generator::seed(6));
    check_layer!((), x, |_layer, x| {
        Dropout::new(0.5).forward(x, &mut Pass::training(&mut Generator::seed(7)))
    });
}

#[test]
fn words_and_attention() {
    let rng = &mut Generator::seed(8);
    let words = tensor![[0, 4, 4], [2, 1, 0]];
    check(Embedding::<D<5>, D<2>, f64>::new(rng), |table| {
        weighted(table.forward(&words).expect("words of the table"))
    });
    let x = input::<shape![2, 3, 4]>(rng);
    type Heads = MultiHeadAttention<D<4>, D<2>, D<2>, f64>;
    check_layer!(Heads::new(rng), x.clone(), |layer, x| layer.forward(
        x,
        Causal,
        &mut Pass::eval()
    ));
    let context = input::<shape![2, 2, 4]>(rng);
    let keys = tensor![[true, true], [true, false]];
    check_layer!(Heads::new(rng), (x.clone(), context), |layer, x| {
        layer.cross(&x.0, &x.1, KeyPadding(&keys), &mut Pass::eval())
    });
    type Turned = MultiHeadAttention<D<4>, D<2>, Halves<D<2>>, f64>;
    let positions = RotaryPositions::<D<3>, Halves<D<2>>, f64>::new();
    check_layer!(Turned::new(rng), x.clone(), |layer, x| {
        layer.forward_rotary(x, &positions, Causal, &mut Pass::eval())
    });
    type Shared = GroupedQueryAttention<D<4>, D<4>, D<2>, Interleaved<D<2>>, f64>;
    let positions = RotaryPositions::<D<3>, Interleaved<D<2>>, f64>::new();
    let keys = tensor![[true, true, true], [false, true, true]];
    check_layer!(Shared::new(rng), x.clone(), |layer, x| {
        let mask = (Causal, KeyPadding(&keys));
        layer.forward_rotary(x, &positions, mask, &mut Pass::eval())
    });
    check_layer!(SwiGlu::<D<4>, D<6>, f64>::new(rng), x.clone());
    check_layer!((), x.clone(), |_layer, x| Glu(Gelu).forward(x));
    check_layer!(LearnedPositions::<D<5>, D<4>, f64>::new(rng), x.clone(), |layer, x| {
        layer.forward(x, 2)
    });
    check_layer!((), x.clone(), |_layer, x| masked_mean(x, &keys));
    check_layer!(LstmCell::<D<4>, D<3>, f64>::new(rng), input::<shape![2, 4]>(rng), |cell, x| {
        let state = cell.step(x, &cell.first_state(shape![2]));
        let state = cell.step(x, &state);
        state.hidden + state.cell
    });
    for order in [NormOrder::Pre, NormOrder::Post] {
        let block = TransformerBlock::<D<4>, D<2>, D<2>, D<5>, f64>::new(rng, order, 0.3);
        check_layer!(block, x.clone(), |block, x| {
            block.forward(x, Causal, &mut Pass::training(&mut Generator::seed(9)))
        });
    }
}

#[test]
fn recurrent_layers() {
    let rng = &mut Generator::seed(10);
    let x = input::<shape![2, 3, 2]>(rng);
    check_layer!(Lstm::<D<2>, D<3>, f64, Forward, 2>::new(rng), x.clone(), |layer, x| {
        let (all, [first, last]) = layer.forward(x, &mut Pass::eval());
        all + (first.cell + last.cell).unsqueeze::<-2>()
    });
    check_layer!(Gru::<D<2>, D<3>, f64, Bidirectional>::new(rng), x, |layer, x| {
        layer.forward(x, &mut Pass::eval()).0
    });
}

#[test]
fn activations() {
    let x = input::<shape![3, 4]>(&mut Generator::seed(11));
    check_layer!((), x.clone(), |_layer, x| Relu.forward(x));
    check_layer!((), x.clone(), |_layer, x| Gelu.forward(x));
    check_layer!((), x.clone(), |_layer, x| GeluTanh.forward(x));
    check_layer!((), x.clone(), |_layer, x| Silu.forward(x));
    check_layer!((), x.clone(), |_layer, x| Tanh.forward(x));
    check_layer!((), x.clone(), |_layer, x| Sigmoid.forward(x));
    check_layer!((), x.clone(), |_layer, x| Softplus.forward(x));
    check_layer!((), x.clone(), |_layer, x| LeakyRelu { slope: 0.1 }.forward(x));
    check_layer!((), x.clone(), |_layer, x| Elu { alpha: 2.0 }.forward(x));
    check_layer!((), x.clone(), |_layer, x| Softmax.forward(x));
    check_layer!((), x, |_layer, x| LogSoftmax.forward(x));
}

#[test]
fn losses_of_all_kinds() {
    let rng = &mut Generator::seed(12);
    let (x, y) = (input::<shape![3, 4]>(rng), input::<shape![3, 4]>(rng));
    let classes = tensor![0, -100, 3];
    check(x.clone(), |x| losses::mse(x, &y));
    check(x.clone(), |x| losses::l1(x, &y));
    check(x.clone(), |x| losses::huber(x, &y, 1.0));
    check(x.clone(), |x| losses::smooth_l1(x, &y, 0.5));
    check(x.clone(), |x| losses::binary_cross_entropy_with_logits(x, &y.sigmoid()));
    check(x.sigmoid(), |p| losses::binary_cross_entropy(p, &y.sigmoid()));
    check(x.clone(), |x| losses::kl_divergence(&x.log_softmax::<-1>(), &y.softmax::<-1>()));
    let weights: Tensor<shape![4], f64> = rng.uniform(0.5, 1.5);
    let loss = CrossEntropy::new().ignore(-100).weigh(weights).smooth_labels(0.1);
    check(x.clone(), |x| loss.mean(x, &classes).expect("classes"));
    check(x, |x| losses::cross_entropy(x, &tensor![0, 1, 3]).expect("classes"));
}

/// At a score of 0, where a zero layer begins, the gradient is half minus the target.
#[test]
fn logits_of_zero() {
    let x = Tensor::<shape![2], f64>::zeros().requires_grad();
    let target = tensor![1.0_f64, 0.0];
    let loss = losses::each::binary_cross_entropy_with_logits(&x, &target).sum();
    assert_eq!(loss.gradients(&x), tensor![-0.5, 0.5]);
}

/// A list of layers has a gradient of the same type, and learns.
#[test]
fn sequential() {
    let rng = &mut Generator::seed(13);
    let mut model = Sequential((
        Conv2d::<dim!(1), D<2>, D<3>, D<3>, Same2d, f64>::new(rng),
        Tanh,
        <Flatten>::new(),
        Linear::<D<32>, D<3>, f64>::new(rng),
    ));
    let (x, classes) = (input::<shape![6, 1, 4, 4]>(rng), tensor![0, 1, 2, 0, 1, 2]);
    let loss = |model: &Sequential<_>| {
        let scores: Tensor<shape![6, 3], f64> = model.forward(&x, &mut Pass::eval());
        losses::cross_entropy(&scores, &classes).expect("classes")
    };
    check(model.clone(), loss);
    let (first, _) = value_and_grad(&model, loss);
    for _ in 0..50 {
        let (_, gradient) = value_and_grad(&model, loss);
        model.0.0.weight -= gradient.0.0.weight * 0.5;
        model.0.0.bias -= gradient.0.0.bias * 0.5;
        model.0.3.weight -= gradient.0.3.weight * 0.5;
        model.0.3.bias -= gradient.0.3.bias * 0.5;
    }
    assert!(loss(&model).item() < 0.1 * first.item());
}

/// The classification loss has a custom gradient rule, which is recorded in turn.
#[test]
fn classes_to_third_order() {
    let rng = &mut Generator::seed(8);
    let classes = tensor![2, 0];
    let loss = |scores: &Tensor<shape![2, 3], f64>| {
        CrossEntropy::new().mean(&(scores * 2.0), &classes).expect("classes that there are")
    };
    let slope = |scores: &_| weighted(grad(scores, loss).square());
    let curvature = |scores: &_| weighted(grad(scores, slope));
    let scores = input::<shape![2, 3]>(rng);
    check(scores.clone(), slope);
    check(scores, curvature);

    // Halves are computed in `f32`.
    let scores: Tensor<shape![2, 3], half::f16> = input::<shape![2, 3]>(rng).cast();
    let half = grad(&scores, |scores| losses::cross_entropy(scores, &classes).unwrap());
    let single =
        grad(&scores.cast::<f32>(), |scores| losses::cross_entropy(scores, &classes).unwrap());
    assert!(half.cast::<f32>().all_close(&single, 1e-3, 1e-3));
}

/// A part that is computed again has the dropout masks of the first computation, and the pass goes on as
/// without a checkpoint.
#[test]
fn checkpoints_repeat_random_numbers() {
    let x = input::<shape![16, 8]>(&mut Generator::seed(1)).requires_grad();
    let dropped = |x: &Tensor<shape![16, 8], f64>, pass: &mut Pass| {
        let x = Dropout::new(0.5).forward(&x.sin(), pass);
        Dropout::new(0.3).forward(&(x.square() + 1.0), pass)
    };
    for mut passes in
        [[(); 2].map(|()| Pass::training(&mut Generator::seed(2))), [(); 2].map(|()| Pass::eval())]
    {
        let [plain, again] = &mut passes;
        let (expected, y) = (dropped(&x, plain), again.checkpoint(&x, dropped));
        assert_eq!(y, expected);
        let gradient = weighted(expected).gradients(&x);
        assert_eq!(weighted(y.clone()).gradients(&x), gradient);
        assert_eq!(weighted(y).gradients(&x), gradient, "a second walk");
        assert_eq!(dropped(&x, again), dropped(&x, plain));
    }
}

#[test]
fn checkpoints_keep_statistics_once() {
    let x = input::<shape![16, 4]>(&mut Generator::seed(1)).requires_grad();
    let layer: BatchNorm1d<dim!(4), f64> = BatchNorm1d::new();
    let updated = |checkpointed: bool| {
        let (mut layer, mut pass) = (layer.clone(), Pass::training(&mut Generator::seed(2)));
        let part = {
            let layer = layer.clone();
            move |x: &Tensor<shape![16, 4], f64>, pass: &mut Pass| layer.forward(x, pass)
        };
        let y = if checkpointed { pass.checkpoint(&x, part) } else { part(&x, &mut pass) };
        let gradient = weighted(y).gradients(&x);
        pass.update(&mut layer);
        (gradient, layer.num_batches_tracked.item(), layer.running_mean, layer.running_var)
    };
    let found = updated(true);
    assert_eq!(found, updated(false));
    assert_eq!(found.1, 1);
}

/// The message of a panic.
fn refused(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a message").clone()
}

#[test]
fn numbers_of_layers_are_checked() {
    let training = || Pass::training(&mut Generator::seed(1));
    let x = || tensor![[1.0_f32, 2.0], [3.0, 5.0]];
    for number in [-0.1, f64::NAN, f64::INFINITY] {
        let name = "the epsilon of a normalisation";
        let expected = format!("{name} is {number}, and must be finite and at least 0");
        let layers: [&(dyn Fn() + std::panic::RefUnwindSafe); 3] = [
            &|| drop(LayerNorm::<dim!(2)> { epsilon: number, ..LayerNorm::new() }.forward(&x())),
            &|| drop(RmsNorm::<dim!(2)> { epsilon: number, ..RmsNorm::new() }.forward(&x())),
            &|| {
                let mut layer: BatchNorm1d<dim!(2)> = BatchNorm::new();
                layer.epsilon = number;
                drop(layer.forward(&x(), &mut training()));
            },
        ];
        for layer in layers {
            assert_eq!(refused(layer), expected);
        }
        let expected =
            format!("the momentum of batch normalisation is {number}, and must be from 0 to 1");
        let mut layer: BatchNorm1d<dim!(2)> = BatchNorm::new();
        layer.momentum = number;
        assert_eq!(refused(|| drop(layer.forward(&x(), &mut training()))), expected);

        let expected = format!("the rate of dropout is {number}, and must be from 0 to 1");
        assert_eq!(
            refused(|| {
                Dropout::new(number);
            }),
            expected
        );
        let layer = Dropout { rate: number, training: true };
        assert_eq!(refused(|| drop(layer.forward(&x(), &mut training()))), expected);
    }
    for number in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            refused(|| drop(LeakyRelu { slope: number }.forward(&x()))),
            format!("the slope of LeakyRelu is {number}, and must be finite")
        );
        assert_eq!(
            refused(|| drop(Elu { alpha: number }.forward(&x()))),
            format!("the alpha of Elu is {number}, and must be finite")
        );
    }
    for base in [0.0, -1.0, f64::NAN] {
        let shape = || (((), <dim!(3)>::VALUE), Halves(<dim!(4)>::VALUE));
        let new = || drop(RotaryPositions::<_, Halves<dim!(4)>>::new_shaped(shape(), base, 0));
        let range = "finite and larger than 0";
        assert_eq!(
            refused(new),
            format!("the base of rotary positions is {base}, and must be {range}")
        );
    }
}
