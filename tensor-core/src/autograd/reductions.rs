//! The rules of reductions, and of operations along an axis that keep the sizes.

use smallvec::smallvec;

use super::rule::{At, Operands, rules};
use super::value::{Value, fits};
use crate::array::history::{AlongAxes, HasAxesRule, Rule};
use crate::array::kernel::axis_map::AxisParams;
use crate::element::Float;
use crate::ops::reductions::{self as ops, NumberReductions};
use crate::shape::Sizes;
use crate::tensor::DynTensor;

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

/// Which elements are equal to the result, as shares that add up to 1.
fn shares<T: Float>(at: &Reduced<'_, '_, '_>, x: &Value<T>) -> Value<T> {
    let chosen = Value::full(&[], 1.0).keep(&fits(x.0.equal(&at.result().0)));
    let count = at.sum(&chosen);
    chosen / count
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
        // The product of the others: where one is 0, that of all but it; where two are, 0.
        let x = at.operand::<T>();
        let zero = fits(x.0.equal(&Value::<T>::zeros(&[]).0));
        let zeros = at.sum(&Value::full(&[], 1.0).keep(&zero));
        let others = Value(fits(zero.select(&Value::full(&[], 1.0).0, &x.0)));
        let product = Value(fits(others.0.prod_axes_keepdims(&axes(at))));
        let one = fits(zeros.0.equal(&Value::<T>::full(&[], 1.0).0));
        let none = fits(zeros.0.equal(&Value::<T>::zeros(&[]).0));
        let at_zero = product.keep(&one).broadcast_to(at.sizes());
        let slope = Value(fits(zero.select(&at_zero.0, &(product / others).keep(&none).0)));
        g * slope
    };
    Max: BOTH |at, g| g * shares(at, &at.operand());
    Min: BOTH |at, g| g * shares(at, &at.operand());
    Var: OPERANDS |at, g| {
        let x = at.operand::<T>();
        g * (&x - at.sum(&x) / at.count()) * (2.0 / at.divisor())
    };
    Std: BOTH |at, g| {
        // 0 where all elements are equal, as in PyTorch.
        let (x, y) = (at.operand::<T>(), at.result::<T>());
        let slope = (&x - at.sum(&x) / at.count()) / (&y * at.divisor());
        g * slope.keep(&y.greater(0.0))
    };
    NormL1: OPERANDS |at, g| g * at.operand::<T>().sign();
    Norm: BOTH |at, g| {
        let y = at.result::<T>();
        g * (at.operand() / &y).keep(&y.greater(0.0))
    };
    NormMax: BOTH |at, g| {
        let x = at.operand::<T>();
        g * x.sign() * shares(at, &Value(x.0.abs()))
    };
    LogSumExp: BOTH |at, g| {
        let y = at.result::<T>();
        g * (at.operand() - &y).exp().keep(&y.greater(f64::NEG_INFINITY))
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
    LogCumSumExp: BOTH |at, g| {
        // `Σ_{j ≥ i} g_j e^(x_i - y_j)`, about the largest result, so that neither factor overflows.
        let y = at.result::<T>();
        let largest = Value(fits(y.0.detach().max_axes_keepdims(&axes(at))));
        let after = cumsum(&(g * (&largest - &y).exp()), at, !at.along.params.reverse);
        (at.operand() - largest).exp() * after
    };
    CumSum: NOTHING |at, g| cumsum(g, at, !at.along.params.reverse);
    CumProd: BOTH |at, g| cumprod(at, g);
    CumMax: BOTH |at, g| cumulative_choice(at, g);
    CumMin: BOTH |at, g| cumulative_choice(at, g);
}

fn axes(at: &Reduced<'_, '_, '_>) -> Vec<isize> {
    at.along.axes.iter().map(|&axis| axis as isize).collect()
}

/// Cumulative sums along the axis, from the end or from the start.
fn cumsum<T: Float>(value: &Value<T>, at: &Reduced<'_, '_, '_>, reverse: bool) -> Value<T> {
    let params = AxisParams { reverse, ..at.along.params };
    Value(fits(value.0.mapped_axis(<T as NumberReductions>::CUMSUM_ROW, at.axis(), params)))
}

/// `Σ_{j ≥ i} g_j Π_{k ≤ j, k ≠ i} x_k`, by `t_i = g_i + x_{i+1} t_{i+1}` times the product before `i`, so
/// that zeros do not matter.
fn cumprod<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>) -> Value<T> {
    let (x, axis) = (at.operand::<T>(), at.axis());
    let size = at.sizes()[at.along.axes[0]];
    let part =
        |value: &Value<T>, index: usize| Value(fits(value.0.slice_axis(axis, index..index + 1)));
    let y = at.result::<T>();
    let mut after: Option<Value<T>> = None;
    let mut parts = Vec::with_capacity(size);
    for index in (0..size).rev() {
        let gradient = part(g, index);
        let sum = match after.take() {
            Some(after) => gradient + part(&x, index + 1) * after,
            None => gradient,
        };
        parts.push(if index == 0 { sum.clone() } else { part(&y, index - 1) * &sum });
        after = Some(sum);
    }
    parts.reverse();
    if parts.is_empty() {
        return g.clone();
    }
    Value(fits(DynTensor::concat_all(parts.iter().map(|part| &part.0), axis)))
}

/// The gradients at the elements that were chosen, of equal ones the last.
fn cumulative_choice<T: Float>(at: &Reduced<'_, '_, '_>, g: &Value<T>) -> Value<T> {
    let (x, axis) = (at.operand::<T>(), at.axis());
    let size = at.sizes()[at.along.axes[0]];
    let mut sizes = Sizes::from_elem(1, at.sizes().len());
    sizes[at.along.axes[0]] = size;
    let places = fits(
        DynTensor::from_vec(&sizes, (0..size as i64).collect())
            .map_err(|_| crate::shape::error::ShapeError::TooLarge { sizes: sizes.to_vec() }),
    );
    let chosen = fits(x.0.equal(&at.at.result::<T>().0));
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
