//! Operations on arrays that are traced: what they are made of, and the steps with indices.

use core::any::Any;

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::gradients::{self, Move, Rows, Scatter, Take, TakeAlong};
use crate::array::history::AnyArray;
use crate::array::joins::padded_sizes;
use crate::array::trace::{self, Op};
use crate::element::{Element, Integer, Number};
use crate::ops::{self, Combine, Padding};
use crate::sizes::error::ShapeError;
use crate::sizes::index_error::IndexingError;

/// The indices along an axis of this size, counted from 0. Those that are known are checked; those of an array
/// that is traced are not, because they are known only when the program runs.
///
/// # Errors
///
/// If an index that is known is out of range.
pub(super) fn traced_indices<I: Integer>(
    indices: &DynTensor<I>,
    axis: usize,
    size: usize,
) -> Result<DynTensor<i64>, IndexingError> {
    if indices.is_traced() {
        let (indices, zero) = (indices.to_i64(), DynTensor::full(&[], 0_i64));
        let from_end = DynTensor::full(&[], size as i64).sum_of(&indices);
        return Ok(indices.less(&zero)?.select(&from_end, &indices)?);
    }
    Ok(gradients::indices(indices.sizes(), I::resolve(indices.as_view(), axis, size)?))
}

impl<T: Number> DynTensor<T> {
    /// `self + other`, of operands that fit.
    fn sum_of(&self, other: &Self) -> Self {
        self.binary::<ops::Add>(other).expect("one is a scalar")
    }

    /// `self - other`, of operands that fit.
    pub(super) fn difference(&self, other: &Self) -> Self {
        self.binary::<ops::Sub>(other).expect("they have the same sizes")
    }
}

impl<T: Element> DynTensor<T> {
    /// [`pad`](Self::pad)
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
    fn precedes(&self, other: &Self) -> Result<DynTensor<bool>, ShapeError> {
        let is_less = self.less(other)?;
        if !T::ELEMENT_TYPE.is_float {
            return Ok(is_less);
        }
        let only_other_is_nan = (self.equal(self)? & other.not_equal(other)?)?;
        is_less | only_other_is_nan
    }

    /// [`isin`](Self::isin), by comparisons of all elements with all others.
    pub(super) fn traced_isin(&self, others: &Self) -> Result<DynTensor<bool>, ShapeError> {
        self.unsqueeze(-1)?.equal(&others.reshape(&[others.len()])?)?.any_axis(-1)
    }

    /// The slices at indices that count from 0.
    pub(super) fn traced_take(&self, axis: usize, indices: &DynTensor<i64>) -> Self {
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes.insert_from_slice(axis, &indices.sizes);
        let rule = Take { axis: Some(axis), indices: indices.clone() };
        trace::step(Op::Take { axis }, Some(rule.into()), &sizes, &[self, indices], move |x| {
            let taken = trace::operand::<T>(x, 0).take(axis as isize, trace::operand::<i64>(x, 1));
            unwrap(taken)
        })
    }

    /// [`take_along_axis`](Self::take_along_axis) with indices that count from 0.
    pub(super) fn traced_take_along(&self, axis: usize, indices: &DynTensor<i64>) -> Self {
        let rule = TakeAlong { axis, indices: indices.clone() };
        let op = Op::TakeAlong { axis };
        trace::step(op, Some(rule.into()), &indices.sizes, &[self, indices], move |x| {
            let (x, indices) = (trace::operand::<T>(x, 0), trace::operand::<i64>(x, 1));
            unwrap(x.take_along_axis(axis as isize, indices))
        })
    }

    /// [`index_add`](Self::index_add) and [`index_copy`](Self::index_copy) with indices that count from 0.
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
        let rule = Rows { axis, indices: indices.clone(), add };
        // The operands of the rule come first.
        trace::step(op, Some(rule.into()), &self.sizes, &[self, values, indices], move |x| {
            unwrap(run(trace::operand(x, 0), trace::operand(x, 2), trace::operand(x, 1)))
        })
    }

    /// A scatter with indices that count from 0.
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
        trace::step(op, Some(rule.into()), &self.sizes, &[self, values, indices], move |x| {
            unwrap(run(trace::operand(x, 0), trace::operand(x, 2), trace::operand(x, 1)))
        })
    }
}

/// The result of a step with indices.
///
/// # Panics
///
/// If an index is out of range.
fn unwrap<T: Element>(result: Result<DynTensor<T>, IndexingError>) -> DynTensor<T> {
    match result {
        Ok(result) => result,
        Err(error) => panic!("a step of the program: {error}"),
    }
}

impl<T: Element> DynTensor<T> {
    /// The elements as another type, for code that is generic in it: `[..s] → [..s]`. The function has to convert as
    /// [`cast`](Self::cast) does.
    #[doc(hidden)]
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
    /// The integers as `i64`.
    #[doc(hidden)]
    pub fn to_i64(&self) -> DynTensor<i64> {
        self.converted(|integer| integer.to_i128() as i64)
    }
}
