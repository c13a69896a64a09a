//! Layers and steps written with the public interface of `tensor-core` compute what those of `tensor-nn` compute, bit by
//! bit.

use tensor_core::autograd::value_and_grad;
use tensor_core::functional::{class_indices, cross_entropy, layer_norm, linear, rms_norm};
use tensor_core::loops::{for_each_part, with_best_instructions};
use tensor_core::module::{AnyTensor, Module, Path, Role};
use tensor_core::trace::trace;
use tensor_core::{Axis, Shape, Tensor, shape, shapes, tensor};
use tensor_nn::layers::{LayerNorm, Linear, RmsNorm};
use tensor_nn::losses::{self, CrossEntropy};
use tensor_nn::optim::{Optimizer, Sgd, norm};

use super::{Batch, D, rng};

/// A linear layer between two normalisations: `[..lead, i] → [..lead, o]`.
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
struct Own<I: Axis, O: Axis> {
    gain: Tensor<shape![I]>,
    shift: Tensor<shape![I]>,
    weight: Tensor<shape![O, I]>,
    bias: Tensor<shape![O]>,
    scale: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Own<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        let x = layer_norm(x, &self.gain, Some(&self.shift), 1e-5);
        rms_norm(&linear(&x, &self.weight, Some(&self.bias)), &self.scale, 1e-6)
    }
}

/// The same of `tensor-nn`.
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
struct Theirs<I: Axis, O: Axis> {
    first: LayerNorm<I>,
    linear: Linear<I, O>,
    last: RmsNorm<O>,
}

impl<I: Axis, O: Axis> Theirs<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        self.last.forward(&self.linear.forward(&self.first.forward(x)))
    }
}

impl<I: Axis, O: Axis> From<Theirs<I, O>> for Own<I, O> {
    fn from(Theirs { first, linear, last }: Theirs<I, O>) -> Self {
        let (gain, shift, scale) = (first.weight, first.bias, last.weight);
        Self { gain, shift, weight: linear.weight, bias: linear.bias, scale }
    }
}

/// Both models, and an input and classes for them: large enough for the fused product.
type Example = (Theirs<D<48>, D<20>>, Own<D<48>, D<20>>, Tensor<shape![Batch, 48]>);

fn example() -> (Example, Tensor<shape![Batch], i64>) {
    let mut rng = rng();
    let mut theirs =
        Theirs { first: LayerNorm::new(), linear: Linear::new(&mut rng), last: RmsNorm::new() };
    theirs.first.weight = rng.uniform(0.5, 1.5);
    theirs.first.bias = rng.normal(0.0, 1.0);
    let x = rng.normal_shaped(shape![Batch(64), 48], 0.0, 1.0);
    let classes = (Tensor::arange_shaped(shape![Batch(64)]) * 7_i64) % 20;
    ((theirs.clone(), theirs.into(), x), classes)
}

#[test]
fn layers_and_losses_are_equal_and_so_are_their_gradients() {
    let ((theirs, own, x), classes) = example();
    assert_eq!(own.forward(&x), theirs.forward(&x));
    let without_bias = linear(&x, &own.weight, None);
    assert_eq!(without_bias, x.dot(&own.weight.transpose()));

    let (loss, gradient) = value_and_grad(&theirs, |theirs| {
        losses::cross_entropy(&theirs.forward(&x), &classes).unwrap()
    });
    let (own_loss, own_gradient) =
        value_and_grad(&own, |own| cross_entropy(&own.forward(&x), &classes).unwrap().mean());
    assert_eq!((own_loss, own_gradient), (loss, gradient.into()));
}

#[test]
fn programs_are_equal() {
    let ((theirs, own, x), classes) = example();
    let program = trace(&(own.clone(), x.clone(), classes.clone()), |(own, x, classes)| {
        cross_entropy(&own.forward(x), classes).unwrap()
    });
    let losses = CrossEntropy::new().each(&theirs.forward(&x), &classes).unwrap();
    assert_eq!(program.run(&(own.clone(), x.clone(), classes.clone())).unwrap(), losses);
    // Classes are checked when the program runs.
    let error = program.run(&(own, x, classes + 1)).unwrap_err().to_string();
    assert!(error.contains("index 20, at position"), "{error}");
}

#[test]
fn ignored_classes_are_those_of_the_loss() {
    let scores = tensor![[0.0, 1.0, 0.5], [2.0, 1.0, 0.0]];
    let classes = tensor![2, -100];
    let indices = class_indices(&classes, 3, Some(-100)).unwrap();
    let counts = indices.not_equal(-100);
    let losses = cross_entropy(&scores, &tensor_core::select(&counts, &indices, 0)).unwrap();
    let mean = tensor_core::select(&counts, losses, 0.0).sum();
    assert_eq!(mean, CrossEntropy::new().ignore(-100).mean(&scores, &classes).unwrap());
    assert_eq!(class_indices(&classes, 3, None).unwrap_err().index, -100);
}

/// A step against the gradient with its norm limited to 1, without allocating.
fn step(model: &mut impl Module, gradient: &impl Module, rate: f32) {
    let mut squares = Tensor::scalar(0.0);
    let mut gradients = Vec::new();
    gradient.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            squares = &squares + tensor.sum_of_squares().expect("parameters are floats");
            gradients.push(tensor.get::<f32>().expect("parameters are f32"));
        }
    });
    let factor = rate * (1.0 / squares.sqrt().item()).min(1.0) as f32;
    let mut gradients = gradients.iter();
    model.visit_mut(&Path::ROOT, &mut |_, role, parameter| {
        if role != Role::Parameter {
            return;
        }
        assert!(!parameter.is_tracked());
        let gradient = gradients.next().unwrap().as_slice().unwrap();
        let parameter = parameter.as_mut_slice::<f32>().unwrap();
        for_each_part(parameter, 3 * size_of_val(gradient), 1, |start, parameter| {
            with_best_instructions(
                #[inline(always)]
                || {
                    for (x, &g) in parameter.iter_mut().zip(&gradient[start..]) {
                        *x -= factor * g;
                    }
                },
            );
        });
    });
}

#[test]
fn steps_are_equal() {
    let ((_, mut own, _), _) = example();
    let mut theirs = own.clone();
    let gradient = own.clone();
    let rate = 0.5 * (1.0 / norm(&gradient).item()) as f32;
    let mut optimizer = Optimizer::new(Sgd::default(), f64::from(rate));
    optimizer.step(&mut theirs, &gradient).unwrap();
    step(&mut own, &gradient, 0.5);
    assert!(norm(&gradient).item() > 1.0 && own != gradient);
    assert!(own == theirs, "a step differs");
    let any: &dyn AnyTensor = &own.weight;
    assert_eq!(any.sum_of_squares().unwrap().sqrt(), norm(&own.weight));
}
