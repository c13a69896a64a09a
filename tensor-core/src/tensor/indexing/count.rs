//! Counts and differences: `bincount`, `histogram`, `diff`.

use core::ops::RangeInclusive;

use super::index_result;
use crate::shape::Shape;
use crate::shape::axis::{Axis, StaticAxis};
use crate::shape::index_error::IndexError;
use crate::shape::indexing::{DifferenceAxis, Differences};
use crate::tensor::Tensor;
use crate::tensor::construct::new_len;
use crate::tensor::operations::dispatch::result_shape;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Integer, Number};

/// # Counts and differences
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_bincount!()]
    /// `Bins` is a static size, such as `dim!(10)`.
    /// Errors: The first number that is negative or not below `Bins`.
    ///
    /// In a program, the numbers are compared when it runs, which returns the error; XLA does not count such a number.
    /// ```
    /// assert_eq!(tensor![1, 3, 1].bincount::<dim!(4)>()?, tensor![0, 2, 0, 1]);
    /// ```
    #[usage(x.bincount::<dim!(10)>())]
    pub fn bincount<Bins>(&self) -> Result<Tensor<((), Bins), i64>, IndexError>
    where
        Bins: StaticAxis,
        T: Integer,
    {
        self.bincount_shaped(Bins::VALUE)
    }

    /// [`bincount`](Tensor::bincount) with a run-time number of bins: `[..s] → [bins]`.
    /// Errors: The first number that is negative or not below the number of bins.
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// axis!(Bins);
    /// let counts = tensor![1, 3, 1].bincount_shaped(Bins(4))?;
    /// assert_eq!(counts.to_vec(), [0, 2, 0, 1]);
    /// ```
    pub fn bincount_shaped<Bins: Axis>(
        &self,
        bins: Bins,
    ) -> Result<Tensor<((), Bins), i64>, IndexError>
    where
        T: Integer,
    {
        let shape = ((), bins);
        let counts = self.erased().bincount(new_len::<_, i64>(shape));
        Ok(Tensor::with_shape(shape, index_result(counts)?))
    }

    #[doc = doc_histogram!()]
    /// The ends of the parts are `Tensor::linspace(low, high)` with one more element than there are parts.
    /// Panics: If the range is reversed or not finite.
    /// ```
    /// assert_eq!(tensor![0.1, 0.2, 0.5, 1.0, 7.0].histogram::<dim!(2)>(0.0..=1.0), tensor![2, 2]);
    /// ```
    #[doc(alias = "histc")]
    #[usage(x.histogram::<dim!(10)>(0.0..=1.0))]
    pub fn histogram<Bins>(&self, range: RangeInclusive<f64>) -> Tensor<((), Bins), i64>
    where
        Bins: StaticAxis,
        T: Number,
    {
        self.histogram_shaped(Bins::VALUE, range)
    }

    /// [`histogram`](Tensor::histogram) with a run-time number of bins: `[..s] → [bins]`.
    /// Panics: If the range is reversed or not finite, or if the result has more than `isize::MAX` bytes.
    /// ```
    /// axis!(Bins);
    /// assert_eq!(tensor![1, 2, 3].histogram_shaped(Bins(2), 1.0..=3.0).to_vec(), [1, 2]);
    /// ```
    pub fn histogram_shaped<Bins: Axis>(
        &self,
        bins: Bins,
        range: RangeInclusive<f64>,
    ) -> Tensor<((), Bins), i64>
    where
        T: Number,
    {
        let shape = ((), bins);
        let counts = self.erased().histogram(new_len::<_, i64>(shape), range);
        Tensor::with_result(shape, counts)
    }

    #[doc = doc_diff!()]
    /// The size of the axis is static.
    /// Panics: If the result would have a named axis twice with two sizes.
    /// ```
    /// let x = tensor![[1, 4, 9], [10, 20, 40]];
    /// assert_eq!(x.diff::<-1>(), tensor![[3, 5], [10, 20]]);
    /// assert_eq!(x.diff::<0>(), tensor![[9, 16, 31]]);
    /// ```
    #[doc(alias = "differences")]
    #[usage(x.diff::<-1>())]
    pub fn diff<const AXIS: isize>(&self) -> Tensor<Differences<S, AXIS>, T>
    where
        S: DifferenceAxis<AXIS>,
        T: Number,
    {
        let shape = result_shape!(
            Differences<S, AXIS>,
            <S as DifferenceAxis<AXIS>>::differences,
            (self.axes)
        );
        let axis = <S as DifferenceAxis<AXIS>>::INDEX as isize;
        Tensor::with_result(shape, self.erased().diff(axis))
    }
}
