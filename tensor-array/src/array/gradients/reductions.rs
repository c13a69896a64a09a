//! The rules of reductions, and of operations along an axis that keep the sizes.

use core::mem::MaybeUninit;

use tensor_kernels::element::{Float, Number};
use tensor_kernels::ops::AxisParams;
use tensor_kernels::ops::Padding;
use tensor_kernels::ops::reductions::{self as ops, NumberReductions};
use tensor_kernels::sizes::Sizes;

use super::operations::fits;
use super::recurrence::recurrence;
use super::rule::{At, GradientRule, GradientsOf, of_operands};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AlongAxes, HasAxesRule, Rule, Saves};
use tensor_kernels::kernel::parallel::for_each_part;
use tensor_kernels::layout::num_elements;
use tensor_kernels::storage::Storage;

/// An operation along axes with its parameters.
pub(super) struct AxesOp<Op> {
    pub(super) op: Op,
    pub(super) along: AlongAxes,
}

/// The gradient rule of an operation along axes.
trait AxesRule: Send + Sync + 'static {
    const SAVES: Saves;

    fn gradient<T: Float>(&self, at: &Reduced<'_, '_, '_>, gradient: &DynTensor<T>)
    -> DynTensor<T>;
}

/// A recorded operation along axes.
struct Reduced<'a, 'b, 'c> {
    at: &'a At<'b, 'c>,
    along: &'a AlongAxes,
}

impl Reduced<'_, '_, '_> {
    /// The sizes of the operand.
    fn sizes(&self) -> &[usize] {
        self.at.sizes(0)
    }

    /// The sizes of the results with the axes kept at size 1, so that they broadcast to the operand.
    fn kept(&self) -> Sizes {
        let mut sizes: Sizes = self.sizes().into();
        self.along.axes.iter().for_each(|&axis| sizes[axis] = 1);
        sizes
    }

    /// The gradient of the results in these sizes. Operations that keep the sizes have one gradient for each element.
    fn in_kept_sizes<T: Float>(&self, gradient: &DynTensor<T>) -> DynTensor<T> {
        let is_kept = gradient.sizes() == self.sizes();
        gradient.in_sizes(&if is_kept { self.sizes().into() } else { self.kept() })
    }

    fn operand<T: Float>(&self) -> DynTensor<T> {
        self.at.operand(0)
    }

    /// The results, with sizes that broadcast to the operand.
    fn result<T: Float>(&self) -> DynTensor<T> {
        let result: DynTensor<T> = self.at.result();
        if result.sizes() == self.sizes() { result } else { result.in_sizes(&self.kept()) }
    }

    /// The number of elements of each result.
    fn count(&self) -> f64 {
        self.along.axes.iter().map(|&axis| self.sizes()[axis] as f64).product()
    }

    /// The divisor of variances.
    fn divisor(&self) -> f64 {
        self.count() - self.along.params.correction as f64
    }

    /// The sum along the axes, which are kept at size 1.
    fn sum<T: Float>(&self, value: &DynTensor<T>) -> DynTensor<T> {
        value.summed_to(&self.kept())
    }

    /// The axis of an operation that keeps the sizes.
    fn axis(&self) -> isize {
        self.along.axes[0] as isize
    }

    /// The gradient of an operation that keeps the sizes, as a function of arrays of these sizes and of the sizes of sums
    /// along the axis. Contiguous lanes of large arrays are taken some at a time, so that the arrays within the
    /// function stay in the cache.
    #[expect(unsafe_code, reason = "zeros would be written first")]
    fn by_lanes<T: Float, const N: usize>(
        &self,
        arrays: [&DynTensor<T>; N],
        gradient: &(dyn Fn([&DynTensor<T>; N], &[usize]) -> DynTensor<T> + Sync),
    ) -> DynTensor<T> {
        let sizes = self.sizes();
        let (len, lane) = (num_elements(sizes), sizes[self.along.axes[0]]);
        let part = lane * (PART_BYTES / (lane * size_of::<T>()).max(1)).max(1);
        let is_last = self.along.axes[0] + 1 == sizes.len();
        let is_constant = |array: &&DynTensor<T>| !array.is_tracked() && array.as_slice().is_some();
        if !is_last || lane == 0 || len < 4 * part || !arrays.iter().all(is_constant) {
            return gradient(arrays, &self.kept());
        }
        let rows = arrays.map(|array| fits(array.reshape(&[len / lane, lane])));
        let fill = |results: &mut [MaybeUninit<T>]| {
            for_each_part(results, part, |start, results| {
                for (index, results) in results.chunks_mut(part).enumerate() {
                    let first = start / lane + index * part / lane;
                    let count = results.len() / lane;
                    let of_part =
                        rows.each_ref().map(|rows| fits(rows.slice_axis(0, first..first + count)));
                    let found = gradient(of_part.each_ref(), &[count, 1]);
                    results.write_copy_of_slice(
                        found.contiguous().as_slice().expect("it was made contiguous"),
                    );
                }
            });
        };
        // SAFETY: `fill` writes every part, and all elements of each.
        let storage = unsafe { Storage::build(len, fill) };
        DynTensor::from_storage(sizes.into(), storage)
    }
}

/// The bytes of the lanes that are taken at a time: a few arrays of them stay in the L2 cache.
const PART_BYTES: usize = 64 << 10;

/// The gradient at the elements that are equal to the result, divided by their number. If the result is NaN,
/// these are the elements that are NaN.
fn shared<T: Float>(at: &Reduced<'_, '_, '_>, g: &DynTensor<T>, x: &DynTensor<T>) -> DynTensor<T> {
    let y = at.result::<T>();
    let mut chosen = fits(x.equal(&y));
    if y.is_traced() || y.is_nan().iter().any(|&is_nan| is_nan) {
        chosen = fits(chosen.select(&chosen, &x.is_nan()));
    }
    let count = at.sum(&DynTensor::scalar(T::ONE).keep(&chosen));
    g.over(count).keep(&chosen)
}

/// For each element the product of all others along the axes: those before it times those after it, so that
/// zeros need no division.
fn products_of_others<T: Float>(at: &Reduced<'_, '_, '_>, x: &DynTensor<T>) -> DynTensor<T> {
    // The axes of the reduction become the last one.
    let (rank, axes) = (x.sizes().len(), &at.along.axes);
    let kept = (0..rank).filter(|axis| !axes.contains(axis));
    let order: Vec<isize> = kept.chain(axes.iter().copied()).map(|axis| axis as isize).collect();
    let mut back = vec![0; rank];
    (0..rank).for_each(|position| back[order[position] as usize] = position as isize);
    let moved = fits(x.permute(&order));
    let count = axes.iter().map(|&axis| x.sizes()[axis]).product::<usize>();
    let rows = moved.len().checked_div(count).unwrap_or(0);
    let row = fits(moved.reshape(&[rows, count]));
    let before = |row: &DynTensor<T>| before_each(&fits(row.cumprod(1)), 1);
    let behind = fits(before(&fits(row.flip(&[1]))).flip(&[1]));
    let others = before(&row).times(behind);
    fits(fits(others.reshape(moved.sizes())).permute(&back))
}

macro_rules! axes_rules {
    ($($Op:ident: $saves:ident |$at:ident, $gradient:ident| $body:expr;)+) => {
        $(
            impl<T: Float> HasAxesRule<T> for ops::$Op {
                fn rule(along: AlongAxes) -> Option<Rule> {
                    Some(Rule::of::<T>(AxesOp { op: ops::$Op, along }))
                }
            }

            impl AxesRule for ops::$Op {
                const SAVES: Saves = Saves::$saves;

                fn gradient<T: Float>(
                    &self,
                    $at: &Reduced<'_, '_, '_>,
                    $gradient: &DynTensor<T>,
                ) -> DynTensor<T> {
                    $body
                }
            }
        )+
    };
}

impl<Op: AxesRule> GradientRule for AxesOp<Op> {
    const SAVES: Saves = Op::SAVES;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let at = Reduced { at, along: &self.along };
        of_operands([Some(self.op.gradient(&at, &at.in_kept_sizes(gradient)))])
    }
}

axes_rules! {
    Sum: NOTHING |at, g| fits(g.expand(at.sizes()));
    Mean: NOTHING |at, g| fits(g.divide(at.count()).expand(at.sizes()));
    Prod: BOTH |at, g| {
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        // For other results, and if gradients are recorded in turn, a quotient would be wrong.
        let is_regular = |y: &T| Number::is_finite(*y) && *y != T::ZERO;
        match !x.is_tracked() && y.iter().all(is_regular) {
            true => g.times(y.over(x)),
            false => g.times(products_of_others(at, &x)),
        }
    };
    Max: BOTH |at, g| shared(at, g, &at.operand());
    Min: BOTH |at, g| shared(at, g, &at.operand());
    Var: OPERANDS |at, g| {
        let x = at.operand::<T>();
        g.times(x.minus(at.sum(&x).divide(at.count())).scale(2.0 / at.divisor()))
    };
    Std: BOTH |at, g| {
        // 0 where all elements are equal, as in PyTorch.
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let slope = x.minus(at.sum(&x).divide(at.count())).over(y.scale(at.divisor()));
        g.times(slope.keep_where_positive(&y))
    };
    NormL1: OPERANDS |at, g| g.with_sign(&at.operand());
    Norm: BOTH |at, g| {
        let y = at.result::<T>();
        g.times(at.operand().over(&y).keep_where_positive(&y))
    };
    NormMax: BOTH |at, g| {
        let x = at.operand::<T>();
        shared(at, g, &x.abs()).with_sign(&x)
    };
    LogSumExp: BOTH |at, g| {
        let y = at.result::<T>();
        g.times(at.operand().minus(&y).exp().keep(&y.differs_from(f64::NEG_INFINITY)))
    };
    Softmax: RESULT |at, g| {
        let y = at.result::<T>();
        at.by_lanes([g, &y], &|[g, y], kept| y.times(g.minus(g.times(y).summed_to(kept))))
    };
    LogSoftmax: RESULT |at, g| {
        let y = at.result::<T>();
        at.by_lanes([g, &y], &|[g, y], kept| g.minus(y.exp().times(g.summed_to(kept))))
    };
    Standardize: BOTH |at, g| {
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let (count, divisor, epsilon) = (at.count(), at.divisor(), at.along.params.epsilon);
        at.by_lanes([g, &x, &y], &|[g, x, y], kept| {
            let sum = |value: &DynTensor<T>| value.summed_to(kept);
            let variance = sum(&x.minus(sum(x).divide(count)).square()).divide(divisor);
            let along = sum(&g.times(y)).divide(divisor);
            let centered = g.minus(sum(g).divide(count)).minus(y.times(along));
            centered.times(variance.shift(epsilon).rsqrt())
        })
    };
    RmsNorm: BOTH |at, g| {
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let (count, epsilon) = (at.count(), at.along.params.epsilon);
        at.by_lanes([g, &x, &y], &|[g, x, y], kept| {
            let mean = x.square().summed_to(kept).divide(count);
            let along = g.times(y).summed_to(kept).divide(count);
            g.minus(y.times(along)).times(mean.shift(epsilon).rsqrt())
        })
    };
    LogCumSumExp: BOTH |at, g| logcumsumexp(at, g);
    CumSum: NOTHING |at, g| cumsum(g, at, !at.along.params.reverse);
    CumProd: BOTH |at, g| cumprod(at, g);
    CumMax: BOTH |at, g| cumulative_choice(at, g);
    CumMin: BOTH |at, g| cumulative_choice(at, g);
}

/// Cumulative sums along the axis, from the end or from the start.
fn cumsum<T: Float>(value: &DynTensor<T>, at: &Reduced<'_, '_, '_>, reverse: bool) -> DynTensor<T> {
    let params = AxisParams { reverse, ..at.along.params };
    fits(value.mapped_axis(<T as NumberReductions>::CUMSUM_ROW, at.axis(), params))
}

/// `Σ_{j ≥ i} g_j Π_{k ≤ j, k ≠ i} x_k`: `t_i = g_i + x_{i+1} t_{i+1}` times the product before `i`, so that
/// zeros need no division.
fn cumprod<T: Float>(at: &Reduced<'_, '_, '_>, g: &DynTensor<T>) -> DynTensor<T> {
    let axis = at.along.axes[0];
    let Some(end) = at.sizes()[axis].checked_sub(1) else { return g.clone() };
    let factors = fits(at.operand::<T>().slice_axis(axis as isize, 1..end + 1));
    before_each(&at.result(), axis).times(recurrence(g, &factors, axis))
}

/// The cumulative products before each element along an axis: 1, and all but the last.
fn before_each<T: Float>(products: &DynTensor<T>, axis: usize) -> DynTensor<T> {
    let mut amounts = vec![[0, 0]; products.sizes().len()];
    amounts[axis] = [1, -1];
    if products.sizes()[axis] == 0 {
        return products.clone();
    }
    fits(products.pad(&amounts, Padding::Constant(T::ONE)))
}

/// `Σ_{j ≥ i} g_j e^(x_i - y_j)`: `e^(x_i - y_i)` times `t_i = g_i + e^(y_i - y_{i+1}) t_{i+1}`. No factor is
/// greater than 1, as `y` does not decrease. An element of -∞ has the gradient 0.
fn logcumsumexp<T: Float>(at: &Reduced<'_, '_, '_>, g: &DynTensor<T>) -> DynTensor<T> {
    let axis = at.along.axes[0];
    let Some(end) = at.sizes()[axis].checked_sub(1) else { return g.clone() };
    let (x, y) = (at.operand::<T>(), at.result::<T>());
    let part = |range| fits(y.slice_axis(axis as isize, range));
    let share = |smaller: &DynTensor<T>, larger: &DynTensor<T>| {
        smaller.minus(larger).exp().keep(&smaller.differs_from(f64::NEG_INFINITY))
    };
    share(&x, &y).times(recurrence(g, &share(&part(0..end), &part(1..end + 1)), axis))
}

/// The gradients at the elements that were selected, the last of equal ones.
fn cumulative_choice<T: Float>(at: &Reduced<'_, '_, '_>, g: &DynTensor<T>) -> DynTensor<T> {
    let (x, axis) = (at.operand::<T>(), at.axis());
    let size = at.sizes()[at.along.axes[0]];
    let mut sizes = Sizes::from_elem(1, at.sizes().len());
    sizes[at.along.axes[0]] = size;
    let positions =
        fits(DynTensor::from_vec(&sizes, (0..size as i64).collect()).map_err(|_| {
            tensor_kernels::sizes::error::ShapeError::TooLarge { sizes: sizes.to_vec() }
        }));
    // From the first NaN on all results are NaN: each comes from the last NaN up to it.
    let chosen = fits(x.is_nan() | fits(x.equal(&at.at.result::<T>())));
    let positions = fits(chosen.select(&positions, &DynTensor::full(&[], -1)));
    let chosen = fits(positions.cummax(axis)).maximum(&DynTensor::full(&[], 0));
    let zeros = DynTensor::<T>::zeros(at.sizes());
    zeros.scatter_add(axis, &fits(chosen), g).expect("indices along the axis")
}

impl<T: Float> HasAxesRule<T> for ops::ArgMax {}
impl<T: Float> HasAxesRule<T> for ops::CountNonzero {}
impl<T: Float> HasAxesRule<T> for ops::ArgMin {}
impl<T: Float> HasAxesRule<T> for ops::All {}
impl<T: Float> HasAxesRule<T> for ops::Any {}
