//! The rules of operations with indices.

use smallvec::smallvec;

use super::rule::{At, Operands, Rule, rules};
use super::value::{Value, fits};
use crate::array::dynamic::DynTensor;
use crate::element::Float;
use crate::ops::{Combine, Interpolation};
use crate::sizes::Sizes;

/// The parts at some places along an axis, which the axes of the indices take the place of; without an
/// axis, the elements at places in row-major order.
pub(crate) struct Take {
    pub(crate) axis: Option<usize>,
    pub(crate) places: Vec<usize>,
}

/// The elements at places along an axis, for which there is an array of sizes.
pub(crate) struct TakeAlong {
    pub(crate) axis: usize,
    pub(crate) sizes: Sizes,
    pub(crate) places: Vec<usize>,
}

/// Elements written or combined at places along an axis: the operands are the tensor and the values.
pub(crate) struct Scatter {
    pub(crate) along: TakeAlong,
    /// `None` where they are written.
    pub(crate) combine: Option<Combine>,
}

/// Parts written to places along an axis, or added there: the operands are the tensor and the values.
pub(crate) struct Rows {
    pub(crate) axis: usize,
    pub(crate) places: Vec<usize>,
    pub(crate) add: bool,
}

/// An interpolated element of those in order along an axis, or of all.
pub(crate) struct Quantile {
    pub(crate) axis: Option<usize>,
    pub(crate) q: f64,
    pub(crate) interpolation: Interpolation,
}

impl TakeAlong {
    /// One place along the axis.
    pub(crate) fn at_one(axis: usize, sizes: &[usize], places: Vec<usize>) -> Self {
        let mut sizes = Sizes::from_slice(sizes);
        sizes[axis] = 1;
        Self { axis, sizes, places }
    }
}

rules! {
    Take: NOTHING;
    TakeAlong: NOTHING;
    Scatter: BOTH;
    Rows: NOTHING;
    Quantile: OPERANDS;
}

/// Places as a tensor of indices.
pub(super) fn places(places: Vec<usize>) -> DynTensor<i64> {
    let sizes = [places.len()];
    let places = places.into_iter().map(|place| place as i64).collect();
    DynTensor::from_vec(&sizes, places).expect("one index for each place")
}

/// What was taken is added where it was.
impl Rule for Take {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let mut sizes: Sizes = match self.axis {
            Some(_) => at.sizes(0).into(),
            None => Sizes::from_slice(&[at.sizes(0).iter().product()]),
        };
        let axis = self.axis.unwrap_or(0);
        let zeros = DynTensor::zeros(&sizes);
        sizes[axis] = self.places.len();
        let rows = gradient.clone().reshape(&sizes);
        let sums = zeros.index_add(axis as isize, &places(self.places.clone()), &rows.0);
        smallvec![Some(Value(sums.expect("places of the operand")).reshape(at.sizes(0)))]
    }
}

impl TakeAlong {
    /// The indices.
    fn indices(&self) -> DynTensor<i64> {
        fits(places(self.places.clone()).reshape(&self.sizes))
    }

    fn axis(&self) -> isize {
        self.axis as isize
    }

    /// The elements at the indices.
    fn take<T: Float>(&self, value: &Value<T>) -> Value<T> {
        let taken = value.0.take_along_axis(self.axis(), &self.indices());
        Value(taken.expect("indices of the operand"))
    }

    /// The values, each added to a zero at its index.
    fn add_to_zeros<T: Float>(&self, sizes: &[usize], values: &Value<T>) -> Value<T> {
        let values = values.clone().reshape(&self.sizes);
        let sums = DynTensor::zeros(sizes).scatter_add(self.axis(), &self.indices(), &values.0);
        Value(sums.expect("indices of the operand"))
    }

    /// For each index whether its value was written last at its place.
    fn last(&self, sizes: &[usize]) -> DynTensor<bool> {
        let numbers = (0..self.places.len() as i64).collect();
        let numbers = DynTensor::from_vec(&self.sizes, numbers).expect("a number for each index");
        let written = DynTensor::zeros(sizes).scatter(self.axis(), &self.indices(), &numbers);
        let written = written.expect("indices of the operand");
        let written = written.take_along_axis(self.axis(), &self.indices());
        fits(written.expect("indices of the operand").equal(&numbers))
    }
}

impl Rule for TakeAlong {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        smallvec![Some(self.add_to_zeros(at.sizes(0), gradient))]
    }
}

impl Rule for Scatter {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let (along, sizes) = (&self.along, at.sizes(0));
        let one = Value::<T>::full(&[], 1.0);
        match self.combine {
            Some(Combine::Add) => {
                smallvec![at.want(0, || gradient.clone()), at.want(1, || along.take(gradient))]
            }
            None => {
                let counts = along.add_to_zeros::<T>(sizes, &Value::full(&along.sizes, 1.0));
                let untouched = fits(counts.0.equal(&DynTensor::zeros(&[])));
                smallvec![
                    at.want(0, || gradient.keep(&untouched)),
                    at.want(1, || along.take(gradient).keep(&along.last(sizes))),
                ]
            }
            Some(Combine::Mul) => {
                // The product of all others: with at most one 0 among them, which is a factor, so that
                // second gradients are right as well.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let is_zero = |value: &Value<T>| fits(value.0.equal(&DynTensor::zeros(&[])));
                let without =
                    |value: &Value<T>| Value(fits(is_zero(value).select(&one.0, &value.0)));
                let zeros = one.keep(&is_zero(&x))
                    + along.add_to_zeros(sizes, &one.keep(&is_zero(&values)));
                let product = without(&x).0;
                let product =
                    product.scatter_mul(along.axis(), &along.indices(), &without(&values).0);
                let product = Value(product.expect("indices of the operand"));
                let only_zeros = |value: &Value<T>| value.keep(&is_zero(value));
                let zero = only_zeros(&x) + along.add_to_zeros(sizes, &only_zeros(&values));
                let slope = |value: &Value<T>, [product, zeros, zero]: [&Value<T>; 3]| {
                    let there_are = |count: f64| zeros.not_equal(count).not();
                    let other_zero = product * (zero - value);
                    let at_zero = product.keep(&there_are(1.0)) + other_zero.keep(&there_are(2.0));
                    let others = product / without(value);
                    let elsewhere =
                        others.keep(&there_are(0.0)) + (&others * zero).keep(&there_are(1.0));
                    Value(fits(is_zero(value).select(&at_zero.0, &elsewhere.0)))
                };
                let products = [&product, &zeros, &zero];
                smallvec![
                    at.want(0, || gradient * slope(&x, products)),
                    at.want(1, || {
                        let [product, zeros, zero] = products.map(|value| along.take(value));
                        along.take(gradient) * slope(&values, [&product, &zeros, &zero])
                    }),
                ]
            }
            Some(Combine::Max | Combine::Min) => {
                // Shared evenly by those that are equal to the result.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let result = at.result::<T>();
                let of_x = fits(x.0.equal(&result.0));
                let of_values = fits(values.0.equal(&along.take(&result).0));
                let chosen_values = along.add_to_zeros(sizes, &one.keep(&of_values));
                let share = gradient / (one.keep(&of_x) + chosen_values);
                smallvec![
                    at.want(0, || share.keep(&of_x)),
                    at.want(1, || along.take(&share).keep(&of_values)),
                ]
            }
        }
    }
}

impl Rule for Rows {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let (axis, rows) = (self.axis as isize, places(self.places.clone()));
        let taken = || Value(gradient.0.take(axis, &rows).expect("rows of the operand"));
        if self.add {
            return smallvec![at.want(0, || gradient.clone()), at.want(1, taken)];
        }
        // For each row of the operand the last one that was copied there, which counts.
        let mut copied = vec![None; at.sizes(0)[self.axis]];
        for (number, &row) in self.places.iter().enumerate() {
            copied[row] = Some(number);
        }
        let numbered = self.places.iter().enumerate();
        let last = numbered.map(|(number, &row)| copied[row] == Some(number)).collect();
        let kept = copied.iter().map(Option::is_none).collect();
        let along = |mask: Vec<bool>| {
            let mut sizes = Sizes::from_elem(1, at.sizes(0).len());
            sizes[self.axis] = mask.len();
            DynTensor::from_vec(&sizes, mask).expect("one for each row")
        };
        smallvec![
            at.want(0, || gradient.keep(&along(kept))),
            at.want(1, || taken().keep(&along(last))),
        ]
    }
}

/// Each of the two elements that a quantile lies between has its weight.
impl Rule for Quantile {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let x = at.operand::<T>(0);
        let (x, axis) = match self.axis {
            Some(axis) => (x, axis),
            None => (x.reshape(&[at.sizes(0).iter().product()]), 0),
        };
        // The quantile of no elements is NaN, whatever they are.
        let Some(last) = x.sizes()[axis].checked_sub(1) else {
            return smallvec![Some(Value::zeros(at.sizes(0)))];
        };
        let order = fits(x.0.argsort(axis as isize));
        let place = self.q * last as f64;
        let (low, high) = (place.floor(), place.ceil());
        let weights = match self.interpolation {
            Interpolation::Lower => [1.0, 0.0],
            Interpolation::Higher => [0.0, 1.0],
            Interpolation::Midpoint if low != high => [0.5, 0.5],
            Interpolation::Midpoint => [1.0, 0.0],
            // Halfway the even place, as NumPy.
            Interpolation::Nearest if place.round_ties_even() == low => [1.0, 0.0],
            Interpolation::Nearest => [0.0, 1.0],
            Interpolation::Linear => [1.0 - (place - low), place - low],
        };
        let mut kept: Sizes = x.sizes().into();
        kept[axis] = 1;
        let gradient = gradient.clone().reshape(&kept);
        let weighted = [low, high].into_iter().zip(weights).filter(|&(_, weight)| weight != 0.0);
        let sums = weighted.map(|(place, weight)| {
            let place = place as usize;
            let chosen = fits(order.slice_axis(axis as isize, place..place + 1));
            let zeros = DynTensor::zeros(x.sizes());
            let sums = zeros.scatter_add(axis as isize, &chosen, &(&gradient * weight).0);
            Value(sums.expect("indices of the operand"))
        });
        let sum = sums.reduce(|low, high| low + high).expect("the weights add up to 1");
        smallvec![Some(sum.reshape(at.sizes(0)))]
    }
}
