//! Operations on traced arrays: compositions of other operations, and the steps with indices.

use core::any::Any;

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::gradients::{self, IndexRows, Move, Quantile, Scatter, Take, TakeAlong};
use crate::array::history::{AnyArray, with_recording};
use crate::array::joins::padded_sizes;
use crate::array::recording::Recordable;
use crate::array::trace::{self, Op, refuse_kept};
use crate::element::{Element, Float, Integer, Number};
use crate::ops::{self, Combine, Padding, QuantileMethod};
use crate::sizes::error::ShapeError;
use crate::sizes::index_error::IndexingError;

/// The indices along an axis of this size, counted from 0; those of an array that is traced are checked when the program
/// runs.
///
/// # Errors
///
/// If an index that is known is out of range.
#[track_caller]
pub(super) fn traced_indices<I: Integer>(
    indices: &DynTensor<I>,
    axis: usize,
    size: usize,
) -> Result<DynTensor<i64>, IndexingError> {
    if !indices.is_traced() {
        let positions = I::resolve(indices.as_view(), axis, size)?;
        return Ok(gradients::indices(indices.sizes(), positions));
    }
    let (op, indices) = (Op::Indices { axis, size }, indices.to_i64());
    Ok(trace::try_step(op, None, &indices.sizes, &[&indices], move |x| {
        traced_indices::<i64>(trace::operand(x, 0), axis, size)
    }))
}

impl<T: Number> DynTensor<T> {
    /// `self - other`, of operands that fit.
    #[track_caller]
    pub(super) fn difference(&self, other: &Self) -> Self {
        self.binary::<ops::Sub>(other).expect("they have the same sizes")
    }
}

impl<T: Element> DynTensor<T> {
    /// [`pad`](Self::pad)
    #[track_caller]
    pub(super) fn traced_pad(
        &self,
        amounts: &[[isize; 2]],
        padding: Padding<T>,
    ) -> Result<Self, ShapeError> {
        let sizes = padded_sizes(&self.sizes, amounts, &padding.without_element())?;
        fits_into_memory::<T>(&sizes)?;
        if let Padding::Constant(value) = padding {
            let rule = Move::Pad(amounts.to_vec(), Padding::Constant(()));
            let amounts = amounts.to_vec();
            let fill = AnyArray::new(DynTensor::full(&[], value));
            let op = Op::Pad(amounts.clone(), fill);
            return Ok(trace::step(op, Some(rule.into()), &sizes, &[self], move |x| {
                let padded = trace::operand::<T>(x, 0).pad(&amounts, Padding::Constant(value));
                padded.expect("the shapes are those of the trace")
            }));
        }
        let mut padded = self.clone();
        for (axis, amounts) in amounts.iter().enumerate().filter(|(_, amounts)| **amounts != [0, 0])
        {
            let mode = match &padding {
                Padding::Edge => Padding::Edge,
                Padding::Reflect => Padding::Reflect,
                Padding::Symmetric => Padding::Symmetric,
                Padding::Wrap => Padding::Wrap,
                Padding::Constant(_) => unreachable!("the case above"),
            };
            let numbers = DynTensor::<i64>::arange(self.sizes[axis]).pad(&[*amounts], mode)?;
            padded = padded.traced_take(axis, &numbers);
        }
        Ok(padded)
    }

    /// [`roll`](Self::roll)
    #[track_caller]
    pub(super) fn traced_roll(&self, axis: usize, shift: isize) -> Result<Self, ShapeError> {
        let size = self.sizes[axis];
        if size == 0 {
            return Ok(self.clone());
        }
        let first = size - shift.rem_euclid(size as isize) as usize;
        let axis = axis as isize;
        Self::concat_all([&self.slice_axis(axis, first..)?, &self.slice_axis(axis, ..first)?], axis)
    }

    /// The indices of the first `k` elements along an axis in ascending or descending order.
    #[track_caller]
    pub(super) fn traced_order(&self, axis: usize, k: usize, descending: bool) -> DynTensor<i64> {
        let mut sizes = self.sizes.clone();
        sizes[axis] = k;
        let of_result = sizes.clone();
        let op = Op::Order { axis, descending };
        trace::step(op, None, &sizes, &[self], move |x| {
            let order = T::arg_order(trace::operand::<T>(x, 0).as_view(), axis, k, descending);
            gradients::indices(&of_result, order)
        })
    }

    /// [`searchsorted`](Self::searchsorted), by comparisons of all values with all elements: `[n], [..s] → [..s]`.
    #[track_caller]
    pub(super) fn traced_search(
        &self,
        values: &Self,
        after_equal: bool,
    ) -> Result<DynTensor<i64>, ShapeError> {
        let values = values.unsqueeze(-1)?;
        let comes_before = match after_equal {
            false => self.precedes(&values)?,
            true => values.precedes(self)?.not(),
        };
        comes_before.cast::<i64>().sum_axis(-1)
    }

    /// Where elements are less than others, of which NaN is the largest: `[..l], [..r] → [..(l ⊕ r)]`.
    #[track_caller]
    fn precedes(&self, other: &Self) -> Result<DynTensor<bool>, ShapeError> {
        let is_less = self.less(other)?;
        if !T::ELEMENT_TYPE.is_float {
            return Ok(is_less);
        }
        let only_other_is_nan = (self.equal(self)? & other.not_equal(other)?)?;
        is_less | only_other_is_nan
    }

    /// [`isin`](Self::isin), by comparisons of all elements with all others.
    #[track_caller]
    pub(super) fn traced_isin(&self, others: &Self) -> Result<DynTensor<bool>, ShapeError> {
        self.unsqueeze(-1)?.equal(&others.reshape(&[others.len()])?)?.any_axis(-1)
    }

    /// The slices at indices that count from 0.
    #[track_caller]
    pub(super) fn traced_take(&self, axis: usize, indices: &DynTensor<i64>) -> Self {
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes.insert_from_slice(axis, &indices.sizes);
        let rule = Take { axis: Some(axis), indices: indices.clone() };
        trace::try_step(Op::Take { axis }, Some(rule.into()), &sizes, &[self, indices], move |x| {
            trace::operand::<T>(x, 0).take(axis as isize, trace::operand::<i64>(x, 1))
        })
    }

    /// [`take_along_axis`](Self::take_along_axis) with indices that count from 0.
    #[track_caller]
    pub(super) fn traced_take_along(&self, axis: usize, indices: &DynTensor<i64>) -> Self {
        let rule = TakeAlong { axis, indices: indices.clone() };
        let op = Op::TakeAlong { axis };
        trace::try_step(op, Some(rule.into()), &indices.sizes, &[self, indices], move |x| {
            let (x, indices) = (trace::operand::<T>(x, 0), trace::operand::<i64>(x, 1));
            x.take_along_axis(axis as isize, indices)
        })
    }

    /// [`index_add`](Self::index_add) and [`index_copy`](Self::index_copy) with indices that count from 0.
    #[track_caller]
    pub(super) fn traced_rows(
        &self,
        axis: usize,
        indices: &DynTensor<i64>,
        values: &Self,
        add: bool,
        run: impl Fn(&Self, &DynTensor<i64>, &Self) -> Result<Self, IndexingError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let op = Op::IndexRows { axis, add };
        let rule = IndexRows { axis, indices: indices.clone(), add };
        // The operands of the rule come first.
        trace::try_step(op, Some(rule.into()), &self.sizes, &[self, values, indices], move |x| {
            run(trace::operand(x, 0), trace::operand(x, 2), trace::operand(x, 1))
        })
    }

    /// A scatter with indices that count from 0.
    #[track_caller]
    pub(super) fn traced_scatter(
        &self,
        axis: usize,
        indices: &DynTensor<i64>,
        values: &Self,
        combine: Option<Combine>,
        run: impl Fn(&Self, &DynTensor<i64>, &Self) -> Result<Self, IndexingError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let op = Op::Scatter { axis, combine };
        let rule = Scatter { along: TakeAlong { axis, indices: indices.clone() }, combine };
        // The operands of the rule come first.
        trace::try_step(op, Some(rule.into()), &self.sizes, &[self, values, indices], move |x| {
            run(trace::operand(x, 0), trace::operand(x, 2), trace::operand(x, 1))
        })
    }
}

/// # Quantiles
impl<T: Float> DynTensor<T> {
    /// [`quantile_axis_with`](Self::quantile_axis_with), with the gradient of the call.
    #[track_caller]
    pub(super) fn traced_quantile(
        &self,
        axis: usize,
        q: f64,
        method: QuantileMethod,
    ) -> Result<Self, ShapeError> {
        refuse_kept(self.layout.as_deref());
        let quantiles = with_recording(false, || self.quantile_of_sorted(axis, q, method))?;
        let rule = Quantile { axis: Some(axis), q, method };
        // The operand of the rule comes first.
        let operands: [&dyn Recordable; 2] = [self, &quantiles];
        Ok(trace::step(Op::Same, Some(rule.into()), &quantiles.sizes, &operands, |x| {
            trace::operand::<T>(x, 1).clone()
        }))
    }

    #[track_caller]
    fn quantile_of_sorted(
        &self,
        axis: usize,
        q: f64,
        method: QuantileMethod,
    ) -> Result<Self, ShapeError> {
        let nan = T::from_f64(f64::NAN);
        let Some(last) = self.sizes[axis].checked_sub(1) else {
            return Ok(DynTensor::full(&self.without_axis(axis), nan));
        };
        let position = q * last as f64;
        let (below, part) = (position.floor() as usize, position.fract());
        let (sorted, negative) = (self.sort(axis as isize)?, self.negative_count(axis)?);
        let at = |position| sorted.element_in_order(axis, position, &negative);
        let low = at(below)?;
        let quantiles = match method {
            _ if part == 0.0 => low,
            QuantileMethod::Lower => low,
            QuantileMethod::Nearest if position.round_ties_even() < position => low,
            QuantileMethod::Higher | QuantileMethod::Nearest => at(below + 1)?,
            QuantileMethod::Interpolate => low.interpolated(&at(below + 1)?, part)?,
            QuantileMethod::Midpoint => low.interpolated(&at(below + 1)?, 0.5)?,
        };
        let largest = sorted.index(axis as isize, last)?;
        largest.is_nan().select(&DynTensor::full(&[], nan), &quantiles)
    }

    /// The number of negative elements along an axis, -0.0 among them: `[..a, n, ..b] → [..a, ..b]`.
    #[track_caller]
    fn negative_count(&self, axis: usize) -> Result<DynTensor<i64>, ShapeError> {
        let zero = DynTensor::full(&[], T::ZERO);
        // The reciprocal of a large number may be -0.0.
        let is_negative = (self.less(&zero)? | self.reciprocal().less(&zero)?)?;
        is_negative.cast::<i64>().sum_axis(axis as isize)
    }

    /// The elements at an index along a sorted axis, as if -0.0 were sorted before 0.0: the sort
    /// keeps equal zeros in their original order.
    #[track_caller]
    fn element_in_order(
        &self,
        axis: usize,
        position: usize,
        negative: &DynTensor<i64>,
    ) -> Result<Self, ShapeError> {
        let [zero, minus_zero] = [0.0, -0.0].map(|zero| DynTensor::full(&[], T::from_f64(zero)));
        let is_negative = negative.greater(&DynTensor::full(&[], position as i64))?;
        let element = self.index(axis as isize, position)?;
        element.equal(&zero)?.select(&is_negative.select(&minus_zero, &zero)?, &element)
    }

    /// `self + (high - self) · part`, computed as `f64`, for elements that are not larger than those of `high`.
    #[track_caller]
    fn interpolated(&self, high: &Self, part: f64) -> Result<Self, ShapeError> {
        let [low, high] = [self, high].map(|x| x.converted(T::to_f64));
        let difference = (&high - &low)?;
        let is_finite = difference.less(&DynTensor::full(&[], f64::INFINITY))?;
        let sum = (&low + &difference * part)?;
        // Next to an infinity, or if the difference overflows.
        let weighted = (&low * (1.0 - part) + &high * part)?;
        let between = is_finite.select(&sum, &weighted)?;
        Ok(low.equal(&high)?.select(&low, &between)?.converted(T::from_f64))
    }
}

/// # Counts
impl<T: Number> DynTensor<T> {
    /// [`histogram`](Self::histogram), by the arithmetic of the kernel.
    #[track_caller]
    pub(super) fn traced_histogram(
        &self,
        bins: usize,
        (low, high): (f64, f64),
    ) -> Result<DynTensor<i64>, ShapeError> {
        if bins == 0 {
            return Ok(DynTensor::zeros(&[0]));
        }
        let scalar = |number| DynTensor::full(&[], number);
        let x = self.converted(T::to_f64).flatten();
        let is_inside = (x.greater_equal(&scalar(low))? & x.less_equal(&scalar(high))?)?;
        let x = is_inside.select(&x, &scalar(low))?;
        let quotient = (&x - low) / (high - low) * bins as f64;
        let bin = quotient.cast::<i64>().minimum(&DynTensor::full(&[], bins as i64 - 1))?;
        // The quotient is rounded, so the exact edges decide.
        let step = (high - low) / bins as f64;
        let edges: Vec<_> = (0..bins).map(|bin| low + bin as f64 * step).collect();
        let ends = edges[1..].iter().copied().chain([f64::INFINITY]).collect();
        let of_bins = |edges| DynTensor::from_vec(&[bins], edges).expect("one for each bin");
        let is_before = x.less(&of_bins(edges).traced_take(0, &bin))?.cast::<i64>();
        let is_behind = x.greater_equal(&of_bins(ends).traced_take(0, &bin))?.cast::<i64>();
        let bin = (&bin.difference(&is_before) + &is_behind)?;
        // Elements out of range are counted in an additional last bin.
        let bin = is_inside.select(&bin, &DynTensor::full(&[], bins as i64))?;
        bin.counts(bins + 1).slice_axis(0, ..bins)
    }
}

impl<I: Integer> DynTensor<I> {
    /// [`bincount`](Self::bincount); the step panics if a number is out of range.
    #[track_caller]
    pub(super) fn traced_bincount(&self, bins: usize) -> Result<DynTensor<i64>, ShapeError> {
        let numbers = self.to_i64();
        let is_negative = numbers.less(&DynTensor::full(&[], 0))?;
        // A negative index would count from the end.
        Ok(is_negative.select(&DynTensor::full(&[], bins as i64), &numbers)?.counts(bins))
    }
}

impl DynTensor<i64> {
    /// The number of occurrences of each number below `bins`, of numbers that are not negative: `[..s] → [bins]`.
    #[track_caller]
    fn counts(&self, bins: usize) -> Self {
        let (none, ones) = (Self::zeros(&[bins]), Self::full(&[self.len()], 1));
        none.traced_rows(0, &self.flatten(), &ones, true, |counts, numbers, ones| {
            counts.index_add(0, numbers, ones)
        })
    }
}

impl<T: Element> DynTensor<T> {
    /// The elements as another type, for code that is generic in it: `[..s] → [..s]`. The function has to convert as
    /// [`cast`](Self::cast) does.
    #[doc(hidden)]
    #[track_caller]
    pub fn converted<U: Element>(&self, convert: fn(T) -> U) -> DynTensor<U> {
        if let Some(same) = (self as &dyn Any).downcast_ref::<DynTensor<U>>() {
            return same.clone();
        }
        let run = move |x: &Self| {
            let converted = x.iter().map(|&x| convert(x)).collect();
            DynTensor::from_vec(x.sizes(), converted).expect("one for each element")
        };
        if !self.is_traced() {
            return run(self);
        }
        trace::step(Op::Cast, None, &self.sizes, &[self], move |x| run(trace::operand(x, 0)))
    }
}

impl<I: Integer> DynTensor<I> {
    /// The integers as `i64`; the largest one for those beyond it.
    #[doc(hidden)]
    #[track_caller]
    pub fn to_i64(&self) -> DynTensor<i64> {
        self.converted(|integer| integer.to_i128().try_into().unwrap_or(i64::MAX))
    }
}
