//! Loss scaling: which steps are made, how the scale follows, and gradients that `f16` alone would lose.

use tensor_core::autograd::value_and_grad;
use tensor_core::precision::{autocast, f16};
use tensor_core::trace::trace;
use tensor_core::{Module, Tensor, shape, tensor};
use tensor_nn::optim::{Adam, LossScale, Optimizer, Sgd, clip_norm};

type Model = (Tensor<shape![3]>, Tensor<shape![2], f64>);

#[derive(Clone, Debug, Module)]
struct Training {
    model: Model,
    optimizer: Optimizer,
    scale: LossScale,
}

impl Training {
    fn new() -> Self {
        let model = (tensor![1.0, -2.0, 3.0], tensor![0.5, 0.25]);
        let optimizer = Optimizer::new(Adam::default(), 0.1).with_state_of(&model);
        Self { model, optimizer, scale: LossScale::new(8.0, 3) }
    }

    fn step(&mut self, gradient: &Model) -> Tensor<shape![], bool> {
        self.scale.step(&mut self.optimizer, &mut self.model, gradient).unwrap()
    }

    /// All tensors but those of the scale, as bytes.
    fn bytes(&self) -> Vec<Vec<u8>> {
        tensor_core::trace::element_bytes(&(self.model.clone(), self.optimizer.clone()))
    }
}

fn gradient(last: f64) -> Model {
    (tensor![0.5, 1.0, -1.0], tensor![1.0, last])
}

/// The gradients of a run: which are not finite.
const RUN: [f64; 8] = [1.0, f64::INFINITY, 1.0, 2.0, 3.0, f64::NAN, f64::NEG_INFINITY, -1.0];
/// The scale after each step: it doubles after three in a row.
const SCALES: [f32; 8] = [8.0, 4.0, 4.0, 4.0, 8.0, 4.0, 2.0, 2.0];

#[test]
fn steps_that_are_not_finite_are_skipped() {
    let mut training = Training::new();
    let mut other = training.clone();
    for (last, scale) in RUN.into_iter().zip(SCALES) {
        let before = training.bytes();
        let is_made = training.step(&gradient(last)).item();
        assert_eq!((is_made, training.scale.scale()), (last.is_finite(), scale), "{last}");
        assert_eq!(training.bytes() == before, !is_made);
        if is_made {
            other.optimizer.step(&mut other.model, gradient(last)).unwrap();
        }
    }
    assert_eq!(training.bytes(), other.bytes());
    assert_eq!(training.optimizer.steps(), 5);
}

/// A program chooses when it runs.
#[test]
fn programs_skip_the_same_steps() {
    let start = (Training::new(), gradient(0.0));
    let program = trace(&start, |(training, gradient)| {
        let mut training = training.clone();
        let is_made = training.step(gradient);
        (training, is_made)
    });
    let (mut training, mut eager) = (start.0.clone(), start.0);
    for last in RUN {
        let is_made;
        (training, is_made) = program.run(&(training, gradient(last))).unwrap();
        assert_eq!(is_made, eager.step(&gradient(last)));
        assert_eq!(training.bytes(), eager.bytes());
        assert_eq!(training.scale, eager.scale);
    }
}

#[test]
fn the_scale_has_bounds() {
    let (mut optimizer, mut model) = (Optimizer::new(Sgd::default(), 0.0), tensor![0.0_f32]);
    let mut scale = LossScale::new(2.0_f32.powi(126), 1);
    for _ in 0..3 {
        scale.step(&mut optimizer, &mut model, tensor![1.0]).unwrap();
        assert_eq!(scale.scale(), 2.0_f32.powi(127));
    }
    let mut scale = LossScale::new(2.0, 9);
    for _ in 0..3 {
        scale.step(&mut optimizer, &mut model, tensor![f32::NAN]).unwrap();
        assert_eq!(scale.scale(), 1.0);
    }
    for wrong in [0.5, 0.0, -2.0, f32::NAN, f32::INFINITY] {
        let panic = std::panic::catch_unwind(|| LossScale::new(wrong, 1)).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        let expected =
            format!("the scale of the loss is {wrong}, and must be finite and at least 1");
        assert_eq!(*message, expected);
    }
}

/// The elements are finite, though their squares are not.
#[test]
fn large_gradients_are_finite() {
    for number in [1e160, 1e300, f64::MAX, -f64::MAX] {
        let (mut model, mut scale) = (tensor![0.0_f64, 2.0], LossScale::new(4.0, 9));
        let mut optimizer = Optimizer::new(Sgd::default(), 1e-308);
        let gradient = tensor![number, number];
        let start = (model.clone(), optimizer.clone(), scale.clone(), gradient.clone());
        let program = trace(&start, |(model, optimizer, scale, gradient)| {
            let (mut model, mut optimizer, mut scale) =
                (model.clone(), optimizer.clone(), scale.clone());
            let is_made = scale.step(&mut optimizer, &mut model, gradient).unwrap();
            (is_made, model)
        });
        assert!(scale.step(&mut optimizer, &mut model, &gradient).unwrap().item(), "{number}");
        assert_eq!((model.to_vec()[0], scale.scale()), (-1e-308 * number, 4.0));
        let (is_made, of_program) = program.run(&start).unwrap();
        assert_eq!((is_made.item(), of_program), (true, model));
    }
    let (mut model, mut scale) = (tensor![0.0_f32, 2.0], LossScale::new(4.0, 9));
    let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    assert!(scale.step(&mut optimizer, &mut model, tensor![f32::MAX, f32::MAX]).unwrap().item());
}

/// A gradient that does not fit is an error whether its elements are finite or not, and changes nothing.
#[test]
fn a_gradient_that_does_not_fit() {
    let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    let (mut model, mut scale) = (vec![tensor![1.0_f32], tensor![2.0]], LossScale::new(4.0, 9));
    for number in [1.0, f32::NAN] {
        let error = scale.step(&mut optimizer, &mut model, vec![tensor![number]]).unwrap_err();
        assert_eq!(error.to_string(), "the gradient does not fit the model:\n  `1` is missing");
        assert_eq!((&model, scale.scale()), (&vec![tensor![1.0], tensor![2.0]], 4.0));
    }
}

#[cfg(feature = "safetensors")]
#[test]
fn checkpoints_have_the_scale() {
    let path = std::env::temp_dir().join(format!("loss-scale-{}.safetensors", std::process::id()));
    let (mut whole, mut first, mut resumed) = (Training::new(), Training::new(), Training::new());
    assert_eq!(whole.names()[whole.names().len() - 2..], ["scale.scale", "scale.growth_tracker"]);
    for (step, last) in RUN.into_iter().enumerate() {
        whole.step(&gradient(last));
        if step < 4 {
            first.step(&gradient(last));
        }
    }
    first.save(&path).unwrap();
    resumed.load(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    for last in &RUN[4..] {
        resumed.step(&gradient(*last));
    }
    assert_eq!((resumed.bytes(), resumed.scale), (whole.bytes(), whole.scale));
}

/// Gradients of 2⁻²⁶ are 0 in `f16`: without a scale, nothing is learned.
#[test]
fn small_gradients_reach_the_weights() {
    let (x, target) = (tensor![[0.5_f32, 1.0], [1.0, -0.5]], tensor![[1.0_f32], [2.0]]);
    let start = tensor![[0.0_f32], [0.0]];
    let loss = |weights: &Tensor<shape![2, 1]>| {
        (x.dot(weights) - &target).square().sum() * 2.0_f32.powi(-27)
    };
    let exact = value_and_grad(&start, loss).1;
    assert_eq!(autocast::<f16, _>(|| value_and_grad(&start, loss)).1, Tensor::zeros());
    let mut scale = LossScale::default();
    let (value, gradient) = autocast::<f16, _>(|| scale.value_and_grad(&start, loss));
    assert_eq!((value, &gradient), (loss(&start), &exact));

    // An overflow in a product of the gradient skips the step; a smaller scale makes it.
    let mut optimizer = Optimizer::new(Sgd::default(), 0.2);
    let mut weights = start.clone();
    let loss = |weights: &Tensor<shape![2, 1]>| (x.dot(weights) - &target).square().sum();
    let mut made = Vec::new();
    for _ in 0..40 {
        let (_, mut gradient) = autocast::<f16, _>(|| scale.value_and_grad(&weights, loss));
        clip_norm(&mut gradient, 10.0);
        made.push(scale.step(&mut optimizer, &mut weights, &gradient).unwrap().item());
    }
    assert!(
        !made[0] && made[39] && weights.all_close(&tensor![[2.0], [0.0]], 1e-2, 1e-2),
        "{weights}"
    );
}
