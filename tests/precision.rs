//! `autocast`: which operations are computed in 16 bits, eager, in gradients and in programs, and where it holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tensor_core::autograd::{checkpoint, grad, value_and_grad};
use tensor_core::functional::linear;
use tensor_core::precision::{ProductElement, autocast, bf16, f16, product_element};
use tensor_core::random::Generator;
use tensor_core::trace::{scan, trace};
use tensor_core::windows::{Conv1dOptions, Conv2dOptions, Conv3dOptions, ConvOptions};
use tensor_core::{
    Axis, DynTensor, Float, Module, Shape, StaticShape, Tensor, axes, axis, dim, einsum, fuse,
    shape, tensor,
};
use tensor_nn::audio::Stft;
use tensor_nn::layers::{Causal, Linear, Pass, Sequential, Tanh, attention};
use tensor_nn::optim::{Adam, LossScale, Optimizer};
use tensor_xla::{Engine, jit, jit_step};

#[path = "../tensor-xla/tests/plugin/found.rs"]
mod found;

axis!(Batch);

/// No engine, and the one that is there.
fn engines() -> impl Iterator<Item = Option<Engine>> {
    let found = found::engine(&tensor_xla::Options::new());
    [None].into_iter().chain(found.map(Some))
}

/// Numbers that are neither in `bf16` nor in `f16`.
fn numbers<S: StaticShape>() -> Tensor<S> {
    Generator::seed(7).uniform(-1.0, 1.0)
}

/// Checks an operation on two tensors of `f32`: it is that of the type `P`, with the result as `f32`. Its gradients are
/// those of the operation in `P`, of operands that are converted, and a program of both has the same bits.
macro_rules! in_type {
    ($P:ident, $a:ty, $b:ty, |$x:ident, $y:ident| $operation:expr) => {{
        let operands = (numbers::<$a>(), numbers::<$b>() * 1.7_f32);
        type Operands = (Tensor<$a>, Tensor<$b>);
        let function = |($x, $y): &Operands| $operation;
        let explicit = |($x, $y): &Operands| {
            let ($x, $y) = (&$x.cast::<$P>(), &$y.cast::<$P>());
            ($operation).cast::<f32>()
        };
        let within = |operands: &Operands| autocast::<$P, _>(|| function(operands));
        let name = stringify!($operation);
        assert_eq!(within(&operands), explicit(&operands), "{name}");
        assert_ne!(within(&operands), function(&operands), "{name}");
        // Each element of the result has another gradient.
        let loss = |y: Tensor<_>| (y.cos().detach() * y).sum();
        let expected = grad(&operands, |operands| loss(explicit(operands)));
        assert_eq!(grad(&operands, |operands| loss(within(operands))), expected, "{name}");
        let whole = |operands: &Operands| grad(operands, |operands| loss(function(operands)));
        assert_eq!(autocast::<$P, _>(|| whole(&operands)), expected, "{name}");
        assert_ne!(whole(&operands), expected, "{name}");

        let program = trace(&operands, |operands| {
            (within(operands), grad(operands, |operands| loss(within(operands))))
        });
        let results = (within(&operands), expected);
        assert_eq!(program.run(&operands).unwrap(), results, "{name}");
        assert_eq!(autocast::<f16, _>(|| program.run(&operands)).unwrap(), results, "{name}");
    }};
}

macro_rules! each_product {
    ($P:ident) => {
        // Unrolled where it is called, by a kernel, with inline results, with broadcast matrices.
        in_type!($P, shape![2, 3], shape![3, 4], |x, y| x.matmul(y));
        in_type!($P, shape![20, 30], shape![30, 40], |x, y| x.matmul(y));
        in_type!($P, shape![2, 300], shape![300, 2], |x, y| x.dot(y));
        in_type!($P, shape![5, 20, 30], shape![30], |x, y| x.dot(y));
        in_type!($P, shape![5, 4, 6], shape![5, 6, 7], |x, y| x.matmul(y));
        in_type!($P, shape![9, 9], shape![9, 9], |x, y| x.transpose().matmul(y));
        in_type!($P, shape![8, 3], shape![5, 3], |x, y| linear(x, y, None));
        in_type!($P, shape![2, 3, 4], shape![3, 4, 5], |x, y| {
            x.tensordot::<axes![1, 2], axes![0, 1], _>(y)
        });
        in_type!($P, shape![2, 3, 4], shape![5, 4, 3], |x, y| einsum!(b t c, h c d -> b h t d; x, y));
        in_type!($P, shape![2, 3, 9], shape![4, 3, 2], |x, y| x.conv1d(y, Conv1dOptions::new()));
        in_type!($P, shape![2, 3, 9, 8], shape![4, 3, 3, 3], |x, y| {
            x.conv2d(y, Conv2dOptions::new().same())
        });
        in_type!($P, shape![1, 2, 4, 5, 6], shape![3, 2, 2, 2, 2], |x, y| {
            x.conv3d(y, Conv3dOptions::new())
        });
        in_type!($P, shape![2, 3, 9], shape![3, 4, 2], |x, y| {
            x.conv_transpose1d(y, Conv1dOptions::new())
        });
    };
}

#[test]
fn products_and_convolutions_in_bf16() {
    each_product!(bf16);
}

#[test]
fn products_and_convolutions_in_f16() {
    each_product!(f16);
}

/// The bias is added in `f32`.
#[test]
fn the_bias_of_a_linear_layer() {
    let (x, weight) = (numbers::<shape![64, 32]>(), numbers::<shape![48, 32]>());
    let bias = numbers::<shape![48]>() * 1e-3;
    let of = |bias: Option<&_>| autocast::<bf16, _>(|| linear(&x, &weight, bias));
    assert_eq!(of(Some(&bias)), of(None) + &bias);
    let program = trace(&bias, |bias| of(Some(bias)));
    assert_eq!(program.run(&bias).unwrap(), of(Some(&bias)));
    let slope = grad(&bias, |bias| (of(Some(bias)) * 1.001).sum());
    assert_eq!(slope, grad(&bias, |bias| (linear(&x, &weight, Some(bias)) * 1.001).sum()));
}

/// `DynTensor` has the same products.
#[test]
fn tensors_with_run_time_shapes() {
    let (x, y) = (DynTensor::from(numbers::<shape![7, 9]>()), numbers::<shape![9, 5]>().into());
    let halves = |x: &DynTensor<f32>| x.cast::<bf16>();
    let expected = halves(&x).matmul(&halves(&y)).unwrap().cast::<f32>();
    assert_eq!(autocast::<bf16, _>(|| x.matmul(&y)).unwrap(), expected);
    assert_eq!(autocast::<bf16, _>(|| x.dot(&y)).unwrap(), expected);
    assert_eq!(
        autocast::<bf16, _>(|| DynTensor::einsum("ij,jk->ik", &[&x, &y])).unwrap(),
        expected
    );
    let (x, weights) = (numbers::<shape![2, 9]>().into(), numbers::<shape![3, 2, 2]>().into());
    let options = ConvOptions::new();
    let expected = halves(&x).conv(&halves(&weights), &options).unwrap().cast::<f32>();
    assert_eq!(autocast::<bf16, _>(|| x.conv(&weights, &options)).unwrap(), expected);
    assert_eq!(
        autocast::<bf16, _>(|| x.matmul(&x)).unwrap_err().to_string(),
        x.matmul(&x).unwrap_err().to_string()
    );
}

/// All other operations have the bits that they have elsewhere.
#[test]
fn everything_else_is_in_f32() {
    let (x, y) = (numbers::<shape![6, 8]>(), numbers::<shape![8]>() * 1.3);
    let scaled = |x: &Tensor<shape![6, 8]>| {
        let sums = (x.sum(), x.mean_axis::<0>(), x.var_axis::<-1>(), x.cumsum::<-1>());
        let norms = (x.layer_norm::<-1>(1e-5), x.rms_norm::<-1>(1e-5), x.norm());
        let scores = (x.softmax::<-1>(), x.logsumexp_axis::<-1>(), x.log_softmax::<-1>());
        let elements = (x * &y, fuse!(x * &y + x), x.exp().tanh(), y.outer(&y));
        (sums, norms, scores, elements)
    };
    let loss = |x: &Tensor<shape![6, 8]>| {
        let (_, (normed, ..), (scores, ..), (product, ..)) = scaled(x);
        (normed * scores * product).sum()
    };
    let (expected, slope) = (scaled(&x), grad(&x, loss));
    autocast::<bf16, _>(|| {
        assert_eq!(scaled(&x), expected);
        assert_eq!(grad(&x, loss), slope);
    });
}

/// Only products of `f32` are converted.
#[test]
fn products_of_other_types_stay() {
    fn check<P: ProductElement>() {
        let (x, y) = (numbers::<shape![4, 6]>(), numbers::<shape![6, 5]>());
        let (a, b) = (x.cast::<f64>(), y.cast::<f64>());
        assert_eq!(autocast::<P, _>(|| a.dot(&b)), a.dot(&b));
        let (a, b) = (x.cast::<f16>(), y.cast::<f16>());
        assert_eq!(autocast::<P, _>(|| a.dot(&b)), a.dot(&b));
        let (a, b) = (x.cast::<bf16>(), y.cast::<bf16>());
        assert_eq!(autocast::<P, _>(|| a.dot(&b)), a.dot(&b));
        let (a, b) = ((&x * 1e4).cast::<i32>(), (&y * 1e4).cast::<i32>());
        assert_eq!(autocast::<P, _>(|| a.dot(&b)), a.dot(&b));
    }
    check::<bf16>();
    check::<f16>();
    check::<f32>();
}

/// Spectra would lose what is 256 times weaker than the rest.
#[test]
fn spectrograms_stay() {
    axis!(Frames);
    let samples = numbers::<shape![64]>();
    let stft: Stft<dim!(16), dim!(9)> = Stft::hann(8);
    let power = || stft.power::<Frames, _, _>(&samples);
    assert_eq!(autocast::<bf16, _>(power), power());
}

/// The scores and the sums of values are products; softmax is in `f32`.
#[test]
fn attention_in_bf16() {
    let [q, k, v] = [1.0, 2.0, 3.0].map(|by| numbers::<shape![2, 5, 8]>() * by);
    let found = autocast::<bf16, _>(|| attention(&q, &k, &v, Causal));
    let exact = attention(&q, &k, &v, Causal);
    assert!(found != exact && found.all_close(&exact, 2e-2, 2e-2), "{found} and {exact}");
}

#[test]
fn scopes_are_nested_and_end() {
    let (x, y) = (numbers::<shape![3, 3]>(), numbers::<shape![3, 3]>());
    let products = || (x.matmul(&y), product_element());
    let [plain, in_bf16, in_f16] =
        [products(), autocast::<bf16, _>(products), autocast::<f16, _>(products)];
    assert!(plain.0 != in_bf16.0 && in_bf16.0 != in_f16.0 && plain.0 != in_f16.0);
    assert_eq!([plain.1, in_bf16.1, in_f16.1], ["f32", "bf16", "f16"]);
    autocast::<bf16, _>(|| {
        assert_eq!(autocast::<f32, _>(products), plain);
        assert_eq!(autocast::<f16, _>(products), in_f16);
        assert_eq!(products(), in_bf16);
        // Another thread is outside.
        std::thread::scope(|threads| {
            assert_eq!(threads.spawn(products).join().unwrap(), plain);
        });
    });
    assert_eq!(products(), plain);
    let panic = std::panic::catch_unwind(|| autocast::<f16, _>(|| panic!("within")));
    assert!(panic.is_err());
    assert_eq!(products(), plain);
}

/// The backward pass has the types of the forward pass, wherever it runs.
#[test]
fn gradients_outside_of_the_scope() {
    let (x, w) = (numbers::<shape![4, 6]>(), numbers::<shape![6, 5]>().requires_grad());
    let in_bf16 = autocast::<bf16, _>(|| x.dot(&w).square().sum());
    let in_f32 = x.dot(&w).square().sum();
    let expected = autocast::<bf16, _>(|| in_bf16.gradients(&w));
    assert_eq!(in_bf16.gradients(&w), expected);
    let exact = in_f32.gradients(&w);
    assert_eq!(autocast::<bf16, _>(|| in_f32.gradients(&w)), exact);
    assert!(exact != expected && exact.all_close(&expected, 5e-2, 5e-2));
    // The gradient of a gradient has the products of both.
    let slope = autocast::<bf16, _>(|| in_bf16.tracked_gradients(&w)).sum().gradients(&w);
    let exact = in_f32.tracked_gradients(&w).sum().gradients(&w);
    assert!(exact != slope && exact.all_close(&slope, 5e-2, 5e-2));
}

/// A part that is computed again has the type that it had at first.
#[test]
fn checkpoints() {
    let (x, w) = (numbers::<shape![4, 6]>(), numbers::<shape![6, 5]>());
    let constant = x.clone();
    let part = move |w: &Tensor<shape![6, 5]>| constant.dot(w).sin();
    let plain = part.clone();
    let checkpointed = |w: &Tensor<shape![6, 5]>| checkpoint(w, part.clone()).square().sum();
    let expected = autocast::<bf16, _>(|| grad(&w, |w| plain(w).square().sum()));
    assert_eq!(grad(&w, |w| autocast::<bf16, _>(|| checkpointed(w))), expected);
    let program = trace(&w, |w| grad(w, |w| autocast::<bf16, _>(|| checkpointed(w))));
    assert_eq!(program.run(&w).unwrap(), expected);
}

/// A program computes what its function computes where it is traced.
#[test]
fn programs_keep_their_types() {
    let inputs = (numbers::<shape![4, 6]>(), numbers::<shape![6, 5]>());
    let function = |(x, w): &(Tensor<shape![4, 6]>, Tensor<shape![6, 5]>)| {
        value_and_grad(w, |w| linear(x, &w.transpose(), Some(&Tensor::full(0.1))).square().mean())
    };
    let plain = trace(&inputs, function);
    let halved = autocast::<bf16, _>(|| trace(&inputs, function));
    let expected = autocast::<bf16, _>(|| function(&inputs));
    assert_eq!(halved.run(&inputs).unwrap(), expected);
    assert_eq!(autocast::<bf16, _>(|| plain.run(&inputs)).unwrap(), function(&inputs));
    assert_ne!(function(&inputs), expected);
    // Gradients of programs are theirs, too.
    let loss = |(x, w): &(Tensor<shape![4, 6]>, Tensor<shape![6, 5]>)| x.dot(w).square().mean();
    let program = autocast::<bf16, _>(|| trace(&inputs, loss));
    let slope = grad(&inputs, |inputs| program.run(inputs).unwrap());
    assert_eq!(slope, autocast::<bf16, _>(|| grad(&inputs, loss)));
    // A product of 16 bits is one in StableHLO, which sums in `f32`.
    let text = halved.to_stablehlo();
    assert!(text.contains("(tensor<4x6xbf16>, tensor<6x5xbf16>) -> tensor<4x5xf32>"), "{text}");
    assert!(!text.contains("(tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>"), "{text}");
    assert!(!autocast::<bf16, _>(|| plain.to_stablehlo()).contains("bf16"));
}

#[test]
fn loops_in_programs() {
    type Weights = Tensor<shape![4, 4]>;
    let inputs = (numbers::<shape![4, 4]>(), numbers::<shape![9, 4]>());
    let last = |weights: &Weights, words: &Tensor<shape![9, 4]>| {
        let step = |state: &Tensor<shape![4]>, word: &Tensor<shape![4]>| {
            ((state.dot(weights) + word).tanh(), ())
        };
        scan(&Tensor::zeros(), words, step).0.sum()
    };
    let slope = |(weights, words): &(Weights, Tensor<shape![9, 4]>)| {
        autocast::<bf16, _>(|| value_and_grad(weights, |weights| last(weights, words)))
    };
    let program = trace(&inputs, slope);
    let (expected, found) = (slope(&inputs), program.run(&inputs).unwrap());
    assert_eq!(found.0, expected.0);
    assert!(found.1.all_close(&expected.1, 1e-5, 1e-5), "{} and {}", found.1, expected.1);
    assert_ne!(found.0, last(&inputs.0, &inputs.1));
}

/// `f16` ends at 65504, and `bf16` where `f32` does. NaN and infinities are those of products.
#[test]
fn special_values() {
    fn dot<P: ProductElement>(x: [f32; 2], y: [f32; 2]) -> f32 {
        let [x, y] = [x, y].map(|x| Tensor::<shape![2]>::from_vec(x.to_vec()).unwrap());
        autocast::<P, _>(|| x.dot(&y)).item()
    }
    assert_eq!(dot::<f16>([300.0, 0.0], [300.0, 0.0]), f32::INFINITY);
    assert_eq!(dot::<f16>([70_000.0, 0.0], [1.0, 0.0]), f32::INFINITY);
    // The sum is in `f32`, where it does not overflow.
    assert_eq!(dot::<f16>([300.0, -300.0], [300.0, 300.0]), 0.0);
    assert!(dot::<f16>([70_000.0, 0.0], [0.0, 0.0]).is_nan());
    assert_eq!(dot::<f16>([1e-8, 0.0], [1.0, 0.0]), 0.0);
    let [large, larger] = [63, 64].map(|power| 2.0_f32.powi(power));
    assert_eq!(dot::<bf16>([large, 0.0], [larger, 0.0]), large * larger);
    assert_eq!(dot::<bf16>([1e-30, 0.0], [1.0, 0.0]), bf16::from_f32(1e-30).to_f32());
    assert_eq!(dot::<bf16>([1.0, 1.0 / 512.0], [1.0, 1.0]), 1.0);
    assert_eq!(dot::<bf16>([1.0, 1.0 / 512.0], [1.0, 3.0]), 1.0 + 1.0 / 128.0);
    for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for found in [dot::<f16>([x, 1.0], [2.0, 1.0]), dot::<bf16>([x, 1.0], [2.0, 1.0])] {
            assert!(found == x || x.is_nan() && found.is_nan());
        }
    }
    // No terms, and no elements.
    let none = autocast::<bf16, _>(|| {
        Tensor::<shape![2, 0]>::zeros().dot(Tensor::<shape![0, 3]>::zeros())
    });
    assert_eq!(none, Tensor::zeros());
    let rows: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(0), 3]);
    let found = autocast::<f16, _>(|| rows.dot(&numbers::<shape![3, 2]>()));
    assert_eq!(found.shape(), shape![Batch(0), 2]);
}

/// Named axes, generic code and models are as they are elsewhere.
#[test]
fn generic_code() {
    fn scores<P: ProductElement, Lead: Shape, I: Axis, O: Axis>(
        x: &Tensor<shape![Lead.., I]>,
        weight: &Tensor<shape![I, O]>,
    ) -> Tensor<shape![Lead.., O]> {
        autocast::<P, _>(|| x.dot(weight))
    }
    let x: Tensor<shape![Batch, 3]> =
        Tensor::from_fn_shaped(shape![Batch(4), 3], |[row, column]| (row + column) as f32 + 0.001);
    let weight = tensor![[1.0_f32, 2.0], [0.5, 0.25], [3.0, 1.0]];
    assert_eq!(scores::<f32, _, _, _>(&x, &weight), x.dot(&weight));
    assert_eq!(scores::<bf16, _, _, _>(&x, &weight), x.round().dot(&weight));
    // An element type that is a parameter is converted if it is `f32`.
    fn square<T: Float>(x: T) -> T {
        let x = Tensor::<shape![1], T>::full(x);
        autocast::<bf16, _>(|| x.dot(&x)).item()
    }
    assert_eq!((square(1.001_f32), square(1.001_f64)), (1.0, 1.001 * 1.001));
}

#[test]
fn models() {
    #[derive(Clone, Debug, PartialEq, Module)]
    struct Model {
        hidden: Tensor<shape![3, 4]>,
        scores: Tensor<shape![4, 2]>,
    }
    let model = Model { hidden: numbers(), scores: numbers() };
    let x = numbers::<shape![5, 3]>();
    let loss = |model: &Model| x.dot(&model.hidden).relu().dot(&model.scores).square().mean();
    let (value, gradient) = autocast::<bf16, _>(|| value_and_grad(&model, loss));
    let (exact, expected) = value_and_grad(&model, loss);
    assert!(value != exact && value.all_close(&exact, 1e-2, 0.0));
    assert!(gradient != expected && gradient.hidden.all_close(&expected.hidden, 5e-2, 1e-2));
}

/// A call within another `autocast` has a program of its own.
#[test]
fn a_function_is_compiled_for_each_type_of_products() {
    type Inputs = (Tensor<shape![4, 6]>, Tensor<shape![6, 5]>);
    let inputs: Inputs = (
        Tensor::from_fn(|[i, j]| ((3 * i + 5 * j) as f32).sin()),
        Tensor::from_fn(|[i, j]| ((7 * i + 2 * j) as f32).cos()),
    );
    let slopes = |(x, w): &Inputs| value_and_grad(w, |w| x.dot(w).square().mean());
    for engine in engines() {
        let calls = Arc::new(AtomicUsize::new(0));
        let count = calls.clone();
        let compiled = jit(engine.as_ref(), move |inputs: &Inputs| {
            count.fetch_add(1, Ordering::Relaxed);
            slopes(inputs)
        });
        for _ in 0..2 {
            let exact = compiled.call(&inputs).unwrap();
            let in_bf16 = autocast::<bf16, _>(|| compiled.call(&inputs)).unwrap();
            let in_f16 = autocast::<f16, _>(|| compiled.call(&inputs)).unwrap();
            for (found, expected, tolerance) in [
                (&exact, slopes(&inputs), 1e-5),
                (&in_bf16, autocast::<bf16, _>(|| slopes(&inputs)), 1e-2),
                (&in_f16, autocast::<f16, _>(|| slopes(&inputs)), 1e-3),
            ] {
                assert!(
                    found.1.all_close(&expected.1, tolerance, tolerance),
                    "{found:?}, {expected:?}"
                );
            }
            assert!(exact.0 != in_bf16.0 && in_bf16.0 != in_f16.0 && exact.0 != in_f16.0);
        }
        assert_eq!(calls.load(Ordering::Relaxed), if engine.is_some() { 3 } else { 6 });
    }
}

/// A training in `f16` whose state, with the scale of the loss, is on the device: it skips the steps that the kernels skip.
#[test]
fn a_training_in_f16() {
    #[derive(Clone, Module)]
    struct Training {
        model: Sequential<(Linear<dim!(6), dim!(16)>, Tanh, Linear<dim!(16), dim!(1)>)>,
        optimizer: Optimizer,
        scale: LossScale,
    }
    let step = |training: &mut Training, x: &Tensor<shape![Batch, 6]>| {
        let target = x.sum_axis_keepdims::<-1>();
        let (loss, gradient) = autocast::<f16, _>(|| {
            training.scale.value_and_grad(&training.model, |model| {
                let y = model.forward(x, &mut Pass::eval());
                (y.reshape_shaped(target.shape()) - &target).square().mean()
            })
        });
        let (optimizer, model) = (&mut training.optimizer, &mut training.model);
        (loss, training.scale.step(optimizer, model, &gradient).unwrap())
    };
    let rng = &mut Generator::seed(3);
    let model = Sequential((Linear::new(rng), Tanh, Linear::new(rng)));
    let optimizer = Optimizer::new(Adam::default(), 0.02).with_state_of(&model);
    let scale = LossScale::new(2.0_f32.powi(20), 20);
    let start = Training { model, optimizer, scale };
    let batches: Vec<Tensor<shape![Batch, 6]>> =
        (0..60).map(|_| rng.uniform_shaped(shape![Batch(32), 6], -1.0, 1.0)).collect();
    let mut runs = Vec::new();
    for engine in engines() {
        let mut training = jit_step(engine.as_ref(), start.clone(), step);
        let results: Vec<_> = batches.iter().map(|batch| training.call(batch).unwrap()).collect();
        let made: Vec<bool> = results.iter().map(|(_, is_made)| is_made.item()).collect();
        let first = made.iter().take_while(|is_made| !**is_made).count();
        assert!((1..10).contains(&first) && made[59], "{made:?}");
        assert!(results[59].0.item() < 0.2 * results[0].0.item(), "{results:?}");
        runs.push((first, training.state().unwrap().scale.scale()));
    }
    assert!(runs.windows(2).all(|runs| runs[0].0 == runs[1].0), "{runs:?}");
}
