//! Traced programs: the results of the plugin are those of the functions, up to rounding.

use std::fmt::Debug;

use tensor_core::autograd::{checkpoint, value_and_grad};
use tensor_core::random::Generator;
use tensor_core::trace::{element_bytes, trace};
use tensor_core::windows::{Conv2dOptions, Interpolation, Pool2dOptions};
use tensor_core::{
    DynTensor, Module, Padding, StaticShape, Tensor, axes, axis, dim, fuse, select, shape, slice,
    tensor,
};

use tensor_xla::{Code, Error};

use crate::engine;

/// Compares the results of the plugin with those of the function itself.
#[track_caller]
fn agrees<I: Module + Clone, O: Module + Clone + Debug>(inputs: &I, function: impl Fn(&I) -> O) {
    let Some(engine) = engine() else { return };
    let program = trace(inputs, &function);
    let text = program.to_string();
    let direct = function(inputs);
    let types: Vec<String> =
        program.outputs().iter().map(|port| port.element().to_owned()).collect();
    let compiled =
        engine.compile_program(program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_close(&types, &direct, &compiled.call(inputs).unwrap(), &text);
}

/// Floats are equal to 10⁻⁵ of their size, or of 1.
#[track_caller]
fn assert_close<O: Module>(types: &[String], direct: &O, found: &O, text: &str) {
    for ((ty, direct), found) in types.iter().zip(element_bytes(direct)).zip(element_bytes(found)) {
        if ty != "f32" {
            assert_eq!(direct, found, "{ty} of\n{text}");
            continue;
        }
        for (place, (direct, found)) in direct.chunks(4).zip(found.chunks(4)).enumerate() {
            let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
            let (direct, found) = (number(direct), number(found));
            let is_close = (direct - found).abs() <= 1e-5 * direct.abs().max(1.0)
                || direct == found
                || direct.is_nan() && found.is_nan();
            assert!(is_close, "element {place} is {found}, not {direct}, of\n{text}");
        }
    }
}

/// Numbers of both signs that differ from each other.
fn numbers<S: StaticShape>() -> Tensor<S> {
    let count = Tensor::<S>::zeros().len();
    let elements = (0..count).map(|number| ((number * 37 % 101) as f32 - 50.0) / 20.0);
    Tensor::from_vec(elements.collect()).unwrap()
}

/// Calls [`agrees`] for each function of a tensor.
macro_rules! each {
    ($x:expr; $(|$name:ident| $result:expr;)*) => {{
        let x = $x;
        $( agrees(&x, |$name| $result); )*
    }};
}

#[test]
fn elements() {
    each! { numbers::<shape![5, 7]>();
        |x| x.abs(); |x| x.sign(); |x| x.square(); |x| x.is_nan(); |x| x.is_finite(); |x| -x;
        |x| x.exp(); |x| x.exp_m1(); |x| x.ln(); |x| x.ln_1p(); |x| x.exp2(); |x| x.log2(); |x| x.log10();
        |x| x.sqrt(); |x| x.rsqrt(); |x| x.reciprocal();
        |x| x.sin(); |x| x.cos(); |x| x.tan(); |x| x.asin(); |x| x.acos(); |x| x.atan();
        |x| x.sinh(); |x| x.cosh(); |x| x.tanh(); |x| x.asinh(); |x| x.acosh(); |x| x.atanh();
        |x| x.erf(); |x| x.sigmoid(); |x| x.relu(); |x| x.gelu(); |x| x.gelu_tanh(); |x| x.silu(); |x| x.softplus();
        |x| x.floor(); |x| x.ceil(); |x| x.round(); |x| x.trunc();
        |x| x.powi(3); |x| x.powi(-2); |x| x.clamp(-1.0, 1.5);
        |x| x.greater(0.5); |x| x.equal(x); |x| x.less_equal(-1.0);
        |x| x + 1.0; |x| 2.0 - x; |x| x * x; |x| x / 3.0; |x| x % 0.7;
        |x| x.minimum(0.25); |x| x.maximum(x.square()); |x| x.abs().pow(1.5); |x| x.atan2(2.0);
        |x| x.hypot(3.0); |x| x.logaddexp(0.5);
        |x| select(x.greater(0.0), x, 0.0);
        |x| x.greater(0.0).cast::<f32>(); |x| x.cast::<i32>(); |x| x.cast::<f64>().cast::<f32>();
        |x| fuse!((x * 2.0 + 1.0).exp());
    }
    each! { tensor![3_i32, -7, 0, 12];
        |x| x + 5; |x| x * x; |x| x - 1; |x| x.abs(); |x| x.sign(); |x| x.maximum(2); |x| x & 6; |x| x | 1; |x| !x;
        |x| x / 4; |x| x % 5; |x| x.cast::<f32>(); |x| x.less(0);
    }
}

#[test]
fn axes_and_sums() {
    each! { numbers::<shape![4, 5, 6]>();
        |x| x.sum(); |x| x.sum_axis::<1>(); |x| x.mean(); |x| x.mean_axis_keepdims::<-1>();
        |x| x.max_axis::<0>(); |x| x.min(); |x| x.prod_axis::<-1>(); |x| x.var(); |x| x.std_axis::<1>();
        |x| x.norm(); |x| x.logsumexp_axis::<-1>(); |x| x.argmax_axis::<-1>(); |x| x.argmin();
        |x| x.greater(0.0).all_axis::<0>(); |x| x.greater(0.0).any(); |x| x.relu().count_nonzero();
        |x| x.softmax::<-1>(); |x| x.log_softmax::<0>(); |x| x.layer_norm::<-1>(1e-5); |x| x.standardize::<1>();
        |x| x.cumsum::<1>(); |x| x.cumprod::<-1>(); |x| x.cummax::<1>(); |x| x.cummin::<0>(); |x| x.logcumsumexp::<1>();
        |x| value_and_grad(x, |x| x.cumprod::<1>().sum()); |x| value_and_grad(x, |x| x.cummax::<-1>().square().sum());
        |x| value_and_grad(x, |x| x.logcumsumexp::<0>().square().sum());
    }
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    each! { tensor![[-inf, -inf, 1.0, -100.0, 100.0, 2.0], [3.0, inf, inf, -inf, nan, 1.0]];
        |x| x.cummax::<-1>(); |x| x.cummin::<-1>(); |x| x.logcumsumexp::<-1>(); |x| x.logaddexp(x);
    }
    agrees(&tensor![3_i64, i64::MIN, 7, 5], |x| (x.cummax::<0>(), x.cummin::<0>()));
}

#[test]
fn views_and_moves() {
    each! { numbers::<shape![6, 5, 4]>();
        |x| x.permute::<axes![2, 0, 1]>() + 0.0;
        |x| x.reshape::<shape![20, 6]>();
        |x| x.slice(slice![1..5, .., 2]);
        |x| x.slice(slice![.., 1..4; 2, ..]);
        |x| x.slice(slice![.., 0..5; 2, ..]);
        |x| x.flip::<axes![0, 2]>();
        |x| x.unsqueeze::<0>();
        |x| x.windows::<1, dim!(3)>().sum_axis::<-1>();
        |x| x.diagonal::<1, 2>();
        |x| x.pad::<shape![1, 0, 2], shape![0, 3, 1]>(Padding::Constant(2.0));
        |x| x.pad::<shape![0, 1, 2], shape![0, 2, 1]>(Padding::Reflect);
        |x| value_and_grad(x, |x| x.tril(1).square().sum()); |x| x.triu(-2); |x| x.tril(isize::MAX); |x| x.triu(isize::MIN);
        |x| value_and_grad(x, |x| x.diag_embed().square().sum());
        |x| x.roll::<1>(2); |x| x.tril(0); |x| x.triu(1); |x| x.diff::<0>();
        |x| x.concat::<1, _>(x); |x| Tensor::stack::<0, 2>([x, x]);
        |x| { let mut y = x.clone(); y.assign_slice(slice![1..3, .., 0], 7.0); y };
    }
}

/// An index out of range gives the nearest element, or changes none, as the chapter on programs states.
#[test]
fn indices_out_of_range() {
    let Some(engine) = engine() else { return };
    let inputs = (tensor![1.0_f32, 2.0, 3.0], tensor![5_i64, -7, 1]);
    let program = trace(&inputs, |(x, indices)| {
        let (taken, slope) = value_and_grad(x, |x| x.take::<0, _>(indices).unwrap().sum());
        let added = x.index_add::<0, _>(indices, x).unwrap();
        (x.take_along_axis::<0, _>(indices).unwrap(), (taken, slope, added))
    });
    let found = engine.compile_program(program).unwrap().call(&inputs).unwrap();
    assert_eq!(found.0, tensor![3.0, 1.0, 2.0]);
    assert_eq!(found.1, (tensor![6.0].sum(), tensor![0.0, 1.0, 0.0], tensor![1.0, 5.0, 3.0]));
}

#[test]
fn products() {
    agrees(&(numbers::<shape![3, 4]>(), numbers::<shape![4, 5]>()), |(a, b)| a.matmul(b));
    agrees(&(numbers::<shape![2, 3, 4]>(), numbers::<shape![4, 5]>()), |(a, b)| a.dot(b));
    agrees(&(numbers::<shape![2, 3, 4]>(), numbers::<shape![2, 4, 5]>()), |(a, b)| a.matmul(b));
    agrees(&(numbers::<shape![3, 4]>(), numbers::<shape![2, 4, 5]>()), |(a, b)| a.matmul(b));
    agrees(&(numbers::<shape![4]>(), numbers::<shape![4]>()), |(a, b)| (a.dot(b), a.outer(b)));
}

#[test]
fn indices() {
    let table = numbers::<shape![7, 3]>();
    agrees(&(table.clone(), tensor![[0_i64, 6], [-1, 2]]), |(table, words)| {
        value_and_grad(table, |table| table.embedding(words).unwrap().square().sum())
    });
    agrees(&(table.clone(), tensor![[0_i64], [2], [1], [0], [2], [1], [0]]), |(table, columns)| {
        value_and_grad(table, |table| {
            table.take_along_axis::<-1, _>(columns).unwrap().square().sum()
        })
    });
    each! { tensor![[3.0_f32, f32::NAN, -1.0, 2.0], [0.0, 5.0, 5.0, -2.0]];
        |x| x.sort::<-1>(); |x| x.argsort_descending::<-1>(); |x| x.topk::<-1, dim!(2)>(); |x| x.sort_descending::<0>();
    }
    let sorted = tensor![-1.0, 0.0, 0.0, 2.5, f32::NAN];
    agrees(&(sorted, tensor![f32::NAN, 0.0, -0.0, 3.0, -2.0]), |(sorted, x)| {
        ((sorted.searchsorted(x), sorted.searchsorted_right(x)), x.isin(sorted))
    });
    each! { tensor![[3.0_f32, f32::NAN, -1.0, 2.0], [0.0, 5.0, 5.0, -2.0]];
        |x| x.median_axis::<-1>(); |x| x.quantile_axis::<0>(0.3); |x| x.histogram::<dim!(4)>(-2.0..=5.0);
    }
    agrees(&tensor![2_i64, 0, 2], |x| x.bincount::<dim!(4)>().unwrap());
    agrees(&tensor![2_i64, 0, -1], |x| x.one_hot::<dim!(4), f32>().unwrap());
}

#[test]
fn random_numbers() {
    type X<T> = Tensor<shape![50, 40], T>;
    let draw = |step: &Tensor<shape![], i64>| {
        let mut rng = Generator::at(42, step);
        let floats: (X<f32>, X<f32>, X<f64>) =
            (rng.uniform(-0.3, 0.4), rng.he_uniform(), rng.uniform(1e3, 1e3 + 0.1));
        let integers: (X<i64>, X<i8>, X<u64>) =
            (rng.integers(-5..1_000_003), rng.integers(-100..100), rng.integers(3..u64::MAX));
        let weights = rng.permutations::<shape![20, 30]>().cast::<f64>();
        let choices: (X<bool>, X<i64>, Tensor<shape![20], i64>) =
            (rng.bernoulli(0.3), rng.permutations(), rng.categorical(&weights).unwrap());
        let normal: (X<f32>, X<f64>) = (rng.normal(0.5, 2.0), rng.normal(0.5, 2.0));
        ((floats, integers, choices), normal)
    };
    let Some(engine) = engine() else { return };
    let compiled = engine.compile_program(trace(&Tensor::scalar(0), draw)).unwrap();
    for step in [1, -7, 1 << 40].map(Tensor::scalar) {
        let (direct, found) = (draw(&step), compiled.call(&step).unwrap());
        assert_eq!(found.0, direct.0);
        let [single, double] = [
            (&found.1.0 - &direct.1.0).abs().max().item().into(),
            (&found.1.1 - &direct.1.1).abs().max().item(),
        ];
        // The errors of logarithms and cosines, of numbers up to 10.
        assert!(single <= 2e-6 && double <= 4e-15, "{single} {double}");
    }
}

#[test]
fn windows() {
    type X = Tensor<shape![2, 4, 9, 8]>;
    let x: X = numbers();
    agrees(&(x.clone(), numbers::<shape![6, 4, 3, 2]>()), |(x, weights)| {
        value_and_grad(
            &(x.clone(), weights.clone()),
            |(x, weights): &(X, Tensor<shape![6, 4, 3, 2]>)| {
                x.conv2d(weights, Conv2dOptions::new()).square().mean()
            },
        )
    });
    agrees(&(x.clone(), numbers::<shape![6, 2, 3, 2]>()), |(x, weights)| {
        value_and_grad(
            &(x.clone(), weights.clone()),
            |(x, weights): &(X, Tensor<shape![6, 2, 3, 2]>)| {
                let options = Conv2dOptions::new().groups::<2>().stride::<2>().padding::<1>();
                x.conv2d(weights, options).square().mean()
            },
        )
    });
    agrees(&x, |x| {
        value_and_grad(x, |x| (x.max_pool2d(Pool2dOptions::new::<2>()) * 0.5).square().sum())
    });
    let gaps = Pool2dOptions::new::<3>().stride::<1>().padding::<1>().dilations::<2, 2>();
    let padded = Pool2dOptions::sizes::<3, 2>().strides::<1, 2>().padding::<1>();
    // The first of equal elements.
    for x in [x.clone(), x.round()] {
        agrees(&x, |x| value_and_grad(x, |x| x.max_pool2d(padded).square().sum()));
        agrees(&x, |x| value_and_grad(x, |x| x.max_pool2d(gaps).sum()));
        agrees(&x, |x| {
            let of_pooled = |x: &X| x.max_pool2d(gaps).square().sum();
            value_and_grad(x, |x| value_and_grad(x, of_pooled).1.square().sum())
        });
    }
    let mut with_nan = x.round();
    with_nan[[0, 1, 2, 3]] = f32::NAN;
    agrees(&with_nan, |x| value_and_grad(x, |x| x.max_pool2d(gaps).sum()).1);
    agrees(&with_nan, |x| x.max_pool2d(gaps));
    let overlapping = Pool2dOptions::new::<3>().stride::<2>();
    agrees(&with_nan, |x| x.max_pool2d(overlapping));
    agrees(&with_nan, |x| value_and_grad(x, |x| x.max_pool2d(overlapping).sum()).1);
    agrees(&x, |x| {
        let of_pooled = |x: &X| x.max_pool2d(Pool2dOptions::new::<2>()).square().sum();
        value_and_grad(x, |x| value_and_grad(x, of_pooled).1.powi(3).sum())
    });
    agrees(&x, |x| value_and_grad(x, |x| x.avg_pool2d(Pool2dOptions::new::<2>()).square().sum()));
    agrees(&x, |x| {
        let options = Pool2dOptions::new::<2>().stride::<1>().dilations::<3, 3>();
        value_and_grad(x, |x| x.avg_pool2d(options).square().sum())
    });
    for how in
        [Interpolation::Nearest, Interpolation::Bilinear, Interpolation::BilinearAlignCorners]
    {
        agrees(&x, |x| value_and_grad(x, |x| x.interpolate::<shape![13, 5]>(how).square().sum()));
        // An element is copied, and its neighbours do not count.
        agrees(&tensor![[f32::INFINITY, 2.0, f32::NAN, 3.0]], |x| {
            x.interpolate::<shape![2, 7]>(how)
        });
    }
    agrees(&x, |x| value_and_grad(x, |x| x.adaptive_avg_pool::<shape![4, 3]>().square().sum()));
}

/// XLA takes a window of one element that does not move for the whole axis.
#[test]
fn windows_with_one_position() {
    type X = Tensor<shape![1, 1, 2, 2]>;
    let x: X = numbers();
    let pool = Pool2dOptions::new::<1>().stride::<2>();
    agrees(&x, |x| value_and_grad(x, |x| x.max_pool2d(pool).square().sum()));
    agrees(&x, |x| value_and_grad(x, |x| x.avg_pool2d(pool).square().sum()));
    agrees(&(x.clone(), numbers::<shape![3, 1, 1, 1]>()), |inputs| {
        let of = |(x, weights): &(X, Tensor<shape![3, 1, 1, 1]>)| {
            x.conv2d(weights, Conv2dOptions::new().stride::<2>()).square().sum()
        };
        value_and_grad(inputs, of)
    });
    agrees(&(x.clone(), numbers::<shape![3, 1, 2, 2]>()), |inputs| {
        let of = |(x, weights): &(X, Tensor<shape![3, 1, 2, 2]>)| {
            x.conv2d(weights, Conv2dOptions::new().stride::<3>().padding::<1>()).square().sum()
        };
        value_and_grad(inputs, of)
    });
}

#[test]
fn gradients() {
    each! { numbers::<shape![4, 6]>();
        |x| value_and_grad(x, |x| x.exp().sum());
        |x| value_and_grad(x, |x| x.gelu().mean());
        |x| value_and_grad(x, |x| x.softmax::<-1>().slice(slice![.., 2]).sum());
        |x| value_and_grad(x, |x| x.transpose().dot(x).tanh().sum());
        |x| value_and_grad(x, |x| (x / (x.square().sum() + 1.0)).max());
        |x| value_and_grad(x, |x| x.slice(slice![1..3, ..; 2]).square().sum());
        |x| value_and_grad(x, |x| x.windows::<-1, dim!(3)>().square().sum());
        |x| value_and_grad(x, |x| x.var_axis::<0>().sqrt().sum());
        |x| value_and_grad(x, |x| select(x.greater(0.0), x.sqrt(), 0.0).sum());
        |x| value_and_grad(x, |x| value_and_grad(x, |x| x.powi(3).sum()).1.square().sum());
    }
}

/// A compiled program is called with tracked inputs, alone and within a function that is traced and compiled itself.
#[test]
fn gradients_of_calls() {
    type Inputs = (Tensor<shape![8, 3]>, Tensor<shape![3]>);
    type Outputs = (Tensor<shape![8]>, Tensor<shape![]>);
    let Some(engine) = engine() else { return };
    // Small enough for the slope of the hyperbolic tangent not to vanish.
    let inputs: Inputs = (numbers::<shape![8, 3]>() * 0.2, numbers::<shape![3]>() * 0.2);
    let model =
        |(x, weights): &Inputs| -> Outputs { (x.dot(weights).tanh(), weights.square().sum()) };
    let compiled = engine.compile_program(trace(&inputs, model)).unwrap();
    let call = |inputs: &Inputs| compiled.call(inputs).unwrap();
    let loss = |(y, penalty): Outputs| (y * numbers::<shape![8]>()).sum() + penalty * 0.1;
    let gradient = |of: &dyn Fn(&Inputs) -> Outputs, inputs: &Inputs| {
        value_and_grad(inputs, |inputs| loss(of(inputs)))
    };
    // The gradient of the magnitude of the gradient.
    let second = |of: &dyn Fn(&Inputs) -> Outputs, inputs: &Inputs| {
        value_and_grad(inputs, |inputs| {
            let (x, weights) = gradient(of, inputs).1;
            x.square().sum() + weights.square().sum()
        })
    };
    let types = [(); 3].map(|()| "f32".to_owned());
    assert_close(&types, &gradient(&model, &inputs), &gradient(&call, &inputs), "a call");
    assert_close(&types, &second(&model, &inputs), &second(&call, &inputs), "a call, twice");
    agrees(&inputs, |inputs| (gradient(&call, inputs), second(&call, inputs)));
}

#[test]
fn steps_keep_their_state_on_the_device() {
    let Some(engine) = engine() else { return };
    let x = numbers::<shape![8, 3]>();
    let weights = numbers::<shape![3]>();
    let step = |(weights, x): &(Tensor<shape![3]>, Tensor<shape![8, 3]>)| {
        let (loss, gradient) =
            value_and_grad(weights, |weights| (x.dot(weights) - 1.0).square().mean());
        (weights - gradient * 0.1, loss)
    };
    let mut on_device =
        engine.compile_step(trace(&(weights.clone(), x.clone()), step), &weights).unwrap();
    let inputs = on_device.executable().signature().inputs().iter();
    let donated: Vec<_> = inputs.map(|input| (input.name(), input.donated_to())).collect();
    assert_eq!(
        donated,
        [("0", Some(0)), ("1", None)],
        "the state is donated, and the batch is not"
    );
    let mut direct = weights;
    for _ in 0..20 {
        let (next, loss) = step(&(direct, x.clone()));
        let found = on_device.call(&x).unwrap();
        assert!((loss.item() - found.item()).abs() < 1e-5, "{loss} {found}");
        direct = next;
    }
    assert!(direct.all_close(&on_device.state().unwrap(), 1e-5, 1e-5));
}

/// A step that needs more memory than there are addresses, if it runs.
#[test]
fn the_state_of_a_step_that_fails() {
    let Some(engine) = engine() else { return };
    let inputs = (tensor![1.0_f32], tensor![2.0_f32]);
    let add = |(sum, x): &(Tensor<shape![1]>, Tensor<shape![1]>)| {
        let many = DynTensor::from(sum + x).expand(&[1 << 22, 1 << 23]).unwrap();
        let sums = many.matmul(&many.transpose().unwrap().slice_axis(1, ..2).unwrap()).unwrap();
        (sum + x, sums.slice_axis(0, ..1).unwrap())
    };
    let mut step = engine.compile_step(trace(&inputs, add), &inputs.0).unwrap();
    let lost = "the state of the step was lost in a call that failed: give the step another one by `set_state`, such as \
                that of a checkpoint";
    let failed = step.call(&inputs.1).unwrap_err();
    let Error::Plugin { code: Code::ResourceExhausted, message, .. } = failed else {
        panic!("{failed}")
    };
    assert!(message.ends_with(&format!("; {lost}")), "{message}");
    assert_eq!(step.call(&inputs.1).unwrap_err(), Error::Argument(lost.to_owned()));
    assert_eq!(step.state().unwrap_err(), Error::Argument(lost.to_owned()));

    step.set_state(&tensor![7.0]).unwrap();
    assert_eq!(step.state().unwrap(), tensor![7.0]);
}

/// The documentation of `Compiled::call` promises that such a state is not copied.
#[test]
fn a_state_keeps_its_sizes() {
    axis!(Length);
    type Numbers = Tensor<shape![Length]>;
    let Some(engine) = engine() else { return };
    let numbers = |size| Numbers::ones_shaped(shape![Length(size)]);
    let state = numbers(2);
    let program = trace(&(state.clone(), numbers(3)), |(_, batch)| (batch.clone(), ()));
    let compile = std::panic::AssertUnwindSafe(|| drop(engine.compile_step(program, &state)));
    let panic = std::panic::catch_unwind(compile).unwrap_err();
    let expected = "the input `0` is f32 [Length=2], and the output in its place f32 [Length=3]";
    assert_eq!(panic.downcast_ref::<String>().unwrap(), expected);
}

#[test]
fn a_state_that_a_step_returns_stays_on_the_device() {
    let Some(engine) = engine() else { return };
    type Weights = Tensor<shape![2048, 2048]>;
    let inputs = (numbers::<shape![2048, 2048]>(), numbers::<shape![2048]>());
    let product = |(weights, x): &(Weights, Tensor<shape![2048]>)| x.dot(weights);
    let program = trace(&inputs, |inputs| (inputs.0.clone(), product(inputs)));
    let mut step = engine.compile_step(program, &inputs.0).unwrap();
    let copied = engine.compile_program(trace(&inputs, product)).unwrap();
    let mut least = [std::time::Duration::MAX; 2];
    for _ in 0..10 {
        let start = std::time::Instant::now();
        let of_step = step.call(&inputs.1).unwrap();
        let middle = std::time::Instant::now();
        assert_eq!(copied.call(&inputs).unwrap(), of_step);
        least = [least[0].min(middle - start), least[1].min(middle.elapsed())];
    }
    assert!(least[0] * 2 < least[1], "{least:?}");
    assert_eq!(step.state().unwrap(), inputs.0);
}

#[test]
fn what_is_computed_again_is_not_merged_with_what_was_computed() {
    let Some(engine) = engine() else { return };
    let count = |is_kept: bool| {
        let x = Tensor::<shape![64]>::full(0.5);
        let program = trace(&x, move |x| {
            let part = |x: &Tensor<shape![64]>| x.tanh().tanh().tanh();
            value_and_grad(x, |x| if is_kept { part(x) } else { checkpoint(x, part) }.sum())
        });
        let expected = program.run(&x).unwrap();
        let compiled = engine.compile_program(program).unwrap();
        let found = compiled.call(&x).unwrap();
        assert!((found.1 - expected.1).abs().max().item() < 1e-6);
        let operations = compiled.executable().operations().unwrap();
        operations.iter().filter(|name| *name == "tanh").count()
    };
    assert_eq!((count(true), count(false)), (3, 6));
}

/// Blocks of two products with a wide activation between them, as in a transformer.
#[test]
fn computing_again_takes_less_memory() {
    let Some(engine) = engine() else { return };
    type Weights = Vec<(Tensor<shape![16, 256]>, Tensor<shape![256, 16]>)>;
    type Rows = Tensor<shape![512, 16]>;
    let weights: Weights = vec![(numbers(), numbers()); 8];
    let peak = |is_kept: bool| {
        let program = trace(&(weights.clone(), numbers::<shape![512, 16]>()), |(weights, x)| {
            value_and_grad(weights, |weights| {
                let block =
                    |(x, up, down): &(Rows, Tensor<shape![16, 256]>, Tensor<shape![256, 16]>)| {
                        x + x.dot(up).tanh().dot(down) * 0.01
                    };
                let blocks = weights.iter().fold(x.clone(), |x, (up, down)| match is_kept {
                    true => block(&(x, up.clone(), down.clone())),
                    false => checkpoint((&x, up, down), block),
                });
                blocks.square().mean()
            })
        });
        let planned = program.cost().peak_bytes;
        let memory = engine.compile_program(program).unwrap().executable().memory().unwrap();
        assert_eq!(memory.inputs, 4 * (8 * 2 * 16 * 256 + 512 * 16));
        (planned, memory.peak())
    };
    let ((kept, kept_there), (again, again_there)) = (peak(true), peak(false));
    assert!(again < kept / 2, "{again}, {kept}");
    // An older compiler orders the steps without regard to memory.
    assert!(again_there <= kept_there, "{again_there}, {kept_there}");
    let is_older = engine.pjrt_version() < (0, 110);
    assert!(is_older || again_there < kept_there / 2, "{again_there}, {kept_there}");
}

#[test]
fn large_constants_are_on_the_device() {
    let Some(engine) = engine() else { return };
    type Row = Tensor<shape![40_000], i64>;
    let table = Row::from_fn(|[index]| index as i64 * 37 % 101);
    let mask = table.greater(50);
    let (x, of_function) = (Row::ones(), table.clone());
    let program = trace(&x, move |x| {
        (x * &of_function).sum() + (x - &of_function).square().sum() + select(&mask, x, 0).sum()
    });
    let expected = program.run(&x).unwrap();
    let compiled = engine.compile_program(program).unwrap();
    // The table once, and the mask is small.
    assert_eq!(compiled.executable().signature().inputs().len(), 2);
    for _ in 0..2 {
        assert_eq!(compiled.call(&x).unwrap(), expected);
    }
    let step = trace(&(tensor![0_i64], x.clone()), move |(sum, x)| {
        let next = sum + (x * &table).sum();
        (next.clone(), next)
    });
    let first = step.run(&(tensor![0], x.clone())).unwrap().1;
    let mut step = engine.compile_step(step, &tensor![0]).unwrap();
    assert_eq!(step.call(&x).unwrap(), first);
    assert_eq!(step.call(&x).unwrap(), &first + &first);
}
