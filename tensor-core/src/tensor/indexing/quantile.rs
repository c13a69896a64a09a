//! `median` and `quantile`.

use crate::element::{Element, Float};
use crate::ops::QuantileMethod;
use crate::shape::Shape;
use crate::shape::axis_index::{HasAxis, WithoutAxis};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;

/// # Medians and quantiles
///
/// The result is NaN if there are no elements or if one of them is NaN, as in NumPy.
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// The median of all elements, `[..] → []`: for an even number of elements the mean of the two in
    /// the middle, as in NumPy; PyTorch returns the smaller one.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[7.0, 1.0], [2.0, 4.0]].median().item(), 3.0);
    /// ```
    #[usage(x.median())]
    pub fn median(&self) -> Tensor<(), T>
    where
        T: Float,
    {
        self.quantile(0.5)
    }

    /// The medians along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[7.0, 1.0, 2.0], [4.0, 4.0, 9.0]].median_axis::<-1>(), tensor![2.0, 4.0]);
    /// ```
    #[usage(x.median_axis::<-1>())]
    pub fn median_axis<const AXIS: isize>(&self) -> Tensor<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        self.quantile_axis::<AXIS>(0.5)
    }

    /// The quantile `q` of all elements, `[..] → []`: 0 is the smallest, 1 the largest; between two
    /// elements it is interpolated linearly.
    ///
    /// # Panics
    ///
    /// If `q` is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![4.0, 0.0, 3.0, 2.0, 1.0].quantile(0.25).item(), 1.0);
    /// ```
    #[doc(alias = "percentile")]
    #[track_caller]
    #[usage(x.quantile(0.25))]
    pub fn quantile(&self, q: f64) -> Tensor<(), T>
    where
        T: Float,
    {
        self.quantile_with(q, QuantileMethod::Interpolate)
    }

    /// The quantile `q` of all elements, interpolated by [`QuantileMethod`], `[..] → []`.
    ///
    /// # Panics
    ///
    /// If `q` is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::{QuantileMethod, tensor};
    ///
    /// assert_eq!(tensor![4.0, 1.0].quantile_with(0.25, QuantileMethod::Nearest).item(), 1.0);
    /// ```
    #[track_caller]
    #[usage(x.quantile_with(0.25, QuantileMethod::Nearest))]
    pub fn quantile_with(&self, q: f64, method: QuantileMethod) -> Tensor<(), T>
    where
        T: Float,
    {
        Tensor::with_shape((), self.erased().quantile_with(q, method))
    }

    /// The quantiles `q` along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`.
    ///
    /// # Panics
    ///
    /// If `q` is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[4.0, 0.0, 2.0], [10.0, 30.0, 20.0]];
    /// assert_eq!(x.quantile_axis::<-1>(0.75), tensor![3.0, 25.0]);
    /// ```
    #[track_caller]
    #[usage(x.quantile_axis::<-1>(0.25))]
    pub fn quantile_axis<const AXIS: isize>(&self, q: f64) -> Tensor<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        self.quantile_axis_with::<AXIS>(q, QuantileMethod::Interpolate)
    }

    /// The quantiles `q` along axis `AXIS`, interpolated between the two nearest elements by
    /// [`QuantileMethod`], `[..a, n, ..b] → [..a, ..b]`.
    ///
    /// # Panics
    ///
    /// If `q` is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::{QuantileMethod, tensor};
    ///
    /// let x = tensor![[4.0, 0.0], [10.0, 30.0]];
    /// let lower = x.quantile_axis_with::<-1>(0.5, QuantileMethod::Lower);
    /// assert_eq!(lower, tensor![0.0, 10.0]);
    /// ```
    #[track_caller]
    #[usage(x.quantile_axis_with::<-1>(0.25, QuantileMethod::Nearest))]
    pub fn quantile_axis_with<const AXIS: isize>(
        &self,
        q: f64,
        method: QuantileMethod,
    ) -> Tensor<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        let shape = <S as HasAxis<AXIS>>::remove(self.shape);
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let quantiles = self.erased().quantile_axis_with(axis, q, method);
        Tensor::with_shape(shape, unwrap_or_panic(quantiles))
    }
}
