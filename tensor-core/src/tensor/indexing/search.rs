//! Binary search and sets of elements: `searchsorted`, `unique`, `isin`.

use super::found;
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{AxisOf, HasAxis, HasRank, ReplaceAxis, WithAxis};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// # Searches
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_searchsorted!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// let edges = tensor![0.0, 1.0, 2.0];
    /// assert_eq!(edges.searchsorted(&tensor![[-1.0, 1.0], [1.5, 9.0]]), tensor![[0, 1], [2, 3]]);
    /// ```
    #[doc(alias("bucketize", "digitize"))]
    #[usage(sorted.searchsorted(&values))]
    pub fn searchsorted<R: Shape>(&self, values: &Tensor<R, T>) -> Tensor<R, i64>
    where
        S: HasRank<1>,
    {
        let positions = self.erased().searchsorted(&values.erased());
        Tensor::with_result(values.axes, positions)
    }

    #[doc = doc_searchsorted_right!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![0, 1, 1, 2].searchsorted_right(&tensor![1, 5]), tensor![3, 4]);
    /// ```
    #[doc(alias = "bucketize")]
    #[usage(sorted.searchsorted_right(&values))]
    pub fn searchsorted_right<R: Shape>(&self, values: &Tensor<R, T>) -> Tensor<R, i64>
    where
        S: HasRank<1>,
    {
        let positions = self.erased().searchsorted_right(&values.erased());
        Tensor::with_result(values.axes, positions)
    }

    #[doc = doc_isin!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![[1, 2], [3, 4]].isin(&tensor![4, 2]), tensor![[false, true], [false, true]]);
    /// ```
    #[doc(alias = "in1d")]
    #[usage(x.isin(&others))]
    pub fn isin<R: Shape>(&self, others: &Tensor<R, T>) -> Tensor<S, bool> {
        Tensor::with_shape(self.axes, self.erased().isin(&others.erased()))
    }

    #[doc = doc_unique!()]
    /// Their number is known only at run time: `Found` is a named axis, declared by `axis!(Found)`.
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let found: Tensor<shape![Found], i32> = tensor![[3, 1], [1, 3]].unique::<Found>();
    /// assert_eq!(found.to_vec(), [1, 3]);
    /// ```
    #[doc(alias = "unique_values")]
    #[usage(x.unique::<Found>())]
    pub fn unique<Found: Axis>(&self) -> Tensor<((), Found), T> {
        self.unique_all::<Found>().0
    }

    #[doc = doc_unique_counts!()]
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let (values, counts) = tensor![3, 1, 3].unique_counts::<Found>();
    /// assert_eq!((values.to_vec(), counts.to_vec()), (vec![1, 3], vec![1, 2]));
    /// ```
    #[usage(x.unique_counts::<Found>())]
    pub fn unique_counts<Found: Axis>(&self) -> (Tensor<((), Found), T>, Tensor<((), Found), i64>) {
        let (values, _, _, counts) = self.unique_all::<Found>();
        (values, counts)
    }

    #[doc = doc_unique_inverse!()]
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let x = tensor![30, 10, 30];
    /// let (values, numbers) = x.unique_inverse::<Found>();
    /// assert_eq!(numbers, tensor![1, 0, 1]);
    /// assert_eq!(values.take::<0, _>(&numbers)?, x);
    /// ```
    #[doc(alias = "factorize")]
    #[usage(x.unique_inverse::<Found>())]
    pub fn unique_inverse<Found: Axis>(&self) -> (Tensor<((), Found), T>, Tensor<S, i64>) {
        let (values, _, inverse, _) = self.unique_all::<Found>();
        (values, inverse)
    }

    #[doc = doc_unique_all!()]
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let (values, first, inverse, counts) = tensor![3, 1, 3].unique_all::<Found>();
    /// assert_eq!(first.to_vec(), [1, 0]);
    /// ```
    #[expect(clippy::type_complexity, reason = "as the Array API has it")]
    #[usage(x.unique_all::<Found>())]
    pub fn unique_all<Found: Axis>(
        &self,
    ) -> (Tensor<((), Found), T>, Tensor<((), Found), i64>, Tensor<S, i64>, Tensor<((), Found), i64>)
    {
        let (values, first, inverse, counts) = self.erased().unique_all();
        let shape = ((), found::<Found>(counts.len()));
        (
            Tensor::with_shape(shape, values),
            Tensor::with_shape(shape, first),
            Tensor::with_shape(self.axes, inverse),
            Tensor::with_shape(shape, counts),
        )
    }

    #[doc = doc_unique_axis!()]
    /// Panics: If `Found` has a static size that is another one, if the result would have it twice with two sizes,
    /// or if the numbers that are sorted, of eight bytes each, have more than `isize::MAX` bytes.
    /// ```
    /// axis!(Found);
    /// let edges = tensor![[2, 1], [0, 3], [2, 1]];
    /// let different: Tensor<shape![Found, 2], i32> = edges.unique_axis::<0, Found>();
    /// assert_eq!(different.to_vec(), [0, 3, 2, 1]);
    /// ```
    #[doc(alias("unique_rows", "unique_dim"))]
    #[usage(x.unique_axis::<0, Found>())]
    pub fn unique_axis<const AXIS: isize, Found>(&self) -> Tensor<WithAxis<S, AXIS, Found>, T>
    where
        S: HasAxis<AXIS> + ReplaceAxis<AXIS, Found>,
        Found: Axis,
    {
        self.unique_all_axis::<AXIS, Found>().0
    }

    #[doc = doc_unique_all_axis!()]
    /// Panics: As [`unique_axis`](Tensor::unique_axis).
    /// ```
    /// axis!(Found);
    /// let edges = tensor![[2, 1], [0, 3], [2, 1]];
    /// let (different, first, inverse, counts) = edges.unique_all_axis::<0, Found>();
    /// assert_eq!((first.to_vec(), counts.to_vec()), (vec![1, 0], vec![1, 2]));
    /// assert_eq!(different.take::<0, _>(&inverse)?, edges);
    /// ```
    #[expect(clippy::type_complexity, reason = "as NumPy has it")]
    #[usage(x.unique_all_axis::<0, Found>())]
    pub fn unique_all_axis<const AXIS: isize, Found>(
        &self,
    ) -> (
        Tensor<WithAxis<S, AXIS, Found>, T>,
        Tensor<((), Found), i64>,
        Tensor<((), AxisOf<S, AXIS>), i64>,
        Tensor<((), Found), i64>,
    )
    where
        S: HasAxis<AXIS> + ReplaceAxis<AXIS, Found>,
        Found: Axis,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let (slices, first, inverse, counts) = unwrap_or_panic(self.erased().unique_all_axis(axis));
        let found = found::<Found>(counts.len());
        (
            Tensor::with_shape(unwrap_or_panic(self.axes.replace_axis(found)), slices),
            Tensor::with_shape(((), found), first),
            Tensor::with_shape(((), HasAxis::<AXIS>::axis(self.axes)), inverse),
            Tensor::with_shape(((), found), counts),
        )
    }
}
