//! Medians and quantiles.

use core::marker::PhantomData;

use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::indexing;
use tensor_kernels::ops::QuantileMethod;

use super::prelude::*;

operation_rows! {
    topic "In order" {
        median: 1 "Float" "median" "median" "sort";
        median_axis: 1 "Float" "median" "median" "sort";
        quantile: 1 "Float" "quantile" "quantile" "sort";
        quantile_with: 1 "Float" "quantile" "quantile" "sort";
        quantile_axis: 1 "Float" "quantile" "quantile" "sort";
        quantile_axis_with: 1 "Float" "quantile" "quantile" "sort";
    }
}

/// A quantile along an axis: interpolated between two elements in order.
#[derive(Clone, Debug)]
struct Quantile {
    axis: usize,
    q: f64,
    method: QuantileMethod,
}

/// The quantiles of elements of this type.
#[derive(Debug)]
struct QuantileOf<T>(Quantile, PhantomData<T>);

primitive!(QuantileOf<T> where T: Float, |_| "quantile", |_, _, _| 0, |quantile, to| {
    let Quantile { axis, q, method } = quantile.0;
    to.composed::<(T,), T>(|(x,)| unwrap_or_panic(x.quantile_of_sorted(axis, q, method)))
});

evaluate!(
    QuantileOf<T> => (x: T) -> T where T: Float,
    |quantile, _| indexing::quantile(x.as_view(), quantile.0.axis, quantile.0.q, quantile.0.method),
    |quantile| quantile.0.clone(),
);

/// The two elements that a quantile is interpolated from get their weights.
impl GradientRule for Quantile {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let x = at.operand::<T>(0);
        let axis = self.axis;
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
            zeros.scatter_added(axis, &chosen, &gradient.scale(weight))
        });
        let sum = sums.reduce(|low, high| low.plus(high)).expect("the weights add up to 1");
        smallvec![Some(sum)]
    }
}

/// The quantile by operations that StableHLO has.
impl<T: Float> DynTensor<T> {
    fn without_axis(&self, axis: usize) -> Sizes {
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes
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

/// # Medians and quantiles
///
/// They are NaN if there is no element, or if one is NaN.
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The median of all elements, `[..] → []`: for an even number of elements the mean of the two in the middle,
    /// as in NumPy; PyTorch returns the smaller one.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![7.0, 1.0, 2.0, 4.0]).median().to_vec(), [3.0]);
    /// ```
    pub fn median(&self) -> Self
    where
        T: Float,
    {
        self.quantile(0.5)
    }

    /// The medians along an axis, `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![[7.0, 1.0, 2.0], [4.0, 4.0, 9.0]]);
    /// assert_eq!(x.median_axis(-1)?, tensor![2.0, 4.0].into());
    /// ```
    pub fn median_axis(&self, axis: isize) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        self.quantile_axis(axis, 0.5)
    }

    /// The quantile `q` of all elements, `[..] → []`: 0 is the smallest, 1 the largest; between two elements it is
    /// interpolated linearly.
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![4.0, 0.0, 2.0]).quantile(0.75).to_vec(), [3.0]);
    /// ```
    #[doc(alias = "percentile")]
    pub fn quantile(&self, q: f64) -> Self
    where
        T: Float,
    {
        self.quantile_with(q, QuantileMethod::Interpolate)
    }

    /// The quantile `q` of all elements, interpolated between the two nearest ones by a [`QuantileMethod`],
    /// `[..] → []`.
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// let x = DynTensor::from(tensor![4.0, 1.0]);
    /// assert_eq!(x.quantile_with(0.25, QuantileMethod::Higher).to_vec(), [4.0]);
    /// ```
    pub fn quantile_with(&self, q: f64, method: QuantileMethod) -> Self
    where
        T: Float,
    {
        unwrap_or_panic(check_quantile(q));
        unwrap_or_panic(self.flatten().quantile_axis_with(0, q, method))
    }

    /// The quantiles `q` along an axis, `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Quantile`] if `q` is not
    /// from 0 to 1, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[4.0, 0.0, 2.0], [10.0, 30.0, 20.0]]);
    /// assert_eq!(x.quantile_axis(-1, 0.75)?, tensor![3.0, 25.0].into());
    /// ```
    pub fn quantile_axis(&self, axis: isize, q: f64) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        self.quantile_axis_with(axis, q, QuantileMethod::Interpolate)
    }

    /// The quantiles `q` along an axis, interpolated between the two nearest elements by a [`QuantileMethod`],
    /// `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Quantile`] if `q` is not
    /// from 0 to 1, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[4.0, 0.0], [10.0, 30.0]]);
    /// let lower = x.quantile_axis_with(-1, 0.5, QuantileMethod::Lower)?;
    /// assert_eq!(lower, tensor![0.0, 10.0].into());
    /// ```
    pub fn quantile_axis_with(
        &self,
        axis: isize,
        q: f64,
        method: QuantileMethod,
    ) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        check_quantile(q)?;
        let axis = self.axis_index(axis)?;
        let sizes = self.without_axis(axis);
        fits_into_memory::<T>(&sizes)?;
        let quantile = QuantileOf(Quantile { axis, q, method }, PhantomData);
        Ok(apply::<(T,), _>(quantile, (self,), sizes))
    }
}

/// # Errors
///
/// If `q` is not from 0 to 1.
fn check_quantile(q: f64) -> Result<(), ShapeError> {
    if (0.0..=1.0).contains(&q) { Ok(()) } else { Err(ShapeError::Quantile { q: q.to_string() }) }
}
