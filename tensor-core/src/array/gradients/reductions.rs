//! The rules of reductions, and of operations along an axis that keep the sizes.

use smallvec::smallvec;

use super::recurrence::recurrence;
use super::rule::{At, Operands, rules};
use super::value::{Value, fits};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AlongAxes, HasAxesRule, Rule};
use crate::element::{Float, Number};
use crate::ops::AxisParams;
use crate::ops::Padding;
use crate::ops::reductions::{self as ops, NumberReductions};
use crate::sizes::Sizes;

/// An operation along axes with its parameters.
pub(super) struct Along<Op> {
    op: Op,
    along: AlongAxes,
}

/// What an operation along axes does with a gradient.
trait AxesRule {
    fn gradient<T: Float>(&self, at: &Reduced<'_, '_, '_>, gradient: &Value<T>) -> Value<T>;
}

/// An operation along axes that was recorded.
struct Reduced<'a, 'b, 'c> {
    at: &'a At<'b, 'c>,
    along: &'a AlongAxes,
}

impl Reduced<'_, '_, '_> {
    /// The sizes of the operand.
    fn sizes(&self) -> &[usize] {
        self.at.sizes(0)
    }

    /// The sizes of the results with the axes as 1, to which they stretch.
    fn kept(&self) -> Sizes {
        let mut sizes: Sizes = self.sizes().into();
        self.along.axes.iter().for_each(|&axis| sizes[axis] = 1);
        sizes
    }

    fn operand<T: Float>(&self) -> Value<T> {
        self.at.operand(0)
    }

    /// The results, which stretch to the operand.
    fn result<T: Float>(&self) -> Value<T> {
        let result: Value<T> = self.at.result();
        if result.sizes() == self.sizes() { result } else { result.reshape(&self.kept()) }
    }

    /// How many elements each result is of.
    fn count(&self) -> f64 {
        self.along.axes.iter().map(|&axis| self.sizes()[axis] as f64).product()
    }

    /// The number that variances are divided by.
    fn divisor(&self) -> f64 {
        self.count() - self.along.params.correction as f64
    }

    /// The sum along the axes, which stay with size 1.
    fn sum<T: Float>(&self, value: &Value<T>) -> Value<T> {
        value.clone().sum_to(&self.kept())
    }

    /// The axis of an operation that keeps the sizes.
    fn axis(&self) -> isize {
        self.along.axes[0] as isize
    }
}

/// The gradient at the elements that are equal to the result, divided by their number. Where the result is NaN,
/// these are the elements that are NaN.
fn shared<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>, x: &Value<T>) -> Value<T> {
    let y = at.result::<T>().0;
    let mut chosen = fits(x.0.equal(&y));
    if y.is_nan().iter().any(|&is_nan| is_nan) {
        chosen = fits(chosen.select(&chosen, &x.0.is_nan()));
    }
    let count = at.sum(&Value::<T>::full(&[], 1.0).keep(&chosen));
    (g / count).keep(&chosen)
}

/// The product of all elements but each one, along the axes: those before it times those behind it, so that zeros
/// do not matter.
fn products_of_others<T: Float>(at: &Reduced<'_, '_, '_>, x: &Value<T>) -> Value<T> {
    // The axes of the reduction become the last one.
    let (rank, axes) = (x.sizes().len(), &at.along.axes);
    let kept = (0..rank).filter(|axis| !axes.contains(axis));
    let order: Vec<isize> = kept.chain(axes.iter().copied()).map(|axis| axis as isize).collect();
    let mut back = vec![0; rank];
    (0..rank).for_each(|place| back[order[place] as usize] = place as isize);
    let moved = fits(x.0.permute(&order));
    let count = axes.iter().map(|&axis| x.sizes()[axis]).product::<usize>();
    let rows = moved.len().checked_div(count).unwrap_or(0);
    let row = Value(fits(moved.reshape(&[rows, count])));
    let before = |row: &DynTensor<T>| before_each(&Value(fits(row.cumprod(1))), 1).0;
    let behind = fits(before(&fits(row.0.flip(&[1]))).flip(&[1]));
    let others = Value(before(&row.0)) * Value(behind);
    Value(fits(fits(others.0.reshape(moved.sizes())).permute(&back)))
}

macro_rules! axes_rules {
    ($($Op:ident: $saves:ident |$at:ident, $gradient:ident| $body:expr;)+) => {
        rules! { $(Along<ops::$Op>: $saves;)+ }
        $(
            impl HasAxesRule for ops::$Op {
                const RULE: Option<fn(AlongAxes) -> Rule> =
                    Some(|along| Along { op: ops::$Op, along }.into());
            }

            impl AxesRule for ops::$Op {
                fn gradient<T: Float>(
                    &self,
                    $at: &Reduced<'_, '_, '_>,
                    $gradient: &Value<T>,
                ) -> Value<T> {
                    $body
                }
            }
        )+
    };
}

impl<Op: AxesRule> super::rule::Rule for Along<Op> {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let at = Reduced { at, along: &self.along };
        // Operations that keep the sizes have one gradient for each element.
        let sizes = if gradient.sizes() == at.sizes() { at.sizes().into() } else { at.kept() };
        let gradient = gradient.clone().reshape(&sizes);
        smallvec![Some(self.op.gradient(&at, &gradient))]
    }
}

axes_rules! {
    Sum: NOTHING |at, g| g.clone().broadcast_to(at.sizes());
    Mean: NOTHING |at, g| (g / at.count()).broadcast_to(at.sizes());
    Prod: BOTH |at, g| {
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        // Elsewhere, and where gradients are recorded in turn, a quotient would be wrong.
        let is_regular = |y: &T| Number::is_finite(*y) && *y != T::ZERO;
        match !x.0.is_recorded() && y.0.iter().all(is_regular) {
            true => g * (y / x),
            false => g * products_of_others(at, &x),
        }
    };
    Max: BOTH |at, g| shared(at, g, &at.operand());
    Min: BOTH |at, g| shared(at, g, &at.operand());
    Var: OPERANDS |at, g| {
        let x = at.operand::<T>();
        g * ((&x - at.sum(&x) / at.count()) * (2.0 / at.divisor()))
    };
    Std: BOTH |at, g| {
        // 0 where all elements are equal, as in PyTorch.
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let slope = (&x - at.sum(&x) / at.count()) / (&y * at.divisor());
        g * slope.keep_where_positive(&y)
    };
    NormL1: OPERANDS |at, g| g.with_sign(&at.operand());
    Norm: BOTH |at, g| {
        let y = at.result::<T>();
        g * (at.operand() / &y).keep_where_positive(&y)
    };
    NormMax: BOTH |at, g| {
        let x = at.operand::<T>();
        shared(at, g, &Value(x.0.abs())).with_sign(&x)
    };
    LogSumExp: BOTH |at, g| {
        let y = at.result::<T>();
        g * (at.operand() - &y).exp().keep(&y.not_equal(f64::NEG_INFINITY))
    };
    Softmax: RESULT |at, g| {
        let y = at.result::<T>();
        let mean = at.sum(&(g * &y));
        y * (g - mean)
    };
    LogSoftmax: RESULT |at, g| g - at.result::<T>().exp() * at.sum(g);
    Standardize: BOTH |at, g| {
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let variance = at.sum(&(&x - at.sum(&x) / at.count()).square()) / at.divisor();
        let scale = (variance + at.along.params.epsilon).rsqrt();
        let along = at.sum(&(g * &y)) / at.divisor();
        (g - at.sum(g) / at.count() - y * along) * scale
    };
    LogCumSumExp: BOTH |at, g| logcumsumexp(at, g);
    CumSum: NOTHING |at, g| cumsum(g, at, !at.along.params.reverse);
    CumProd: BOTH |at, g| cumprod(at, g);
    CumMax: BOTH |at, g| cumulative_choice(at, g);
    CumMin: BOTH |at, g| cumulative_choice(at, g);
}

/// Cumulative sums along the axis, from the end or from the start.
fn cumsum<T: Float>(value: &Value<T>, at: &Reduced<'_, '_, '_>, reverse: bool) -> Value<T> {
    let params = AxisParams { reverse, ..at.along.params };
    Value(fits(value.0.mapped_axis(<T as NumberReductions>::CUMSUM_ROW, at.axis(), params)))
}

/// `Σ_{j ≥ i} g_j Π_{k ≤ j, k ≠ i} x_k`: `t_i = g_i + x_{i+1} t_{i+1}` times the product before `i`, so that
/// zeros do not matter.
fn cumprod<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>) -> Value<T> {
    let axis = at.along.axes[0];
    let Some(end) = at.sizes()[axis].checked_sub(1) else { return g.clone() };
    let factors = Value(fits(at.operand::<T>().0.slice_axis(axis as isize, 1..end + 1)));
    before_each(&at.result(), axis) * recurrence(g, &factors, axis)
}

/// The cumulative products before each element along an axis: 1, and all but the last.
fn before_each<T: Float>(products: &Value<T>, axis: usize) -> Value<T> {
    let mut amounts = vec![[0, 0]; products.sizes().len()];
    amounts[axis] = [1, -1];
    if products.sizes()[axis] == 0 {
        return products.clone();
    }
    Value(fits(products.0.pad(&amounts, Padding::Constant(T::ONE))))
}

/// `Σ_{j ≥ i} g_j e^(x_i - y_j)`: `e^(x_i - y_i)` times `t_i = g_i + e^(y_i - y_{i+1}) t_{i+1}`. No factor is
/// greater than 1, as `y` does not decrease. An element of -∞ has the gradient 0.
fn logcumsumexp<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>) -> Value<T> {
    let axis = at.along.axes[0];
    let Some(end) = at.sizes()[axis].checked_sub(1) else { return g.clone() };
    let (x, y) = (at.operand::<T>(), at.result::<T>());
    let part = |range| Value(fits(y.0.slice_axis(axis as isize, range)));
    let share = |smaller: &Value<T>, larger: &Value<T>| {
        (smaller - larger).exp().keep(&smaller.not_equal(f64::NEG_INFINITY))
    };
    share(&x, &y) * recurrence(g, &share(&part(0..end), &part(1..end + 1)), axis)
}

/// The gradients at the elements that were chosen, of equal ones the last.
fn cumulative_choice<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>) -> Value<T> {
    let (x, axis) = (at.operand::<T>(), at.axis());
    let size = at.sizes()[at.along.axes[0]];
    let mut sizes = Sizes::from_elem(1, at.sizes().len());
    sizes[at.along.axes[0]] = size;
    let places = fits(
        DynTensor::from_vec(&sizes, (0..size as i64).collect())
            .map_err(|_| crate::sizes::error::ShapeError::TooLarge { sizes: sizes.to_vec() }),
    );
    // From the first NaN on all results are NaN: each is that of the last NaN before it.
    let chosen = fits(x.0.is_nan() | fits(x.0.equal(&at.at.result::<T>().0)));
    let places = fits(chosen.select(&places, &DynTensor::full(&[], -1)));
    let chosen = fits(places.cummax(axis)).maximum(&DynTensor::full(&[], 0));
    let zeros = Value::<T>::zeros(at.sizes());
    Value(zeros.0.scatter_add(axis, &fits(chosen), &g.0).expect("places along the axis"))
}

impl HasAxesRule for ops::ArgMax {
    const RULE: Option<fn(AlongAxes) -> Rule> = None;
}

impl HasAxesRule for ops::CountNonzero {
    const RULE: Option<fn(AlongAxes) -> Rule> = None;
}

impl HasAxesRule for ops::ArgMin {
    const RULE: Option<fn(AlongAxes) -> Rule> = None;
}

impl HasAxesRule for ops::All {
    const RULE: Option<fn(AlongAxes) -> Rule> = None;
}

impl HasAxesRule for ops::Any {
    const RULE: Option<fn(AlongAxes) -> Rule> = None;
}
