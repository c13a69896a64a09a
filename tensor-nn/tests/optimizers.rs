//! Optimisers, clipping and schedules, compared with what PyTorch computes: `optimizers.json`, which
//! `optimizers.py` writes.

use serde_json::Value;
use tensor_core::module::{Frozen, Module, Role};
use tensor_core::trace::trace;
use tensor_core::{DynTensor, Element, Tensor, axis, shape, tensor};
use tensor_nn::optim::{
    Adam, AdamW, Cosine, Exponential, Group, LinearSchedule, Lion, Misfit, Optimizer, RmsProp,
    Rule, Schedule, Sgd, Steps, WarmUp, clip_norm, clip_value, norm,
};

axis!(Words);

/// The parameters of the cases.
type Model<T> = (Tensor<shape![3, 7], T>, [Tensor<shape![5], T>; 1], Tensor<(), T>);

fn corpus() -> Value {
    serde_json::from_str(include_str!("optimizers.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Fills the parameters of a model with the numbers of a case.
fn filled<T: Element>(value: &Value, of: impl Fn(f64) -> T) -> Model<T> {
    let mut model: Model<T> = (Tensor::zeros(), [Tensor::zeros()], Tensor::zeros());
    for ((_, _, tensor), values) in model.tensors_mut().into_iter().zip(value.as_array().unwrap()) {
        let values = numbers(values).into_iter().map(&of).collect();
        tensor.assign(DynTensor::from_vec(&tensor.sizes(), values).unwrap()).unwrap();
    }
    model
}

fn close<T: Element>(model: &Model<T>, expected: &Value, wide: impl Fn(T) -> f64, bound: f64) {
    for ((name, _, tensor), values) in model.tensors().into_iter().zip(expected.as_array().unwrap())
    {
        let found = tensor.get::<T>().unwrap().to_vec();
        for (found, expected) in found.into_iter().zip(numbers(values)) {
            let found = wide(found);
            let error = (found - expected).abs() / expected.abs().max(0.1);
            assert!(error <= bound, "{name}: {found} instead of {expected}");
        }
    }
}

fn optimizer(case: &Value) -> Optimizer {
    let options = &case["options"];
    let number = |name: &str, default: f64| options[name].as_f64().unwrap_or(default);
    let betas = |default| match &options["betas"] {
        Value::Array(betas) => (betas[0].as_f64().unwrap(), betas[1].as_f64().unwrap()),
        _ => default,
    };
    let rate = number("lr", f64::NAN);
    match case["rule"].as_str().unwrap() {
        "sgd" => Optimizer::new(
            Sgd {
                momentum: number("momentum", 0.0),
                dampening: number("dampening", 0.0),
                nesterov: options["nesterov"] == true,
                decay: number("weight_decay", 0.0),
            },
            rate,
        ),
        "adam" => {
            let Adam { betas: usual, epsilon, decay } = Adam::default();
            let (epsilon, decay) = (number("eps", epsilon), number("weight_decay", decay));
            Optimizer::new(Adam { betas: betas(usual), epsilon, decay }, rate)
        }
        "adamw" => {
            let AdamW { betas: usual, epsilon, decay } = AdamW::default();
            let (epsilon, decay) = (number("eps", epsilon), number("weight_decay", decay));
            Optimizer::new(AdamW { betas: betas(usual), epsilon, decay }, rate)
        }
        "rmsprop" => {
            let usual = RmsProp::default();
            let rule = RmsProp {
                smoothing: number("alpha", usual.smoothing),
                epsilon: number("eps", usual.epsilon),
                momentum: number("momentum", usual.momentum),
                decay: number("weight_decay", usual.decay),
            };
            Optimizer::new(rule, rate)
        }
        "lion" => {
            let rule = Lion {
                betas: betas(Lion::default().betas),
                decay: number("weight_decay", Lion::default().decay),
            };
            Optimizer::new(rule, rate)
        }
        other => panic!("rule {other}"),
    }
}

/// All steps of a case.
fn follows<T: Element>(
    case: &Value,
    of: impl Fn(f64) -> T + Copy,
    wide: impl Fn(T) -> f64 + Copy,
    bound: f64,
) {
    let mut model = filled(&case["start"], of);
    let mut optimizer = optimizer(case);
    let gradients = case["gradients"].as_array().unwrap();
    for (gradient, expected) in gradients.iter().zip(case["parameters"].as_array().unwrap()) {
        optimizer.step(&mut model, filled(gradient, of)).unwrap();
        close(&model, expected, wide, bound);
    }
}

#[test]
fn steps_are_those_of_pytorch() {
    let corpus = corpus();
    let cases = corpus["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 26);
    for case in cases {
        match case["dtype"].as_str().unwrap() {
            "float64" => follows::<f64>(case, |x| x, |x| x, 1e-12),
            "float32" => follows::<f32>(case, |x| x as f32, f64::from, 4e-6),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn gradients_are_clipped_as_by_pytorch() {
    let clip = &corpus()["clip"];
    let number = |name: &str| clip[name].as_f64().unwrap();
    let mut gradient = filled(&clip["gradient"], |x| x);
    assert!((norm(&gradient) - number("norm")).abs() < 1e-12);
    assert!((clip_norm(&mut gradient, number("max_norm")).item() - number("norm")).abs() < 1e-12);
    close(&gradient, &clip["by_norm"], |x| x, 1e-12);
    clip_value(&mut gradient, number("limit"));
    close(&gradient, &clip["by_value"], |x| x, 1e-12);
}

#[test]
fn schedules_are_those_of_pytorch() {
    let schedules: [(&str, Box<dyn Schedule>); 4] = [
        ("steps", Box::new(Steps { rate: 0.5, factor: 0.3, every: 7 })),
        ("exponential", Box::new(Exponential { rate: 0.5, factor: 0.9 })),
        ("cosine", Box::new(Cosine { rate: 0.5, end: 0.05, steps: 20 })),
        ("linear", Box::new(LinearSchedule { rate: 0.5, end: 0.1, steps: 15 })),
    ];
    let corpus = corpus();
    for (name, schedule) in schedules {
        let expected = numbers(&corpus["schedules"][name]);
        assert_eq!(expected.len(), 21);
        for (step, expected) in expected.into_iter().enumerate() {
            let found = schedule.rate(step);
            assert!((found - expected).abs() < 1e-12, "{name}, step {step}: {found}, {expected}");
        }
    }
}

#[test]
fn norms_are_summed_in_f64() {
    // The square of 1e30 is no f32, and 2^24 + 1 neither.
    assert_eq!(norm(&tensor![3e30_f32, 4e30]), f64::from(3e30_f32).hypot(f64::from(4e30_f32)));
    let ones = Tensor::<shape![20000, 1000]>::ones();
    assert_eq!(norm(&ones), 20e6_f64.sqrt());
    // Strided, and with a remainder after the vectors.
    let x = Tensor::<shape![37], f64>::arange();
    let expected = (0..37).map(|x| f64::from(x * x)).sum::<f64>().sqrt();
    assert_eq!(norm(&(x.clone(), Frozen(x.clone()))), expected);
    let table = Tensor::<shape![5, 7], f64>::from_fn(|[i, j]| (i * 7 + j) as f64);
    assert_eq!(norm(&table.transpose()), norm(&table));
}

/// As by PyTorch, so that a gradient that is no number does not stay in part.
#[test]
fn clipping_a_gradient_that_is_not_finite() {
    let mut gradient = (tensor![f64::INFINITY, 1.0], tensor![-2.0_f32]);
    assert_eq!(clip_norm(&mut gradient, 1.0).item(), f64::INFINITY);
    assert!(gradient.0[[0]].is_nan());
    assert_eq!((gradient.0[[1]], gradient.1[[0]]), (0.0, 0.0));
    let mut gradient = (tensor![f64::NAN, 5.0], tensor![2.0_f32]);
    assert!(clip_norm(&mut gradient, 1.0).item().is_nan());
    assert!(gradient.0.iter().all(|x| x.is_nan()) && gradient.1[[0]].is_nan());

    let mut gradient = tensor![f64::NAN, 5.0];
    clip_value(&mut gradient, 2.0);
    assert!(gradient[[0]].is_nan());
    assert_eq!(gradient[[1]], 2.0);
    // No limit, which measures the norm.
    let mut gradient = tensor![3.0, 4.0];
    assert_eq!(clip_norm(&mut gradient, f64::INFINITY).item(), 5.0);
    clip_value(&mut gradient, f64::INFINITY);
    assert_eq!(gradient, tensor![3.0, 4.0]);
    assert_eq!(clip_norm(&mut gradient, 0.0).item(), 5.0);
    assert_eq!(gradient, tensor![0.0, 0.0]);
}

/// The message of a panic.
fn refused(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(f).expect_err("a panic");
    panic.downcast_ref::<String>().expect("a message").clone()
}

const NOT_NEGATIVE: &str = "finite and at least 0";
const BELOW_ONE: &str = "at least 0 and less than 1";

/// Checks that a number is refused out of its range, with a message that has its name.
#[track_caller]
fn is_checked(name: &str, range: &str, set: impl Fn(f64) + std::panic::RefUnwindSafe) {
    let wrong = match range {
        NOT_NEGATIVE => &[-0.1, f64::INFINITY][..],
        BELOW_ONE => &[-0.1, 1.0],
        "from 0 to 1" => &[-0.1, 1.1],
        "at least 0" => &[-0.1, f64::NEG_INFINITY],
        other => panic!("{other}"),
    };
    for &number in wrong.iter().chain([&f64::NAN]) {
        let expected = format!("{name} is {number}, and must be {range}");
        assert_eq!(refused(|| set(number)), expected);
    }
    [0.0, 0.5].into_iter().for_each(set);
}

#[test]
fn numbers_of_rules_are_checked() {
    fn of<R: Rule + 'static>(rule: R) {
        drop(Optimizer::new(rule, 0.1));
    }
    fn rules<R: Rule + Default + 'static>(name: &str, fields: &[(&str, &str, fn(&mut R, f64))]) {
        for &(field, range, set) in fields {
            is_checked(&format!("the {field} of {name}"), range, |number| {
                let mut rule = R::default();
                set(&mut rule, number);
                of(rule);
            });
        }
    }
    rules::<Adam>(
        "Adam",
        &[
            ("first beta", BELOW_ONE, |rule, x| rule.betas.0 = x),
            ("second beta", BELOW_ONE, |rule, x| rule.betas.1 = x),
            ("epsilon", NOT_NEGATIVE, |rule, x| rule.epsilon = x),
            ("decay", NOT_NEGATIVE, |rule, x| rule.decay = x),
        ],
    );
    rules::<AdamW>(
        "AdamW",
        &[
            ("first beta", BELOW_ONE, |rule, x| rule.betas.0 = x),
            ("second beta", BELOW_ONE, |rule, x| rule.betas.1 = x),
            ("epsilon", NOT_NEGATIVE, |rule, x| rule.epsilon = x),
            ("decay", NOT_NEGATIVE, |rule, x| rule.decay = x),
        ],
    );
    rules::<Lion>(
        "Lion",
        &[
            ("first beta", BELOW_ONE, |rule, x| rule.betas.0 = x),
            ("second beta", BELOW_ONE, |rule, x| rule.betas.1 = x),
            ("decay", NOT_NEGATIVE, |rule, x| rule.decay = x),
        ],
    );
    rules::<RmsProp>(
        "RmsProp",
        &[
            ("smoothing", "from 0 to 1", |rule, x| rule.smoothing = x),
            ("epsilon", NOT_NEGATIVE, |rule, x| rule.epsilon = x),
            ("momentum", NOT_NEGATIVE, |rule, x| rule.momentum = x),
            ("decay", NOT_NEGATIVE, |rule, x| rule.decay = x),
        ],
    );
    rules::<Sgd>(
        "Sgd",
        &[
            ("momentum", NOT_NEGATIVE, |rule, x| rule.momentum = x),
            ("dampening", "from 0 to 1", |rule, x| rule.dampening = x),
            ("decay", NOT_NEGATIVE, |rule, x| rule.decay = x),
        ],
    );
    for (momentum, dampening) in [(0.0, 0.0), (0.9, 0.1)] {
        assert_eq!(
            refused(|| of(Sgd { momentum, dampening, nesterov: true, decay: 0.0 })),
            format!(
                "Nesterov's momentum has a momentum larger than 0 and a dampening of 0, not {momentum} and {dampening}"
            )
        );
    }
}

#[test]
fn a_rate_of_0_stays_0() {
    assert_eq!(Exponential { rate: 0.0, factor: 2.0 }.rate(2000), 0.0);
    assert_eq!(Steps { rate: 0.0, factor: 2.0, every: 1 }.rate(2000), 0.0);
}

#[test]
fn numbers_of_optimisers_schedules_and_clips_are_checked() {
    let sgd = |rate| Optimizer::new(Sgd::default(), rate);
    is_checked("the rate of the optimiser", NOT_NEGATIVE, |rate| drop(sgd(rate)));
    is_checked("the rate of the optimiser", NOT_NEGATIVE, |rate| sgd(0.1).set_rate(rate));
    is_checked("the rate of the group", NOT_NEGATIVE, |rate| {
        drop(sgd(0.1).with_group(|_| true, Group { rate, ..Group::default() }));
    });
    is_checked("the decay of the group", NOT_NEGATIVE, |decay| {
        drop(sgd(0.1).with_group(|_| true, Group { decay: Some(decay), ..Group::default() }));
    });
    let schedules: [(&str, fn(f64) -> f64); 9] = [
        ("rate of the schedule", |rate| rate.rate(3)),
        ("rate of Steps", |rate| Steps { rate, factor: 0.5, every: 2 }.rate(3)),
        ("factor of Steps", |factor| Steps { rate: 0.1, factor, every: 2 }.rate(3)),
        ("rate of Exponential", |rate| Exponential { rate, factor: 0.5 }.rate(3)),
        ("factor of Exponential", |factor| Exponential { rate: 0.1, factor }.rate(3)),
        ("rate of LinearSchedule", |rate| LinearSchedule { rate, end: 0.0, steps: 2 }.rate(3)),
        ("end of LinearSchedule", |end| LinearSchedule { rate: 0.1, end, steps: 2 }.rate(3)),
        ("rate of Cosine", |rate| Cosine { rate, end: 0.0, steps: 2 }.rate(3)),
        ("end of Cosine", |end| Cosine { rate: 0.1, end, steps: 2 }.rate(3)),
    ];
    for (name, rate) in schedules {
        is_checked(&format!("the {name}"), NOT_NEGATIVE, |number| assert!(rate(number) >= 0.0));
    }
    is_checked("the rate of Exponential", NOT_NEGATIVE, |rate| {
        WarmUp { steps: 5, then: Exponential { rate, factor: 0.5 } }.rate(3);
    });
    is_checked("the largest norm", "at least 0", |max| {
        clip_norm(&mut tensor![1.0], max);
    });
    is_checked("the largest element", "at least 0", |max| clip_value(&mut tensor![1.0], max));
}

#[test]
fn parameters_alone_are_changed() {
    #[derive(Clone, Debug, PartialEq, Module)]
    struct Model {
        weight: Tensor<shape![2]>,
        frozen: Frozen<Tensor<shape![2]>>,
        #[module(buffer)]
        mean: Tensor<shape![2]>,
        counts: Tensor<shape![2], i64>,
        #[module(skip)]
        note: &'static str,
    }
    let start = Model {
        weight: Tensor::ones(),
        frozen: Frozen(Tensor::ones()),
        mean: Tensor::ones(),
        counts: Tensor::ones(),
        note: "note",
    };
    let (mut model, gradient) = (start.clone(), start.clone());
    let mut optimizer = Optimizer::new(AdamW::default(), 0.5).with_state_of(&model);
    assert_eq!(optimizer.names(), ["rate", "weight.step", "weight.exp_avg", "weight.exp_avg_sq"]);
    assert!(optimizer.tensors().iter().all(|(_, role, _)| *role == Role::Buffer));
    optimizer.step(&mut model, &gradient).unwrap();
    assert!(model.weight.max().item() < 0.6);
    assert_eq!(Model { weight: Tensor::ones(), ..model }, start);
}

#[test]
fn parameters_are_changed_where_they_are() {
    let mut model = Tensor::<shape![1000]>::ones();
    let gradient = Tensor::<shape![1000]>::ones();
    let mut optimizer = Optimizer::new(Adam::default(), 0.1);
    let address = model.as_slice().unwrap().as_ptr();
    for _ in 0..3 {
        optimizer.step(&mut model, &gradient).unwrap();
        assert_eq!(model.as_slice().unwrap().as_ptr(), address);
    }
    // A copy that somebody else has stays as it was.
    let before = model.clone();
    optimizer.step(&mut model, &gradient).unwrap();
    assert!(before[[0]] - model[[0]] > 0.09);
}

#[test]
fn gradients_of_any_strides_count() {
    let mut model = Tensor::<shape![20, 30], f64>::zeros();
    let gradient = Tensor::<shape![30, 20], f64>::from_fn(|[i, j]| (i * 20 + j) as f64).transpose();
    Optimizer::new(Sgd::default(), 1.0).step(&mut model, &gradient).unwrap();
    assert_eq!(model, -&gradient);
    // A gradient of a sum: one element, stretched.
    let mut model = Tensor::<shape![20, 30], f64>::zeros();
    let gradient = tensor![[2.0]].expand::<shape![20, 30]>();
    Optimizer::new(Sgd::default(), 1.0).step(&mut model, &gradient).unwrap();
    assert_eq!(model, Tensor::full(-2.0));
}

#[test]
fn groups_have_their_own_rate_and_decay() {
    let group = |rate, decay| Group { rate, decay };
    let mut optimizer = Optimizer::new(Sgd { decay: 1.0, ..Sgd::default() }, 0.5)
        .with_group(|name| name == "1", group(1.0, Some(0.0)))
        .with_group(|name| name != "0", group(0.5, None));
    let mut model = (tensor![8.0], tensor![8.0], tensor![8.0]);
    let gradient = (tensor![0.0], tensor![0.0], tensor![0.0]);
    optimizer.step(&mut model, &gradient).unwrap();
    assert_eq!(model, (tensor![4.0], tensor![8.0], tensor![6.0]));
    optimizer.set_rate(1.0);
    optimizer.step(&mut model, &gradient).unwrap();
    assert_eq!(model, (tensor![0.0], tensor![8.0], tensor![3.0]));
}

#[test]
fn every_misfit_is_listed_and_nothing_is_changed() {
    let table = |n| Tensor::<shape![Words, 2]>::ones_shaped(shape![Words(n), 2]);
    type M = (Vec<Tensor<shape![2]>>, Option<Tensor<shape![3], f64>>, Tensor<shape![Words, 2]>);
    let mut model: M = (vec![Tensor::ones(); 2], None, table(4));
    let start = model.clone();
    let gradient: M = (vec![Tensor::ones()], Some(Tensor::ones()), table(3));
    let mut optimizer = Optimizer::new(Sgd { momentum: 0.9, ..Sgd::default() }, 0.1);
    let error = optimizer.step(&mut model, &gradient).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the gradient does not fit the model:\n  \
         `0.1` is missing\n  \
         `2` is f32 [4, 2], its gradient f32 [3, 2]\n  \
         `1` f64 [3] is left over"
    );
    assert_eq!(error.misfits()[0], ("0.1".to_owned(), Misfit::Missing));
    assert_eq!(model, start);

    // A model that has grown meanwhile: the memory is of the table that it had.
    optimizer.step(&mut model, &start).unwrap();
    let mut grown: M = (model.0, None, table(5));
    let gradient = grown.clone();
    let error = optimizer.step(&mut grown, &gradient).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit the model:\n  \
         `2` is f32 [5, 2], its `momentum_buffer` f32 [4, 2]"
    );
}

#[test]
fn parameters_that_join_later_begin_at_step_one() {
    let mut model = (vec![tensor![1.0]], tensor![1.0]);
    let mut optimizer = Optimizer::new(Adam::default(), 0.1);
    let gradient = model.clone();
    optimizer.step(&mut model, &gradient).unwrap();
    optimizer.step(&mut model, &gradient).unwrap();
    model.0.push(tensor![1.0]);
    let gradient = (vec![tensor![1.0]; 2], tensor![1.0]);
    optimizer.step(&mut model, &gradient).unwrap();
    let steps: Vec<i64> = (optimizer.tensors().iter())
        .filter(|(name, _, _)| name.ends_with("step"))
        .map(|(_, _, tensor)| tensor.get::<i64>().unwrap().item().unwrap())
        .collect();
    assert_eq!(steps, [3, 1, 3]);
    assert!(model.0[1].all_close(&tensor![0.9], 1e-6, 0.0));
}

#[test]
fn parameters_of_16_bits_are_computed_in_f32() {
    let half = |x: f32| half::f16::from_f32(x);
    let mut model = Tensor::<shape![40], half::f16>::full(half(1.0));
    let gradient = Tensor::<shape![40], half::f16>::full(half(1e-4));
    let mut optimizer = Optimizer::new(Adam { epsilon: 1e-12, ..Adam::default() }, 0.25);
    optimizer.step(&mut model, &gradient).unwrap();
    // The square of the gradient is no f16.
    assert_eq!(model, Tensor::full(half(0.75)));
    assert_eq!(optimizer.tensors()[2].2.element_name(), "f32");
    let mut gradient = (Tensor::<shape![4], half::bf16>::full(half::bf16::from_f32(2.0)), model);
    clip_value(&mut gradient, 0.5);
    assert_eq!(norm(&gradient), (44.0_f64 * 0.25).sqrt());
}

/// This package is tested without its feature `half`: that of `tensor-core` decides.
#[test]
fn steps_and_clipping_of_16_bits_need_no_feature_of_this_package() {
    fn check<T: tensor_core::Float>() {
        let (one, two) = (T::ONE, T::from_f64(2.0));
        let mut model = Tensor::<shape![4], T>::full(one);
        let mut gradient = Tensor::<shape![4], T>::full(two);
        assert_eq!(norm(&gradient), 4.0);
        assert_eq!(clip_norm(&mut gradient, 2.0).item(), 4.0);
        assert_eq!(gradient, Tensor::full(one));
        let step = |model: &Tensor<shape![4], T>, gradient: &Tensor<shape![4], T>| {
            let (mut model, mut gradient) = (model.clone(), gradient.clone());
            clip_norm(&mut gradient, 1.0);
            Optimizer::new(Sgd::default(), 1.0).step(&mut model, &gradient)?;
            Ok::<_, tensor_nn::optim::StepError>(model)
        };
        let program =
            tensor_core::trace::try_trace(&(model.clone(), gradient.clone()), |(x, g)| step(x, g));
        let stepped = step(&model, &gradient).unwrap();
        assert_eq!(stepped, Tensor::full(T::from_f64(0.5)));
        assert_eq!(program.unwrap().run(&(model.clone(), gradient.clone())).unwrap(), stepped);
        clip_value(&mut gradient, 0.5);
        Optimizer::new(Sgd::default(), 1.0).step(&mut model, &gradient).unwrap();
        assert_eq!(model, stepped);
    }
    check::<half::f16>();
    check::<half::bf16>();
}

#[cfg(feature = "safetensors")]
mod files {
    use super::*;

    #[derive(Clone, Debug, Module)]
    struct Training {
        model: Model<f32>,
        optimizer: Optimizer,
    }

    fn train(training: &mut Training, steps: std::ops::Range<usize>) {
        for step in steps {
            let (a, [b], c) = &training.model;
            // The gradient of some function.
            let gradient = (a.sin() + step as f32, [b * 0.1], c - 3.0);
            let schedule = Cosine { rate: 0.1, end: 0.0, steps: 20 };
            training.optimizer.set_rate(schedule.rate(step));
            training.optimizer.step(&mut training.model, &gradient).unwrap();
        }
    }

    #[test]
    fn a_resumed_run_gives_the_same_bits() {
        let new = || -> Model<f32> { (Tensor::ones(), [Tensor::ones()], Tensor::ones()) };
        let rules: [fn() -> Optimizer; 4] = [
            || Optimizer::new(AdamW::default(), 0.1),
            || Optimizer::new(Sgd { momentum: 0.9, nesterov: true, ..Sgd::default() }, 0.1),
            || Optimizer::new(RmsProp { momentum: 0.9, ..RmsProp::default() }, 0.1),
            || Optimizer::new(Lion::default(), 0.1),
        ];
        for (place, optimizer) in rules.into_iter().enumerate() {
            let name = format!("tensor-nn-test-resume-{place}.safetensors");
            let path = std::env::temp_dir().join(name);
            let mut training = Training { model: new(), optimizer: optimizer() };
            train(&mut training, 0..10);
            training.save(&path).unwrap();
            train(&mut training, 10..20);

            let model = new();
            let optimizer = optimizer().with_state_of(&model);
            let mut resumed = Training { model, optimizer };
            resumed.load(&path).unwrap();
            train(&mut resumed, 10..20);
            let (found, expected) = (resumed.tensors(), training.tensors());
            assert_eq!(found.len(), expected.len());
            for ((name, _, found), (_, _, expected)) in found.into_iter().zip(expected) {
                assert_eq!(found.get::<f32>(), expected.get::<f32>(), "{name}");
                assert_eq!(found.get::<i64>(), expected.get::<i64>(), "{name}");
                assert_eq!(found.get::<f64>(), expected.get::<f64>(), "{name}");
            }
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn the_state_of_another_run_is_refused_as_a_whole() {
        let path = std::env::temp_dir().join("tensor-nn-test-other-run.safetensors");
        let model = (tensor![1.0], tensor![[1.0, 2.0]]);
        Optimizer::new(Adam::default(), 0.1).with_state_of(&model).save(&path).unwrap();
        let other = (tensor![1.0, 2.0], tensor![[1.0, 2.0]]);
        let mut optimizer =
            Optimizer::new(Sgd { momentum: 0.9, ..Sgd::default() }, 0.5).with_state_of(&other);
        let error = optimizer.load(&path).unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().skip(1).map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "`0.momentum_buffer` is missing",
                "`1.momentum_buffer` is missing",
                "`0.exp_avg` f64 [1] is left over",
                "`0.exp_avg_sq` f64 [1] is left over",
                "`1.exp_avg` f64 [1, 2] is left over",
                "`1.exp_avg_sq` f64 [1, 2] is left over",
            ]
        );
        assert_eq!(optimizer.rate(), 0.5);

        let mut optimizer = Optimizer::new(Adam::default(), 0.5).with_state_of(&other);
        let error = optimizer.load(&path).unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().skip(1).map(str::trim).collect();
        assert_eq!(
            lines,
            ["`0.exp_avg` is f64 [1], not f64 [2]", "`0.exp_avg_sq` is f64 [1], not f64 [2]"]
        );
        std::fs::remove_file(path).unwrap();
    }
}

/// In a program, clipping gives the bits of an ordinary call, also for NaN and for gradients that are short enough.
#[test]
fn clipping_in_a_program() {
    type Gradient = (Tensor<shape![2]>, Tensor<shape![2], f64>);
    let clipped = |gradient: &Gradient| {
        let mut gradient = gradient.clone();
        let norm = clip_norm(&mut gradient, 1.0);
        (gradient, norm)
    };
    let program = trace(&(tensor![0.0, 0.0], tensor![0.0, 0.0]), clipped);
    for (x, y) in
        [([30.0, 0.5], [-40.0, 1e-3]), ([0.1, 0.2], [0.3, -0.0]), ([0.0, f32::NAN], [1.0, 2.0])]
    {
        let gradient = (Tensor::from(x), Tensor::from(y));
        let (expected, result) = (clipped(&gradient), program.run(&gradient).unwrap());
        assert_eq!(format!("{result:?}"), format!("{expected:?}"));
    }
}
