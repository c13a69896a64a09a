//! The sum of the squares of all elements, of which the norm of a gradient is the root: in one pass, without an array of
//! the squares.

use tensor_kernels::element::{CastTo, Float};
use tensor_kernels::instances::instances;
use tensor_kernels::kernel::isa_fns::with_best_isa;
use tensor_kernels::ops::{AxisParams, reductions as ops};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::Storage;

use super::reductions::AxesOp;
use crate::array::apply::{apply, evaluate};
use crate::array::dynamic::DynTensor;
use crate::array::history::AlongAxes;
use crate::array::trace::stablehlo::expression::{HasLowering, along};
use crate::array::trace::{count, primitive};

/// The number of independent partial sums.
const LANES: usize = 16;

/// `Σ x²` in `f64`, whatever the element type is: `[..s] → []`.
#[track_caller]
#[inline(never)]
pub fn sum_of_squares<T: Float + CastTo<f64>>(x: &DynTensor<T>) -> DynTensor<f64> {
    if x.is_tracked() {
        let squares = x.cast::<f64>().square();
        return apply::<(f64,), _>(SumOfSquares, (&squares,), Sizes::new());
    }
    let sum = sum_in_lanes(x, |x| x.to_f64() * x.to_f64());
    DynTensor::from_storage(Sizes::new(), Storage::from_slice(&[sum]))
}

instances!(sum_of_squares::<f32>, sum_of_squares::<f64>);

/// The sum of squares, in the order in which [`sum_of_squares`] adds them.
#[derive(Debug)]
struct SumOfSquares;

primitive!(SumOfSquares, |_| "sum", |_, operands, _| count(operands[0]), |_, to| {
    let axes: Vec<usize> = (0..to.x[0].rank()).collect();
    along(to.builder, ops::Sum::LOWERING, &to.x[0], &axes, AxisParams::default(), &[], "f64")
});

evaluate!(
    SumOfSquares => (squares: f64) -> f64,
    |_, _| Storage::from_slice(&[sum_in_lanes(squares, |x| x)]),
    |_| AxesOp { op: ops::Sum, along: AlongAxes::all(squares.rank(), 0) },
);

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
