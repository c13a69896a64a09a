//! Cross-entropy: `-ln softmax(x)` at one class of each row, whose gradient is `softmax(x)` less 1 at
//! the class. Composed of operations, the backward pass would take a scatter and four more passes.

use smallvec::smallvec;
use tensor_kernels::element::operation::BinaryOp;
use tensor_kernels::element::{Float, Isa};
use tensor_kernels::instances::instances;
use tensor_kernels::kernel::isa_fns::with_best_isa;
use tensor_kernels::layout::graph::with_recording;
use tensor_kernels::ops::{AxisParams, GradientProduct, reductions as ops};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::Storage;

use super::operations::fits;
use super::reductions::AxesOp;
use super::rule::{At, GradientRule, GradientsOf};
use crate::array::apply::{Evaluate, apply, evaluate};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AlongAxes, AnyArray, Rule, Saves};
use crate::array::recording::Recordable;
use crate::array::trace::stablehlo::expression::{HasLowering, along, lowering};
use crate::array::trace::{count, primitive};

/// The negative log-probability of a class, the second operand, in each row of scores.
#[derive(Debug)]
struct CrossEntropy;

primitive!(CrossEntropy, |_| "cross_entropy", |_, operands, _| count(operands[0]), |_, to| {
    let (x, classes) = (&to.x[0], &to.x[1]);
    let axis = x.rank() - 1;
    let row = lowering!(
        let d = subtract(x, max(x));
        negate(subtract(d, log(sum(exponential(d)))))
    );
    let losses = along(to.builder, row, x, &[axis], AxisParams::default(), &x.sizes, to.element);
    let classes = to.builder.reshape(classes, &[to.sizes, &[1]].concat());
    to.builder.take_along(&losses, &classes, axis)
});

/// The losses of rows of log-probabilities.
fn losses<T: Float>(log_probabilities: &DynTensor<T>, classes: &DynTensor<i64>) -> Storage<T> {
    let rows = log_probabilities.as_slice().expect("results of an operation");
    let size = log_probabilities.sizes().last().copied().unwrap_or_default().max(1);
    let rows = rows.chunks_exact(size).zip(classes.iter());
    Storage::from_vec(rows.map(|(row, &class)| row[class as usize].neg()).collect())
}

impl<T: Float> Evaluate<(T, i64)> for CrossEntropy {
    type Output = T;

    #[track_caller]
    fn evaluate(
        &self,
        &(scores, classes): &(&DynTensor<T>, &DynTensor<i64>),
        _: &[usize],
    ) -> Storage<T> {
        losses(&log_probabilities(scores), classes)
    }

    /// In a program, whose classes may be known only when it runs.
    fn rule(&self, &(_, classes): &(&DynTensor<T>, &DynTensor<i64>)) -> Option<Rule> {
        Some(Rule::of::<T>(TracedCrossEntropy { classes: classes.clone() }))
    }

    #[track_caller]
    fn evaluate_tracked(
        &self,
        &(scores, classes): &(&DynTensor<T>, &DynTensor<i64>),
        _: &[usize],
    ) -> (Storage<T>, Option<Rule>) {
        let logarithms = with_recording(false, || log_probabilities(scores));
        let storage = losses(&logarithms, classes);
        let (log_probabilities, classes) = (logarithms.to_any(), classes.clone());
        (storage, Some(Rule::of::<T>(CrossEntropyRule { log_probabilities, classes })))
    }
}

/// Cross-entropy of scores: the negative log-probability of a class in each row: `[..s, c], [..s] → [..s]`.
///
/// # Panics
///
/// If there is not one class for each row, or one is not from 0 to `c - 1`.
#[track_caller]
#[inline(never)]
pub fn cross_entropy<T: Float>(scores: &DynTensor<T>, classes: &DynTensor<i64>) -> DynTensor<T> {
    let (_, rows) = scores.sizes().split_last().expect("scores have an axis of classes");
    assert_eq!(classes.len(), rows.iter().product::<usize>(), "one class for each row");
    apply::<(T, i64), _>(CrossEntropy, (scores, classes), Sizes::from_slice(rows))
}

instances!(cross_entropy::<f32>, cross_entropy::<f64>);

/// The logarithms of probabilities, without a history: `[..s, c] → [..s, c]`.
#[track_caller]
fn log_probabilities<T: Float>(scores: &DynTensor<T>) -> DynTensor<T> {
    let size = scores.sizes().last().copied().unwrap_or_default();
    match scores.contiguous().as_slice() {
        Some(elements) if (1..=SHORT).contains(&size) && size_of::<T>() >= size_of::<f32>() => {
            DynTensor::from_storage(scores.sizes().into(), short_log_softmax(elements, size))
        }
        _ => fits(scores.log_softmax(-1)),
    }
}

/// [`log_probabilities`], as an operation.
#[derive(Debug)]
struct LogProbabilities;

primitive!(LogProbabilities, |_| "log_softmax", |_, operands, _| count(operands[0]), |_, to| {
    let (row, axis) = (ops::LogSoftmax::LOWERING, to.sizes.len() - 1);
    along(to.builder, row, &to.x[0], &[axis], AxisParams::default(), to.sizes, to.element)
});

evaluate!(
    LogProbabilities => (scores: T) -> T where T: Float,
    |_, _| with_recording(false, || log_probabilities(scores)).storage,
    |_| log_softmax_rule(scores.rank()),
);

/// The rule of [`log_probabilities`] for scores of a rank.
fn log_softmax_rule(rank: usize) -> AxesOp<ops::LogSoftmax> {
    AxesOp { op: ops::LogSoftmax, along: AlongAxes::new(&[rank - 1], 0) }
}

/// The rule of [`cross_entropy`], with what it has computed.
struct CrossEntropyRule {
    log_probabilities: AnyArray,
    classes: DynTensor<i64>,
}

/// The rule of [`cross_entropy`] in a program that is being traced.
struct TracedCrossEntropy {
    classes: DynTensor<i64>,
}

impl GradientRule for TracedCrossEntropy {
    const SAVES: Saves = Saves::FIRST;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let size = at.sizes(0).last().copied().unwrap_or_default();
        let scores = at.operand::<T>(0);
        let hot = self.classes.one_hot::<T>(size).expect("the classes are in range");
        let slope =
            apply::<(T,), _>(LogProbabilities, (&scores,), scores.sizes.clone()).exp().minus(hot);
        smallvec![Some(slope.times(fits(gradient.unsqueeze(-1)))), None]
    }
}

/// The maximum number of classes for which [`short_log_softmax`] is faster than a loop for each row.
const SHORT: usize = 32;

/// `x - max x - ln Σ e^(x - max x)` of short rows: the exponentials and the logarithms of many rows are
/// computed in vectors that no single row would fill.
fn short_log_softmax<T: Float>(scores: &[T], size: usize) -> Storage<T> {
    /// The number of elements that are taken at a time.
    const BATCH: usize = 512;
    let mut storage = Storage::zeros(scores.len());
    let results = storage.get_mut().expect("new elements have one owner");
    let (mut exponentials, mut logarithms) = ([T::ZERO; BATCH], [T::ZERO; BATCH]);
    let batch = BATCH / size * size;
    for (results, scores) in results.chunks_mut(batch).zip(scores.chunks(batch)) {
        for (results, scores) in results.chunks_exact_mut(size).zip(scores.chunks_exact(size)) {
            let larger = |largest: T, &score: &T| if score > largest { score } else { largest };
            let largest = scores.iter().fold(scores[0], larger);
            for (result, &score) in results.iter_mut().zip(scores) {
                *result = score.sub(largest);
            }
        }
        let exponentials = &mut exponentials[..scores.len()];
        let logarithms = &mut logarithms[..scores.len() / size];
        with_best_isa(
            #[inline(always)]
            |isa| {
                for (exponential, &result) in exponentials.iter_mut().zip(results.iter()) {
                    *exponential = result.exp_isa(isa);
                }
            },
        );
        for (sum, row) in logarithms.iter_mut().zip(exponentials.chunks_exact(size)) {
            *sum = row.iter().fold(T::ZERO, |sum, &element| sum.add(element));
        }
        with_best_isa(
            #[inline(always)]
            |isa| {
                for sum in logarithms.iter_mut() {
                    *sum = sum.ln_isa(isa);
                }
            },
        );
        for (results, &logarithm) in results.chunks_exact_mut(size).zip(logarithms.iter()) {
            for result in results {
                *result = result.sub(logarithm);
            }
        }
    }
    storage
}

impl GradientRule for CrossEntropyRule {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let size = self.log_probabilities.sizes().last().copied().unwrap_or_default();
        let positions =
            self.classes.iter().enumerate().map(|(row, &class)| row * size + class as usize);
        // If this is recorded, the probabilities have to be computed from tracked values.
        let rule = || Rule::of::<T>(log_softmax_rule(at.sizes(0).len()));
        let probabilities = at.as_result::<T>(&self.log_probabilities, rule).exp();
        let slope = match probabilities.is_tracked() {
            true => {
                let mut hot = Storage::zeros(probabilities.len());
                let ones = &mut hot.make_mut()[..probabilities.len()];
                positions.for_each(|position| ones[position] = T::ONE);
                let hot = DynTensor::from_storage(at.sizes(0).into(), hot);
                probabilities.minus(hot)
            }
            false => {
                let mut slope = probabilities;
                let elements = slope.storage.make_mut();
                positions.for_each(|position| elements[position] = elements[position].sub(T::ONE));
                let weights = gradient.contiguous();
                if let (false, Some(weights)) = (gradient.is_tracked(), weights.as_slice()) {
                    for (row, &weight) in elements.chunks_exact_mut(size.max(1)).zip(weights) {
                        let product =
                            |x| <GradientProduct as BinaryOp<T>>::apply(Isa::BASELINE, x, weight);
                        row.iter_mut().for_each(|element| *element = product(*element));
                    }
                    return smallvec![Some(slope)];
                }
                slope
            }
        };
        let mut kept: Sizes = at.sizes(0).into();
        kept[at.sizes(0).len() - 1] = 1;
        smallvec![Some(slope.times(gradient.in_sizes(&kept)))]
    }
}
