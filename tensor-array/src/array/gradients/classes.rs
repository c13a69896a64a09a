//! Cross-entropy: `-ln softmax(x)` at one class of each row, whose gradient is `softmax(x)` less 1 at
//! the class. Composed of operations, the backward pass would take a scatter and four more passes.

use smallvec::smallvec;

use super::operations::fits;
use super::rule::{At, GradientRule, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AlongAxes, AnyArray, HasAxesRule, with_recording};
use crate::array::instances::instances;
use crate::array::kernel::isa_fns::with_best_isa;
use crate::array::recording::{Outcome, Recordable};
use crate::array::storage::Storage;
use crate::array::trace::{self, Op};
use crate::element::operation::BinaryOp;
use crate::element::{Float, Isa};
use crate::ops::{AxisParams, GradientProduct, reductions as ops};
use crate::sizes::Sizes;

/// The rule of [`cross_entropy`].
struct CrossEntropy {
    log_probabilities: AnyArray,
    classes: Vec<usize>,
}

rules! { CrossEntropy: NOTHING; }

/// Cross-entropy of scores: the negative log-probability of a class in each row: `[..s, c], [..s] → [..s]`.
///
/// # Panics
///
/// If there is not one class for each row, or one is not from 0 to `c - 1`.
#[track_caller]
#[inline(never)]
pub fn cross_entropy<T: Float>(scores: &DynTensor<T>, classes: &DynTensor<i64>) -> DynTensor<T> {
    let (&size, rows) = scores.sizes().split_last().expect("scores have an axis of classes");
    let rows = Sizes::from_slice(rows);
    assert_eq!(classes.len(), rows.iter().product::<usize>(), "one class for each row");
    if scores.is_traced() || classes.is_traced() {
        let rule = TracedCrossEntropy { classes: classes.clone() };
        let operands: &[&dyn Recordable] = &[scores, classes];
        return trace::step(Op::CrossEntropy, Some(rule.into()), &rows, operands, |x| {
            cross_entropy::<T>(trace::operand(x, 0), trace::operand(x, 1))
        });
    }
    let classes: Vec<usize> = classes.iter().map(|&class| class as usize).collect();
    let logarithms = with_recording(false, || log_probabilities(scores));
    let elements = logarithms.as_slice().expect("results of an operation");
    let loss = |(row, &class): (&[T], &usize)| row[class].neg();
    let losses = elements.chunks_exact(size.max(1)).zip(&classes).map(loss).collect();
    let losses = DynTensor::from_storage(rows, Storage::from_vec(losses));
    losses.with(&[scores], || CrossEntropy { log_probabilities: logarithms.to_any(), classes })
}

instances!(cross_entropy::<f32>, cross_entropy::<f64>);

/// The logarithms of probabilities: `[..s, c] → [..s, c]`.
#[track_caller]
fn log_probabilities<T: Float>(scores: &DynTensor<T>) -> DynTensor<T> {
    if scores.is_traced() {
        let row = &ops::LogSoftmax::NAMES;
        let axis = scores.sizes().len() - 1;
        let op = Op::AlongAxis { row, axis, params: AxisParams::default() };
        let rule = <ops::LogSoftmax as HasAxesRule>::RULE.expect("it has a gradient");
        let rule = rule(AlongAxes::new(&[axis], 0));
        return trace::step(op, Some(rule), scores.sizes(), &[scores], |x| {
            log_probabilities::<T>(trace::operand(x, 0))
        });
    }
    let size = scores.sizes().last().copied().unwrap_or_default();
    match scores.contiguous().as_slice() {
        Some(elements) if (1..=SHORT).contains(&size) && size_of::<T>() >= size_of::<f32>() => {
            DynTensor::from_storage(scores.sizes().into(), short_log_softmax(elements, size))
        }
        _ => fits(scores.log_softmax(-1)),
    }
}

/// The rule of [`cross_entropy`] in a program that is being traced: the classes may be known only when it runs.
struct TracedCrossEntropy {
    classes: DynTensor<i64>,
}

rules! { TracedCrossEntropy: FIRST; }

impl GradientRule for TracedCrossEntropy {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let size = at.sizes(0).last().copied().unwrap_or_default();
        let hot = self.classes.one_hot::<T>(size).expect("the classes are in range");
        let slope = log_probabilities(&at.operand::<T>(0)).exp().minus(hot);
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

impl GradientRule for CrossEntropy {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let size = self.log_probabilities.sizes().last().copied().unwrap_or_default();
        let positions = self.classes.iter().enumerate().map(|(row, class)| row * size + class);
        let rule = <ops::LogSoftmax as HasAxesRule>::RULE.expect("it has a gradient");
        let axes = AlongAxes::new(&[at.sizes(0).len() - 1], 0);
        // If this is recorded, the probabilities have to be computed from tracked values.
        let probabilities = at.as_result::<T>(&self.log_probabilities, || rule(axes)).exp();
        let slope = match probabilities.is_recorded() {
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
                if let (false, Some(weights)) = (gradient.is_recorded(), weights.as_slice()) {
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
