//! The rules of operations with indices.

use smallvec::smallvec;

use super::operations::fits;
use super::rule::{At, GradientRule, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::element::Float;
use crate::ops::{Combine, QuantileMethod};
use crate::sizes::Sizes;

/// `take`: slices along `axis` at indices; the axes of the indices replace `axis`. Without an
/// axis, the elements at row-major positions.
pub struct Take {
    /// `None` for the elements in row-major order.
    pub axis: Option<usize>,
    /// The indices, which count from 0.
    pub indices: DynTensor<i64>,
}

/// `take_along`: the elements at indices along an axis.
pub(crate) struct TakeAlong {
    pub(crate) axis: usize,
    pub(crate) indices: DynTensor<i64>,
}

/// `scatter`: elements written or combined at indices along an axis; operands: the tensor and the values.
pub(crate) struct Scatter {
    pub(crate) along: TakeAlong,
    /// `None` if they are written.
    pub(crate) combine: Option<Combine>,
}

/// `index_copy` and `index_add`: slices written or added at indices; operands: the tensor and the values.
pub(crate) struct IndexRows {
    pub(crate) axis: usize,
    pub(crate) indices: DynTensor<i64>,
    pub(crate) add: bool,
}

/// A quantile: interpolated between sorted elements along an axis, or of all.
pub(crate) struct Quantile {
    pub(crate) axis: Option<usize>,
    pub(crate) q: f64,
    pub(crate) method: QuantileMethod,
}

impl TakeAlong {
    /// Takes a single index along the axis.
    pub(crate) fn at_one(axis: usize, sizes: &[usize], positions: Vec<usize>) -> Self {
        let mut sizes = Sizes::from_slice(sizes);
        sizes[axis] = 1;
        Self::new(axis, &sizes, positions)
    }

    /// Takes indices of these sizes along the axis.
    pub(crate) fn new(axis: usize, sizes: &[usize], positions: Vec<usize>) -> Self {
        Self { axis, indices: indices(sizes, positions) }
    }
}

rules! {
    Take: NOTHING;
    TakeAlong: NOTHING;
    Scatter: BOTH;
    IndexRows: NOTHING;
    Quantile: OPERANDS;
}

/// Indices as a tensor of these sizes.
pub(crate) fn indices(sizes: &[usize], indices: Vec<usize>) -> DynTensor<i64> {
    let indices = indices.into_iter().map(|index| index as i64).collect();
    DynTensor::from_vec(sizes, indices).expect("the sizes are those of the indices")
}

impl Take {
    /// Takes slices along an axis, or elements of all.
    pub fn new(axis: Option<usize>, positions: Vec<usize>) -> Self {
        Self { axis, indices: indices(&[positions.len()], positions) }
    }
}

impl IndexRows {
    pub(crate) fn new(axis: usize, positions: Vec<usize>, add: bool) -> Self {
        Self { axis, indices: indices(&[positions.len()], positions), add }
    }
}

/// Taken slices are added to those that they were taken from.
impl GradientRule for Take {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let mut sizes: Sizes = match self.axis {
            Some(_) => at.sizes(0).into(),
            None => Sizes::from_slice(&[at.sizes(0).iter().product()]),
        };
        let axis = self.axis.unwrap_or(0);
        let zeros = DynTensor::zeros(&sizes);
        sizes[axis] = self.indices.len();
        let rows = gradient.in_sizes(&sizes);
        let sums = zeros.index_add(axis as isize, &self.indices.flatten(), &rows);
        smallvec![Some(sums.expect("indices of the operand").in_sizes(at.sizes(0)))]
    }
}

impl TakeAlong {
    fn axis(&self) -> isize {
        self.axis as isize
    }

    /// The elements at the indices.
    fn take<T: Float>(&self, value: &DynTensor<T>) -> DynTensor<T> {
        let taken = value.take_along_axis(self.axis(), &self.indices);
        taken.expect("indices of the operand")
    }

    /// Scatter-add of the values to zeros at the indices.
    fn add_to_zeros<T: Float>(&self, sizes: &[usize], values: &DynTensor<T>) -> DynTensor<T> {
        let values = values.in_sizes(self.indices.sizes());
        let sums = DynTensor::zeros(sizes).scatter_add(self.axis(), &self.indices, &values);
        sums.expect("indices of the operand")
    }

    /// For each index whether its value is the last one written to its element.
    fn last(&self, sizes: &[usize]) -> DynTensor<bool> {
        let numbers = (0..self.indices.len()).collect();
        let numbers = indices(self.indices.sizes(), numbers);
        let written = DynTensor::zeros(sizes).scatter(self.axis(), &self.indices, &numbers);
        let written = written.expect("indices of the operand");
        let written = written.take_along_axis(self.axis(), &self.indices);
        fits(written.expect("indices of the operand").equal(&numbers))
    }
}

impl GradientRule for TakeAlong {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(self.add_to_zeros(at.sizes(0), gradient))]
    }
}

impl GradientRule for Scatter {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (along, sizes) = (&self.along, at.sizes(0));
        let one = DynTensor::scalar(T::ONE);
        match self.combine {
            Some(Combine::Add) => {
                smallvec![at.want(0, || gradient.clone()), at.want(1, || along.take(gradient))]
            }
            None => {
                let counts =
                    along.add_to_zeros::<T>(sizes, &DynTensor::full(along.indices.sizes(), T::ONE));
                let untouched = fits(counts.equal(&DynTensor::zeros(&[])));
                smallvec![
                    at.want(0, || gradient.keep(&untouched)),
                    at.want(1, || along.take(gradient).keep(&along.last(sizes))),
                ]
            }
            Some(Combine::Mul) => {
                // The product of all others: with at most one 0 among them, which is a factor, so that
                // second-order gradients are correct as well.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let is_zero = |value: &DynTensor<T>| fits(value.equal(&DynTensor::zeros(&[])));
                let without = |value: &DynTensor<T>| fits(is_zero(value).select(&one, value));
                let zeros = along.add_to_zeros(sizes, &one.keep(&is_zero(&values)));
                let zeros = one.keep(&is_zero(&x)).plus(zeros);
                let product = without(&x);
                let product = product.scatter_mul(along.axis(), &along.indices, &without(&values));
                let product = product.expect("indices of the operand");
                let only_zeros = |value: &DynTensor<T>| value.keep(&is_zero(value));
                let zero = only_zeros(&x).plus(along.add_to_zeros(sizes, &only_zeros(&values)));
                let slope = |value: &DynTensor<T>, [product, zeros, zero]: [&DynTensor<T>; 3]| {
                    let there_are = |count: f64| zeros.differs_from(count).not();
                    let other_zero = product.times(zero.minus(value));
                    let at_zero =
                        product.keep(&there_are(1.0)).plus(other_zero.keep(&there_are(2.0)));
                    let others = product.over(without(value));
                    let elsewhere =
                        others.keep(&there_are(0.0)).plus(others.times(zero).keep(&there_are(1.0)));
                    fits(is_zero(value).select(&at_zero, &elsewhere))
                };
                let products = [&product, &zeros, &zero];
                smallvec![
                    at.want(0, || gradient.times(slope(&x, products))),
                    at.want(1, || {
                        let [product, zeros, zero] = products.map(|value| along.take(value));
                        along.take(gradient).times(slope(&values, [&product, &zeros, &zero]))
                    }),
                ]
            }
            Some(Combine::Max | Combine::Min) => {
                // Distributed evenly over those that are equal to the result.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let result = at.result::<T>();
                let of_x = fits(x.equal(&result));
                let of_values = fits(values.equal(&along.take(&result)));
                let chosen_values = along.add_to_zeros(sizes, &one.keep(&of_values));
                let share = gradient.over(one.keep(&of_x).plus(chosen_values));
                smallvec![
                    at.want(0, || share.keep(&of_x)),
                    at.want(1, || along.take(&share).keep(&of_values)),
                ]
            }
        }
    }
}

impl GradientRule for IndexRows {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let axis = self.axis as isize;
        let taken = || gradient.take(axis, &self.indices).expect("rows of the operand");
        if self.add {
            return smallvec![at.want(0, || gradient.clone()), at.want(1, taken)];
        }
        // For each row of the operand the last row that was copied there, which is the one that counts.
        let numbers = DynTensor::<i64>::arange(self.indices.len());
        let none = DynTensor::full(&[at.sizes(0)[self.axis]], -1_i64);
        let copied = none.index_copy(0, &self.indices, &numbers).expect("rows of the operand");
        let last = copied.take(0, &self.indices).expect("rows of the operand");
        let (last, kept) = (fits(last.equal(&numbers)), fits(copied.less(&DynTensor::scalar(0))));
        let along = |mask: DynTensor<bool>| {
            let mut sizes = Sizes::from_elem(1, at.sizes(0).len());
            sizes[self.axis] = mask.len();
            fits(mask.reshape(&sizes))
        };
        smallvec![
            at.want(0, || gradient.keep(&along(kept))),
            at.want(1, || taken().keep(&along(last))),
        ]
    }
}

/// The two elements that a quantile is interpolated from get their weights.
impl GradientRule for Quantile {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let x = at.operand::<T>(0);
        let (x, axis) = match self.axis {
            Some(axis) => (x, axis),
            None => (x.in_sizes(&[at.sizes(0).iter().product()]), 0),
        };
        // The quantile of an empty axis is NaN, a constant.
        let Some(last) = x.sizes()[axis].checked_sub(1) else {
            return smallvec![Some(DynTensor::zeros(at.sizes(0)))];
        };
        let order = fits(x.argsort(axis as isize));
        let position = self.q * last as f64;
        let (low, high) = (position.floor(), position.ceil());
        let weights = match self.method {
            QuantileMethod::Lower => [1.0, 0.0],
            QuantileMethod::Higher => [0.0, 1.0],
            QuantileMethod::Midpoint if low != high => [0.5, 0.5],
            QuantileMethod::Midpoint => [1.0, 0.0],
            // At the midpoint the even index, like NumPy.
            QuantileMethod::Nearest if position.round_ties_even() == low => [1.0, 0.0],
            QuantileMethod::Nearest => [0.0, 1.0],
            QuantileMethod::Interpolate => [1.0 - (position - low), position - low],
        };
        let mut kept: Sizes = x.sizes().into();
        kept[axis] = 1;
        let gradient = gradient.in_sizes(&kept);
        let weighted = [low, high].into_iter().zip(weights).filter(|&(_, weight)| weight != 0.0);
        let sums = weighted.map(|(position, weight)| {
            let position = position as usize;
            let chosen = fits(order.slice_axis(axis as isize, position..position + 1));
            let zeros = DynTensor::zeros(x.sizes());
            let sums = zeros.scatter_add(axis as isize, &chosen, &gradient.scale(weight));
            sums.expect("indices of the operand")
        });
        let sum = sums.reduce(|low, high| low.plus(high)).expect("the weights add up to 1");
        smallvec![Some(sum.in_sizes(at.sizes(0)))]
    }
}
