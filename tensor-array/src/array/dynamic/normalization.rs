//! Normalisation of channels for [`DynTensor`].

use tensor_kernels::element::{Float, Number};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;

/// # Normalisation of channels
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// Group normalisation, `[..lead, c, ..s] → [..lead, c, ..s]`: splits an axis of channels into groups, and
    /// normalises each together with all axes that follow, `(x - mean) / √(variance + epsilon)`
    /// ([Wu and He, 2018](https://arxiv.org/abs/1803.08494)).
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::WindowOptionZero`] if there
    /// is no group, [`ShapeError::Groups`] if the groups do not divide the axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0], [3.0], [10.0], [10.0]]);
    /// assert_eq!(x.group_norm(0, 2, 3.0)?, tensor![[-0.5], [0.5], [0.0], [0.0]].into());
    /// ```
    pub fn group_norm(&self, axis: isize, groups: usize, epsilon: f64) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        let channels = self.sizes[axis];
        if groups == 0 {
            return Err(ShapeError::WindowOptionZero { option: "the number of groups" });
        }
        if !channels.is_multiple_of(groups) {
            return Err(ShapeError::Groups { channels, groups });
        }
        if self.is_empty() {
            return Ok(self.clone());
        }
        let images: usize = self.sizes[..axis].iter().product();
        let rows = images * groups;
        let joined = self.reshaped(Sizes::from_slice(&[rows, self.len() / rows]));
        Ok(joined.layer_norm(-1, epsilon)?.reshaped(self.sizes.clone()))
    }

    /// Instance normalisation, `[..lead, c, ..s] → [..lead, c, ..s]`: normalises each channel, an index of the
    /// axis, over all axes that follow, `(x - mean) / √(variance + epsilon)`
    /// ([Ulyanov, Vedaldi and Lempitsky, 2016](https://arxiv.org/abs/1607.08022)).
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 3.0], [5.0, 5.0]]);
    /// assert_eq!(x.instance_norm(0, 3.0)?, tensor![[-0.5, 0.5], [0.0, 0.0]].into());
    /// ```
    pub fn instance_norm(&self, axis: isize, epsilon: f64) -> Result<Self, ShapeError> {
        let channels = self.sizes[self.axis_index(axis)?];
        self.group_norm(axis, channels.max(1), epsilon)
    }

    /// Batch normalisation by given means and variances of the channels, as in evaluation mode:
    /// `(x - mean) / √(variance + epsilon)` along an axis, `[..lead, c, ..s] → [..lead, c, ..s]`
    /// ([Ioffe and Szegedy, 2015](https://arxiv.org/abs/1502.03167)).
    /// [`batch_norm_training`](Self::batch_norm_training) uses the statistics of the batch.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Length`] if `mean` or
    /// `variance` has not one element for each of the axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 3.0], [4.0, 6.0]]);
    /// let (mean, variance) = (DynTensor::from(tensor![1.0, 4.0]), DynTensor::from(tensor![3.0, 0.0]));
    /// assert_eq!(x.batch_norm(0, &mean, &variance, 1.0)?, tensor![[0.0, 1.0], [0.0, 2.0]].into());
    /// ```
    pub fn batch_norm(
        &self,
        axis: isize,
        mean: &Self,
        variance: &Self,
        epsilon: f64,
    ) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        let mut channels = Sizes::from_slice(&[self.sizes[axis]]);
        channels.resize(self.rank() - axis, 1);
        let [mean, variance] = [mean.reshape(&channels)?, variance.reshape(&channels)?];
        centred_and_scaled(self, mean.cast(), variance.cast(), epsilon)
    }

    /// Batch normalisation by the mean and the variance of the batch, as in training: normalises each channel, an
    /// index of the axis, over all other axes, `[..lead, c, ..s] → [..lead, c, ..s]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 10.0], [3.0, 10.0]]);
    /// assert_eq!(x.batch_norm_training(1, 3.0)?, tensor![[-0.5, 0.0], [0.5, 0.0]].into());
    /// ```
    pub fn batch_norm_training(&self, axis: isize, epsilon: f64) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)? as isize;
        let others: Vec<isize> = (0..self.rank() as isize).filter(|&other| other != axis).collect();
        let wide = self.cast::<T::Wide>();
        let mean = wide.mean_axes_keepdims(&others)?;
        let variance = wide.var_axes_keepdims(&others)?;
        centred_and_scaled(self, mean, variance, epsilon)
    }
}

/// `(x - mean) / √(variance + epsilon)`
#[track_caller]
fn centred_and_scaled<T: Float>(
    x: &DynTensor<T>,
    mean: DynTensor<T::Wide>,
    variance: DynTensor<T::Wide>,
    epsilon: f64,
) -> Result<DynTensor<T>, ShapeError> {
    let scale = (&variance + T::Wide::from_f64(epsilon)).rsqrt();
    Ok((&(&x.cast::<T::Wide>() - &mean)? * &scale)?.cast())
}
