//! Operations of [`DynTensor`] on windows, for any number of axes.

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::gradients;
use crate::array::recording::Outcome;
use crate::array::trace::{self, Op};
use crate::element::Number;
use crate::sizes::error::ShapeError;
use crate::sizes::window_options::{ConvOptions, PoolOptions};
use crate::sizes::windows::{Convolution, Pooling};

/// # Convolution
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Number> DynTensor<T> {
    /// The convolution along the axes that the weights have after their channels,
    /// `[..lead, c, ..n] * [o, c / groups, ..k] → [..lead, o, ..positions]`, with
    /// `(n + padding - (k - 1) dilation - 1) / stride + 1` positions along each axis. The window is not
    /// mirrored.
    ///
    /// Integers wrap around; 16-bit floats are summed in `f32`.
    /// Errors: [`ShapeError::ConvolutionRank`] if there are too few axes, [`ShapeError::Channels`] if the channels
    /// differ, [`ShapeError::Groups`] if the groups do not divide them, [`ShapeError::WindowTooLarge`] if a window
    /// is larger than its padded input, [`ShapeError::WindowOptionZero`], [`ShapeError::WindowOptionCount`],
    /// [`ShapeError::WindowSame`] and [`ShapeError::WindowOutputPadding`] if an option does not fit,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let volume = DynTensor::full(&[2, 1, 8, 8, 8], 1.0);
    /// let weights = DynTensor::full(&[4, 1, 3, 3, 3], 1.0);
    /// let y = volume.conv(&weights, &ConvOptions::new().stride(&[1, 2, 2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 4, 6, 3, 3], 27.0));
    /// ```
    #[doc(alias = "convolve")]
    #[twin(none)]
    pub fn conv(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.convolved(weights, options, false)
    }

    /// The convolution along the last three axes, of a volume or a video,
    /// `[..lead, c, d, h, w] * [o, c / groups, kd, kh, kw] → [..lead, o, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let video = DynTensor::full(&[3, 8, 6, 6], 1.0);
    /// let weights = DynTensor::full(&[4, 3, 3, 3, 3], 1.0);
    /// assert_eq!(video.conv3d(&weights, &ConvOptions::new())?.sizes(), [4, 6, 4, 4]);
    /// ```
    pub fn conv3d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 5)?.convolved(weights, options, false)
    }

    /// The convolution along the last axis,
    /// `[..lead, c, n] * [o, c / groups, k] → [..lead, o, (n + padding - (k - 1) dilation - 1) / stride + 1]`.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let (x, weights) = (DynTensor::from(tensor![[1, 2, 4]]), DynTensor::from(tensor![[[-1, 1]]]));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new())?, tensor![[1, 2]].into());
    /// ```
    pub fn conv1d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 3)?.convolved(weights, options, false)
    }

    /// The convolution along the last two axes, `[..lead, c, h, w] * [o, c / groups, kh, kw] → [..lead, o, y, x]`
    /// with `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let x = DynTensor::full(&[8, 3, 32, 32], 1.0);
    /// let weights = DynTensor::full(&[16, 3, 3, 3], 1.0);
    /// let y = x.conv2d(&weights, &ConvOptions::new().same())?;
    /// assert_eq!(y.sizes(), [8, 16, 32, 32]);
    ///
    /// let error = x.conv2d(&DynTensor::full(&[16, 4, 3, 3], 1.0), &ConvOptions::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "the input has 3 channels, and the weights take 4");
    /// ```
    pub fn conv2d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 4)?.convolved(weights, options, false)
    }

    /// The transposed convolution, which is the gradient of [`conv`](DynTensor::conv) with respect to its
    /// input: `[..lead, c, ..n] * [c, o / groups, ..k] → [..lead, o, ..m]`, with
    /// `m = (n - 1) stride + (k - 1) dilation + 1 + output padding - padding` along each axis.
    /// Errors: Those of [`conv`](DynTensor::conv), [`ShapeError::WindowNothingLeft`] if the padding removes all
    /// results, [`ShapeError::WindowResultTooLarge`] if an axis of the result would be longer than `isize::MAX`.
    /// ```
    /// let (x, weights) = (DynTensor::full(&[1, 4, 4, 4], 1.0), DynTensor::full(&[1, 2, 2, 2, 2], 1.0));
    /// let y = x.conv_transpose(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 8, 8, 8], 1.0));
    /// ```
    #[doc(alias = "deconvolution")]
    #[twin(none)]
    pub fn conv_transpose(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.convolved(weights, options, true)
    }

    /// The transposed convolution along the last axis, which is the gradient of [`conv1d`](Self::conv1d) with
    /// regard to its input: `[..lead, c, n] * [c, o / groups, k] → [..lead, o, m]` with
    /// `m = (n - 1) stride + (k - 1) dilation + 1 + output padding - padding`.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let (x, weights) = (DynTensor::from(tensor![[1, 2]]), DynTensor::from(tensor![[[1, 10]]]));
    /// let y = x.conv_transpose1d(&weights, &ConvOptions::new())?;
    /// assert_eq!(y, tensor![[1, 12, 20]].into());
    /// ```
    pub fn conv_transpose1d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 3)?.convolved(weights, options, true)
    }

    /// The transposed convolution along the last two axes, which is the gradient of [`conv2d`](Self::conv2d) with
    /// regard to its input: `[..lead, c, h, w] * [c, o / groups, kh, kw] → [..lead, o, y, x]` with
    /// `y = (h - 1) stride + (kh - 1) dilation + 1 + output padding - padding`, and `x` alike.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let (x, weights) = (DynTensor::full(&[1, 14, 14], 1.0), DynTensor::full(&[1, 8, 2, 2], 1.0));
    /// let y = x.conv_transpose2d(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y.sizes(), [8, 28, 28]);
    /// ```
    pub fn conv_transpose2d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 4)?.convolved(weights, options, true)
    }

    /// The transposed convolution along the last three axes, which is the gradient of [`conv3d`](Self::conv3d)
    /// with regard to its input: `[..lead, c, d, h, w] * [c, o / groups, kd, kh, kw] → [..lead, o, z, y, x]` with
    /// `z = (d - 1) stride + (kd - 1) dilation + 1 + output padding - padding`, and `y` and `x` alike.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let x = DynTensor::full(&[1, 4, 4, 4], 1.0);
    /// let weights = DynTensor::full(&[1, 2, 2, 2, 2], 1.0);
    /// let y = x.conv_transpose3d(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y.sizes(), [2, 8, 8, 8]);
    /// ```
    pub fn conv_transpose3d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 5)?.convolved(weights, options, true)
    }

    fn check_weights(&self, weights: &Self, rank: usize) -> Result<&Self, ShapeError> {
        if weights.rank() == rank {
            return Ok(self);
        }
        Err(ShapeError::ConvolutionRank { input: self.rank(), weights: weights.rank() })
    }

    #[doc(hidden)]
    pub fn convolved(
        &self,
        weights: &Self,
        options: &ConvOptions,
        is_transposed: bool,
    ) -> Result<Self, ShapeError> {
        let plan = Convolution::new(&self.sizes, &weights.sizes, options, is_transposed)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.convolved_by(plan, weights))
    }

    /// The convolution by a plan that fits.
    pub(crate) fn convolved_by(&self, plan: Convolution, weights: &Self) -> Self {
        if self.is_traced() || weights.is_traced() {
            let (op, sizes) = (Op::Convolve(plan.clone()), plan.result.clone());
            let rule = Some(gradients::Convolve(plan.clone()).into());
            return trace::step(op, rule, &sizes, &[self, weights], move |x| {
                let (x, weights) = (trace::operand::<T>(x, 0), trace::operand(x, 1));
                x.convolved_by(plan.clone(), weights)
            });
        }
        let storage = T::convolved(&plan, self.as_view(), weights.as_view());
        let result = Self::from_storage(plan.result.clone(), storage);
        result.with(&[self, weights], || gradients::Convolve(plan))
    }

    /// The maximum of each window along the last axes, whose number the options determine,
    /// `[..lead, ..n] → [..lead, ..positions]`; NaN if there is one. Padding is never the maximum; a
    /// window of padding alone gives the smallest number of the type, -∞ for floats.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::WindowTooLarge`] if a window is
    /// larger than its padded input, [`ShapeError::WindowOptionZero`] and [`ShapeError::WindowOptionCount`] if an
    /// option does not fit, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2, 2]).stride(&[1]))?, tensor![[5, 6]].into());
    /// ```
    #[twin(none)]
    pub fn max_pool(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        let plan = Pooling::new(&self.sizes, options)?;
        fits_into_memory::<T>(&plan.result)?;
        if self.is_traced() {
            let (op, sizes) = (Op::MaxPool(plan.clone()), plan.result.clone());
            let rule = Some(gradients::MaxPool(plan.clone()).into());
            return Ok(trace::step(op, rule, &sizes, &[self], move |x| {
                let storage = T::max_pooled(&plan, trace::operand::<T>(x, 0).as_view());
                Self::from_storage(plan.result.clone(), storage)
            }));
        }
        let storage = T::max_pooled(&plan, self.as_view());
        let result = Self::from_storage(plan.result.clone(), storage);
        Ok(result.with(&[self], || gradients::MaxPool(plan)))
    }

    /// The largest element of each window along the last axis,
    /// `[..lead, n] → [..lead, (n + padding - (k - 1) dilation - 1) / stride + 1]`; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::from(tensor![1, 5, 2, 3]);
    /// assert_eq!(x.max_pool1d(&PoolOptions::new(&[2]))?, tensor![5, 3].into());
    /// ```
    pub fn max_pool1d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 1)?.max_pool(options)
    }

    /// The largest element of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]` with
    /// `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::full(&[64, 112, 112], 1.0);
    /// let y = x.max_pool2d(&PoolOptions::new(&[3, 3]).stride(&[2]).padding(&[1]))?;
    /// assert_eq!(y.sizes(), [64, 56, 56]);
    /// ```
    pub fn max_pool2d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 2)?.max_pool(options)
    }

    /// The largest element of each window along the last three axes, `[..lead, d, h, w] → [..lead, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::full(&[16, 8, 12, 12], 1.0);
    /// assert_eq!(x.max_pool3d(&PoolOptions::new(&[2, 2, 2]))?.sizes(), [16, 4, 6, 6]);
    /// ```
    pub fn max_pool3d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 3)?.max_pool(options)
    }

    pub(super) fn check_window(
        &self,
        options: &PoolOptions,
        axes: usize,
    ) -> Result<&Self, ShapeError> {
        match options.rank() == axes {
            true => Ok(self),
            false => Err(ShapeError::WindowOptionCount {
                option: "the size of the window",
                found: options.rank(),
                axes,
            }),
        }
    }
}
