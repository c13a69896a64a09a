//! Average pooling and interpolation of [`DynTensor`]: operations on windows that need floats.

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::element::Float;
use crate::sizes::error::ShapeError;
use crate::sizes::window_options::{Interpolation, PoolOptions};
use crate::sizes::windows::{Pooling, Resample, Resizing};

/// # Average pooling and interpolation
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// The mean of each window along the last axes, whose number the options determine,
    /// `[..lead, ..n] → [..lead, ..positions]`.
    ///
    /// Padding counts as 0 unless [`count_include_pad`](PoolOptions::count_include_pad) excludes it.
    /// The mean of a window without elements is NaN.
    /// Errors: Those of [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 2.0], [3.0, 6.0]]);
    /// assert_eq!(x.avg_pool(&PoolOptions::new(&[2, 2]))?, tensor![[3.0]].into());
    /// ```
    #[doc(alias = "mean_pool")]
    #[twin(none)]
    pub fn avg_pool(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        let plan = Pooling::new(&self.sizes, options)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.avg_pooled(&plan))
    }

    /// The mean of each window along the last axis,
    /// `[..lead, n] → [..lead, (n + padding - (k - 1) dilation - 1) / stride + 1]`.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 5.0, 2.0, 4.0]);
    /// assert_eq!(x.avg_pool1d(&PoolOptions::new(&[2]))?, tensor![3.0, 3.0].into());
    /// ```
    pub fn avg_pool1d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 1)?.avg_pool(options)
    }

    /// The mean of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]` with
    /// `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 2.0], [3.0, 6.0]]);
    /// assert_eq!(x.avg_pool2d(&PoolOptions::new(&[2, 2]))?, tensor![[3.0]].into());
    /// ```
    pub fn avg_pool2d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 2)?.avg_pool(options)
    }

    /// The mean of each window along the last three axes, `[..lead, d, h, w] → [..lead, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::full(&[4, 4, 4], 3.0);
    /// let y = x.avg_pool3d(&PoolOptions::new(&[2, 2, 2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 2, 2], 3.0));
    /// ```
    pub fn avg_pool3d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 3)?.avg_pool(options)
    }

    /// Pools the last axes to other sizes, `[..lead, h, w] → [..lead, y, x]`: result `i` along an axis is the mean
    /// of the elements from `⌊i · h / y⌋` up to `⌈(i + 1) · h / y⌉`, as in PyTorch.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::Empty`] if an axis has no element
    /// to take the mean of, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 3.0, 5.0]);
    /// assert_eq!(x.adaptive_avg_pool(&[2])?, tensor![2.0, 4.0].into());
    /// ```
    #[doc(alias = "adaptive_avg_pool2d")]
    pub fn adaptive_avg_pool(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        self.resized(sizes, Resample::Mean)
    }

    /// Resizes the last axes, `[..lead, h, w] → [..lead, y, x]`: enlarges or shrinks images, by the nearest
    /// element or linear interpolation along each axis.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::Empty`] if an axis without
    /// elements is to become longer, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 2.0]);
    /// let twice = x.interpolate(&[4], Interpolation::Bilinear)?;
    /// assert_eq!(twice, tensor![1.0, 1.25, 1.75, 2.0].into());
    /// ```
    #[doc(alias("resize", "upsample"))]
    pub fn interpolate(
        &self,
        sizes: &[usize],
        interpolation: Interpolation,
    ) -> Result<Self, ShapeError> {
        self.resized(sizes, Resample::Interpolate(interpolation))
    }

    fn resized(&self, sizes: &[usize], resample: Resample) -> Result<Self, ShapeError> {
        let plan = Resizing::new(&self.sizes, sizes, resample)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.resized_by(&plan))
    }
}
