//! Optimisers and clipping.

use core::convert::Infallible;

use tensor_core::autograd::value_and_grad;
use tensor_core::module::Frozen;
use tensor_core::{Float, Tensor, shape};
use tensor_nn::layers::{Linear, Pass, Relu, Sequential};
use tensor_nn::optim::*;

use super::D;
use super::check::{Check, Expected, numbers};

type Model<T> = (Tensor<shape![3, 8], T>, Vec<Tensor<shape![4], T>>, Frozen<Tensor<shape![2], T>>);

fn model<T: Float>() -> Model<T> {
    (numbers(), vec![numbers(), numbers::<shape![4], T>() * T::from_f64(0.5)], Frozen(numbers()))
}

pub fn cases<T: Float>(check: &mut Check) {
    let sgd = |momentum, dampening, nesterov, decay| Sgd { momentum, dampening, nesterov, decay };
    let mut rule = |name, optimizer: Optimizer| {
        let optimizer = optimizer.with_state_of(&model::<T>());
        let inputs = (optimizer, model::<T>(), model::<T>());
        check.case_of(
            Expected::BitsWithoutGradients,
            name,
            inputs,
            |(optimizer, model, gradient)| {
                let (mut optimizer, mut model) = (optimizer.clone(), model.clone());
                optimizer.step(&mut model, gradient).unwrap();
                optimizer.step(&mut model, gradient).unwrap();
                (optimizer, model)
            },
        );
    };
    rule("optim::step Sgd", Optimizer::new(Sgd::default(), 0.1));
    rule("optim::step Sgd with decay", Optimizer::new(sgd(0.0, 0.0, false, 0.1), 0.1));
    rule("optim::step Sgd with momentum", Optimizer::new(sgd(0.9, 0.1, false, 0.1), 0.1));
    rule("optim::step Sgd with Nesterov momentum", Optimizer::new(sgd(0.9, 0.0, true, 0.0), 0.1));
    rule("optim::step Adam", Optimizer::new(Adam::default(), 0.1));
    rule(
        "optim::step Adam with decay",
        Optimizer::new(Adam { decay: 0.1, ..Adam::default() }, 0.1),
    );
    rule("optim::step AdamW", Optimizer::new(AdamW::default(), 0.1));
    rule("optim::step RmsProp", Optimizer::new(RmsProp::default(), 0.1));
    let rms = RmsProp { momentum: 0.5, decay: 0.1, ..RmsProp::default() };
    rule("optim::step RmsProp with momentum", Optimizer::new(rms, 0.1));
    rule("optim::step Lion", Optimizer::new(Lion::default(), 0.1));
    rule(
        "optim::step Lion with decay",
        Optimizer::new(Lion { decay: 0.1, ..Lion::default() }, 0.1),
    );
    let group = Group { rate: 0.5, decay: Some(0.2) };
    let grouped =
        Optimizer::new(AdamW::default(), 0.1).with_group(|name| name.starts_with('1'), group);
    rule("optim::with_group", grouped);

    let optimizer = Optimizer::new(Adam::default(), 0.1).with_state_of(&model::<T>());
    let falling = LinearSchedule { rate: 0.2, end: 0.1, steps: 4 };
    let later = Join { first: falling, steps: 4, then: Exponential { rate: 0.1, factor: 0.9 } };
    let schedules: [Box<dyn Schedule>; 3] = [
        Box::new(WarmUp { steps: 3, then: Cosine { rate: 0.1, end: 0.01, steps: 10 } }),
        Box::new(Steps { rate: 0.1, factor: 0.5, every: 2 }),
        Box::new(later),
    ];
    let rate = schedules.iter().map(|schedule| schedule.rate(5)).sum();
    let rate = Tensor::scalar(rate);
    let inputs = (optimizer, rate, model::<T>(), model::<T>());
    check.case_of(Expected::BitsWithoutGradients, "optim::set_rate_tensor", inputs, |inputs| {
        let (mut optimizer, rate, mut model, gradient) = inputs.clone();
        optimizer.set_rate_tensor(&rate);
        optimizer.step(&mut model, gradient).unwrap();
        (optimizer, model)
    });

    check.case("clip::norm", model::<T>(), norm);
    check.case("clip::clip_norm", model::<T>(), |x| {
        let mut x = x.clone();
        (clip_norm(&mut x, 0.5), x)
    });
    check.case("clip::clip_norm of a short gradient", model::<T>(), |x| {
        let mut x = x.clone();
        (clip_norm(&mut x, 1e6), x)
    });
    check.case("clip::clip_value", model::<T>(), |x| {
        let mut x = x.clone();
        clip_value(&mut x, 0.7);
        x
    });
    check.case("clip::clip_value without a limit", model::<T>(), |x| {
        let mut x = x.clone();
        clip_value(&mut x, f64::INFINITY);
        x
    });

    let scale = LossScale::new(4.0, 1);
    let loss = |model: &Model<T>| (&model.0 * &model.0).sum();
    let inputs = (scale.clone(), model::<T>());
    check.case_of(
        Expected::BitsWithoutGradients,
        "loss_scale::value_and_grad",
        inputs.clone(),
        |(scale, model)| scale.value_and_grad(model, loss),
    );
    check.case_of(
        Expected::BitsWithoutGradients,
        "loss_scale::try_value_and_grad",
        inputs,
        |(scale, model)| {
            scale.try_value_and_grad(model, |model| Ok::<_, Infallible>(loss(model))).unwrap()
        },
    );
    // The special values are elements of the gradient.
    let optimizer = Optimizer::new(AdamW::default(), 0.1).with_state_of(&model::<T>());
    let inputs = (scale, optimizer, model::<T>(), model::<T>());
    check.case_of(Expected::BitsWithoutGradients, "loss_scale::step", inputs, |inputs| {
        let (mut scale, mut optimizer, mut model, gradient) = inputs.clone();
        let is_made = scale.step(&mut optimizer, &mut model, &gradient).unwrap();
        (is_made, scale, optimizer, model)
    });

    // A whole step of a training.
    let rng = &mut tensor_core::random::Generator::seed(1);
    type Layers<T> = Sequential<(Linear<D<8>, D<6>, T>, Relu, Linear<D<6>, D<3>, T>)>;
    let layers: Layers<T> = Sequential((Linear::new(rng), Relu, Linear::new(rng)));
    let optimizer = Optimizer::new(AdamW::default(), 0.1).with_state_of(&layers);
    let inputs = (optimizer, layers, numbers::<shape![5, 8], T>());
    check.case_of(Expected::BitsWithoutGradients, "optim::step of a training", inputs, |inputs| {
        let (mut optimizer, mut layers, x) = inputs.clone();
        let loss = |layers: &Layers<T>| layers.forward(&x, &mut Pass::eval()).square().mean();
        let (loss, mut gradient) = value_and_grad(&layers, loss);
        clip_value(&mut gradient, 0.1);
        optimizer.step(&mut layers, &gradient).unwrap();
        (optimizer, layers, loss)
    });
}
