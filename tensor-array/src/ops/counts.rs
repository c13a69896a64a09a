//! Counts of elements: `bincount`, `histogram`.

use core::marker::PhantomData;
use core::ops::RangeInclusive;

use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::indexing;

use super::prelude::*;

operation_rows! {
    topic "Counts and differences" {
        bincount: 1 "Integer" "bincount" "bincount" "scatter";
        histogram: 1 "Number" "histogram" "histc" "scatter";
    }
}

/// The number of occurrences of each number.
#[derive(Clone, Debug)]
struct BinCount {
    bins: usize,
}

impl<I: Integer> TryEvaluate<I> for BinCount {
    #[track_caller]
    fn try_evaluate(&self, numbers: &DynTensor<I>) -> Result<Storage<i64>, IndexingError> {
        Ok(indexing::bincount(numbers.as_view(), self.bins)?)
    }
}

primitive!(BinCount, |_| "bincount", |_, operands, _| count(operands[0]), |_, to| {
    let len = to.x[0].sizes.iter().product();
    let numbers = to.builder.convert(&to.x[0], "i64");
    let numbers = to.builder.reshape(&numbers, &[len]);
    let zeros = to.builder.number(0.0, to.sizes, "i64");
    let ones = to.builder.number(1.0, &[len], "i64");
    to.builder.index_rows(&zeros, &numbers, &ones, 0, true)
});

/// The number of elements in each part of a range.
#[derive(Debug)]
struct Histogram<T> {
    range: (f64, f64),
    of: PhantomData<T>,
}

primitive!(Histogram<T> where T: Number, |_| "histogram", |_, operands, _| count(operands[0]), |histogram, to| {
    let (range, bins) = (histogram.range, to.sizes[0]);
    to.composed::<(T,), i64>(|(x,)| unwrap_or_panic(x.counted_in(bins, range)))
});

evaluate!(
    Histogram<T> => (x: T) -> i64 where T: Number,
    |histogram, sizes| indexing::histogram(x.as_view(), sizes[0], histogram.range),
);

impl<T: Number> DynTensor<T> {
    /// The number of elements in each part of a range, by the arithmetic of the kernel.
    #[track_caller]
    fn counted_in(
        &self,
        bins: usize,
        (low, high): (f64, f64),
    ) -> Result<DynTensor<i64>, ShapeError> {
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
        let is_before = x.less(&of_bins(edges).taken(0, &bin))?.cast::<i64>();
        let is_behind = x.greater_equal(&of_bins(ends).taken(0, &bin))?.cast::<i64>();
        let bin = (&(&bin - &is_before)? + &is_behind)?;
        // Elements out of range are counted in an additional last bin.
        let bin = is_inside.select(&bin, &DynTensor::full(&[], bins as i64))?;
        let (none, ones) = (DynTensor::zeros(&[bins + 1]), DynTensor::full(&[bin.len()], 1));
        none.add_rows(0, &bin, &ones).slice_axis(0, ..bins)
    }
}

/// # Counts
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The number of occurrences of each integer below `bins`, `[..s] → [bins]`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first number that is negative or not below `bins`,
    /// [`IndexingError::InvalidShape`] if the result does not fit into memory.
    ///
    /// Of a program, this is the error of the run; XLA does not count a number that is out of range.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1, 3, 1]).bincount(4)?, tensor![0, 2, 0, 1].into());
    /// ```
    pub fn bincount(&self, bins: usize) -> Result<DynTensor<i64>, IndexingError>
    where
        T: Integer,
    {
        fits_into_memory::<i64>(&[bins])?;
        try_apply(BinCount { bins }, self, Sizes::from_slice(&[bins]))
    }

    /// The number of elements in each of `bins` equal parts of a range, `[..s] → [bins]`. A part includes its
    /// lower end, the last part both ends; elements outside the range, and NaN, are not counted. A range of one
    /// number is extended by 0.5 in both directions.
    /// Errors: [`ShapeError::HistogramRange`] if the range is reversed or not finite, as that of elements of which
    /// one is NaN; [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![0.1, 0.2, 0.5, 1.0, 7.0]);
    /// assert_eq!(x.histogram(2, 0.0..=1.0)?, tensor![2, 2].into());
    /// ```
    #[doc(alias = "histc")]
    pub fn histogram(
        &self,
        bins: usize,
        range: RangeInclusive<f64>,
    ) -> Result<DynTensor<i64>, ShapeError>
    where
        T: Number,
    {
        let histogram = Histogram { range: ends(range)?, of: PhantomData };
        fits_into_memory::<i64>(&[bins])?;
        Ok(apply::<(T,), _>(histogram, (self,), Sizes::from_slice(&[bins])))
    }
}

/// The ends of the range of a histogram. A single number is widened to a range of width 1 around it, as in
/// NumPy, or to the next smaller and larger number if those are further away.
///
/// # Errors
///
/// If the range is reversed or not finite.
fn ends(range: RangeInclusive<f64>) -> Result<(f64, f64), ShapeError> {
    let (low, high) = range.into_inner();
    if low == high && low.is_finite() {
        let (below, above) = (low.next_down().min(low - 0.5), low.next_up().max(low + 0.5));
        return Ok((below.max(f64::MIN), above.min(f64::MAX)));
    }
    match low < high && (high - low).is_finite() {
        true => Ok((low, high)),
        false => Err(ShapeError::HistogramRange { range: format!("{low:?}..={high:?}") }),
    }
}
