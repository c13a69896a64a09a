//! The sum of the squares of all elements, of which the norm of a gradient is the root: in one pass, without an array of
//! the squares.

use crate::array::dynamic::DynTensor;
use crate::array::history::{AlongAxes, HasAxesRule};
use crate::array::instances::instances;
use crate::array::kernel::isa_fns::with_best_isa;
use crate::array::recording::{Outcome, Recordable};
use crate::array::storage::Storage;
use crate::array::trace::{self, Axes, Op};
use crate::element::{CastTo, Float};
use crate::ops::reductions as ops;
use crate::sizes::Sizes;

/// The number of independent partial sums.
const LANES: usize = 16;

/// `Σ x²` in `f64`, whatever the element type is: `[..s] → []`.
#[track_caller]
#[inline(never)]
pub fn sum_of_squares<T: Float + CastTo<f64>>(x: &DynTensor<T>) -> DynTensor<f64> {
    if x.is_traced() || x.is_recorded() {
        return sum(&x.cast::<f64>().square());
    }
    number(sum_in_lanes(x, |x| x.to_f64() * x.to_f64()))
}

instances!(sum_of_squares::<f32>, sum_of_squares::<f64>);

/// The sum of squares, in the order in which [`sum_of_squares`] adds them.
#[track_caller]
fn sum(squares: &DynTensor<f64>) -> DynTensor<f64> {
    let rule = <ops::Sum as HasAxesRule>::RULE.expect("it has a gradient");
    let rule = rule(AlongAxes::all(squares.sizes().len(), 0));
    if squares.is_traced() {
        let axes: Axes = (0..squares.sizes().len()).collect();
        let op = Op::Reduce { row: &ops::Sum::NAMES, axes, correction: 0 };
        let operands: &[&dyn Recordable] = &[squares];
        return trace::step(op, Some(rule), &[], operands, |x| sum(trace::operand(x, 0)));
    }
    number(sum_in_lanes(squares, |x| x)).with(&[squares], || rule)
}

fn number(x: f64) -> DynTensor<f64> {
    DynTensor::from_storage(Sizes::new(), Storage::from_slice(&[x]))
}

/// The sum of a function of all elements.
fn sum_in_lanes<T: Float>(x: &DynTensor<T>, term: impl Fn(T) -> f64) -> f64 {
    let x = x.contiguous();
    let elements = x.as_slice().expect("a contiguous tensor");
    let (rows, rest) = elements.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    with_best_isa(
        #[inline(always)]
        |_| {
            for row in rows {
                for (sum, &x) in sums.iter_mut().zip(row) {
                    *sum += term(x);
                }
            }
        },
    );
    let rest: f64 = rest.iter().map(|&x| term(x)).sum();
    sums.iter().sum::<f64>() + rest
}
