//! `median` and `quantile`.

use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::results::WithoutAxis;
use crate::tensor::Tensor;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float};
use tensor_kernels::ops::QuantileMethod;

/// # Medians and quantiles
///
/// The result is NaN if there are no elements or if one of them is NaN, as in NumPy.
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_median!()]
    /// ```
    /// assert_eq!(tensor![[7.0, 1.0], [2.0, 4.0]].median().item(), 3.0);
    /// ```
    #[usage(x.median())]
    pub fn median(&self) -> Tensor<(), T>
    where
        T: Float,
    {
        self.quantile(0.5)
    }

    #[doc = doc_median_axis!()]
    /// ```
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

    #[doc = doc_quantile!()]
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// assert_eq!(tensor![4.0, 0.0, 3.0, 2.0, 1.0].quantile(0.25).item(), 1.0);
    /// ```
    #[doc(alias = "percentile")]
    #[usage(x.quantile(0.25))]
    pub fn quantile(&self, q: f64) -> Tensor<(), T>
    where
        T: Float,
    {
        self.quantile_with(q, QuantileMethod::Interpolate)
    }

    #[doc = doc_quantile_with!()]
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// assert_eq!(tensor![4.0, 1.0].quantile_with(0.25, QuantileMethod::Nearest).item(), 1.0);
    /// ```
    #[usage(x.quantile_with(0.25, QuantileMethod::Nearest))]
    pub fn quantile_with(&self, q: f64, method: QuantileMethod) -> Tensor<(), T>
    where
        T: Float,
    {
        Tensor::with_shape((), self.erased().quantile_with(q, method))
    }

    #[doc = doc_quantile_axis!()]
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// let x = tensor![[4.0, 0.0, 2.0], [10.0, 30.0, 20.0]];
    /// assert_eq!(x.quantile_axis::<-1>(0.75), tensor![3.0, 25.0]);
    /// ```
    #[usage(x.quantile_axis::<-1>(0.25))]
    pub fn quantile_axis<const AXIS: isize>(&self, q: f64) -> Tensor<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
        T: Float,
    {
        self.quantile_axis_with::<AXIS>(q, QuantileMethod::Interpolate)
    }

    #[doc = doc_quantile_axis_with!()]
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// let x = tensor![[4.0, 0.0], [10.0, 30.0]];
    /// let lower = x.quantile_axis_with::<-1>(0.5, QuantileMethod::Lower);
    /// assert_eq!(lower, tensor![0.0, 10.0]);
    /// ```
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
        let shape = <S as HasAxis<AXIS>>::remove(self.axes);
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let quantiles = self.erased().quantile_axis_with(axis, q, method);
        Tensor::with_result(shape, quantiles)
    }
}
