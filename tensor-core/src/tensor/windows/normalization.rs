//! Normalisation of channels, and by the root mean square. The shape is kept, so all of them call the
//! methods of [`DynTensor`].

use crate::shape::Shape;
use crate::shape::axis_index::{AxisOf, HasAxis};
use crate::shape::error::ShapeError;
use crate::shape::windows::DividesAxis;
use crate::tensor::{DynTensor, Tensor};
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float};

/// # Normalisation of channels
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_group_norm!()]
    /// Multiply by a gain and add a bias for each channel explicitly, with axes of size 1 for the axes
    /// after the channels. PyTorch's epsilon is `1e-5`.
    /// Panics: If the groups do not divide a named axis whose size is known at run time.
    /// ```
    /// let x = tensor![[1.0], [3.0], [10.0], [10.0]];
    /// assert_eq!(x.group_norm::<-2, 2>(3.0), tensor![[-0.5], [0.5], [0.0], [0.0]]);
    /// ```
    #[usage(x.group_norm::<-3, 8>(1e-5))]
    pub fn group_norm<const AXIS: isize, const GROUPS: usize>(&self, epsilon: f64) -> Tensor<S, T>
    where
        S: DividesAxis<AXIS, GROUPS>,
        T: Float,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        self.normalized(|x| x.group_norm(axis, GROUPS, epsilon))
    }

    #[doc = doc_instance_norm!()]
    /// ```
    /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
    /// assert_eq!(x.instance_norm::<0>(3.0), tensor![[-0.5, 0.5], [0.0, 0.0]]);
    /// ```
    #[usage(x.instance_norm::<-3>(1e-5))]
    pub fn instance_norm<const AXIS: isize>(&self, epsilon: f64) -> Tensor<S, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        self.normalized(|x| x.instance_norm(axis, epsilon))
    }

    #[doc = doc_batch_norm!()]
    /// Panics: If a named axis has another size in `mean` or `variance`.
    /// ```
    /// let x = tensor![[1.0, 3.0], [4.0, 6.0]];
    /// let y = x.batch_norm::<0>(&tensor![1.0, 4.0], &tensor![3.0, 0.0], 1.0);
    /// assert_eq!(y, tensor![[0.0, 1.0], [0.0, 2.0]]);
    /// ```
    #[usage(x.batch_norm::<-3>(&mean, &variance, 1e-5))]
    pub fn batch_norm<const AXIS: isize>(
        &self,
        mean: &Tensor<((), AxisOf<S, AXIS>), T>,
        variance: &Tensor<((), AxisOf<S, AXIS>), T>,
        epsilon: f64,
    ) -> Tensor<S, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let [mean, variance] = [mean, variance].map(|x| DynTensor::from(x.clone()));
        self.normalized(|x| x.batch_norm(axis, &mean, &variance, epsilon))
    }

    #[doc = doc_batch_norm_training!()]
    /// The means to keep for evaluation are those over all other axes, such as
    /// `x.mean_axes::<axes![0, -2, -1]>()`, and the variances alike.
    /// ```
    /// let x = tensor![[1.0, 10.0], [3.0, 10.0]];
    /// assert_eq!(x.batch_norm_training::<1>(3.0), tensor![[-0.5, 0.0], [0.5, 0.0]]);
    /// ```
    #[usage(x.batch_norm_training::<-3>(1e-5))]
    pub fn batch_norm_training<const AXIS: isize>(&self, epsilon: f64) -> Tensor<S, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        self.normalized(|x| x.batch_norm_training(axis, epsilon))
    }

    /// The result of an operation that keeps the sizes.
    fn normalized(
        &self,
        operation: impl FnOnce(DynTensor<T>) -> Result<DynTensor<T>, ShapeError>,
    ) -> Self {
        Tensor::with_result(self.axes, operation(self.erased()))
    }
}
