//! Binary search and sets of elements: `searchsorted`, `unique`, `isin`.

use super::found;
use crate::element::Element;
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{AxisOf, HasAxis, HasRank, ReplaceAxis, WithAxis};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;

/// # Searches
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// For each value the index at which inserting it keeps these elements in ascending order, before
    /// equal elements: `[n], [..s] → [..s]`. The elements must be sorted in ascending order. A program compares every value
    /// with every element.
    ///
    /// # Panics
    ///
    /// If the elements, as a copy, have more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let edges = tensor![0.0, 1.0, 2.0];
    /// assert_eq!(edges.searchsorted(&tensor![[-1.0, 1.0], [1.5, 9.0]]), tensor![[0, 1], [2, 3]]);
    /// ```
    #[doc(alias = "bucketize")]
    #[doc(alias = "digitize")]
    #[track_caller]
    #[usage(sorted.searchsorted(&values))]
    pub fn searchsorted<R: Shape>(&self, values: &Tensor<R, T>) -> Tensor<R, i64>
    where
        S: HasRank<1>,
    {
        let places = self.erased().searchsorted(&values.erased());
        Tensor::with_shape(values.shape, unwrap_or_panic(places))
    }

    /// For each value the index at which inserting it keeps these sorted elements in ascending order,
    /// after equal elements, as `side="right"`: `[n], [..s] → [..s]`.
    ///
    /// # Panics
    ///
    /// If the elements, as a copy, have more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![0, 1, 1, 2].searchsorted_right(&tensor![1, 5]), tensor![3, 4]);
    /// ```
    #[doc(alias = "bucketize")]
    #[track_caller]
    #[usage(sorted.searchsorted_right(&values))]
    pub fn searchsorted_right<R: Shape>(&self, values: &Tensor<R, T>) -> Tensor<R, i64>
    where
        S: HasRank<1>,
    {
        let places = self.erased().searchsorted_right(&values.erased());
        Tensor::with_shape(values.shape, unwrap_or_panic(places))
    }

    /// Whether each element occurs in `others`, `[..s], [..r] → [..s]`. NaN never does.
    ///
    /// # Panics
    ///
    /// If the elements, as a copy, have more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[1, 2], [3, 4]].isin(&tensor![4, 2]), tensor![[false, true], [false, true]]);
    /// ```
    #[doc(alias = "in1d")]
    #[track_caller]
    #[usage(x.isin(&others))]
    pub fn isin<R: Shape>(&self, others: &Tensor<R, T>) -> Tensor<S, bool> {
        Tensor::with_shape(self.shape, self.erased().isin(&others.erased()))
    }

    /// The distinct elements in ascending order, `[..s] → [found]`. Their number is known only at run
    /// time: `Found` is a named axis, declared by `axis!(Found)`.
    ///
    /// All NaNs count as one element, the last; -0.0 and 0.0 count as one.
    ///
    /// # Panics
    ///
    /// If `Found` has a static size that is another one.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, tensor};
    ///
    /// axis!(Found);
    /// let found: Tensor<shape![Found], i32> = tensor![[3, 1], [1, 3]].unique::<Found>();
    /// assert_eq!(found.to_vec(), [1, 3]);
    /// ```
    #[doc(alias = "unique_values")]
    #[track_caller]
    #[usage(x.unique::<Found>())]
    pub fn unique<Found: Axis>(&self) -> Tensor<((), Found), T> {
        self.unique_all::<Found>().0
    }

    /// The distinct elements in ascending order, and how often each occurs: `[..s] → [found], [found]`.
    ///
    /// # Panics
    ///
    /// If `Found` has a static size that is another one.
    ///
    /// ```
    /// use tensor_core::{axis, tensor};
    ///
    /// axis!(Found);
    /// let (values, counts) = tensor![3, 1, 3].unique_counts::<Found>();
    /// assert_eq!((values.to_vec(), counts.to_vec()), (vec![1, 3], vec![1, 2]));
    /// ```
    #[track_caller]
    #[usage(x.unique_counts::<Found>())]
    pub fn unique_counts<Found: Axis>(&self) -> (Tensor<((), Found), T>, Tensor<((), Found), i64>) {
        let (values, _, _, counts) = self.unique_all::<Found>();
        (values, counts)
    }

    /// The distinct elements in ascending order, and for each element of the tensor the index of its
    /// equal among them: `[..s] → [found], [..s]`.
    ///
    /// # Panics
    ///
    /// If `Found` has a static size that is another one.
    ///
    /// ```
    /// use tensor_core::{axis, tensor};
    ///
    /// axis!(Found);
    /// let x = tensor![30, 10, 30];
    /// let (values, numbers) = x.unique_inverse::<Found>();
    /// assert_eq!(numbers, tensor![1, 0, 1]);
    /// assert_eq!(values.take::<0, _>(&numbers)?, x);
    /// # Ok::<(), tensor_core::IndexError>(())
    /// ```
    #[doc(alias = "factorize")]
    #[track_caller]
    #[usage(x.unique_inverse::<Found>())]
    pub fn unique_inverse<Found: Axis>(&self) -> (Tensor<((), Found), T>, Tensor<S, i64>) {
        let (values, _, inverse, _) = self.unique_all::<Found>();
        (values, inverse)
    }

    /// The distinct elements in ascending order, the flat index (in row-major order) of the first
    /// occurrence of each, for each element the index of its equal among the distinct ones, and how
    /// often each occurs: `[..s] → [found], [found], [..s], [found]`.
    ///
    /// # Panics
    ///
    /// If `Found` has a static size that is another one.
    ///
    /// ```
    /// use tensor_core::{axis, tensor};
    ///
    /// axis!(Found);
    /// let (values, first, inverse, counts) = tensor![3, 1, 3].unique_all::<Found>();
    /// assert_eq!(first.to_vec(), [1, 0]);
    /// ```
    #[expect(clippy::type_complexity, reason = "as the Array API has it")]
    #[track_caller]
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
            Tensor::with_shape(self.shape, inverse),
            Tensor::with_shape(shape, counts),
        )
    }

    /// The distinct slices along axis `AXIS`, such as the distinct rows for axis 0,
    /// `[..a, n, ..b] → [..a, found, ..b]`: NumPy's `unique(x, axis=…)`. They are in ascending
    /// lexicographic order; all NaNs count as one element, the last.
    ///
    /// # Panics
    ///
    /// If `Found` has a static size that is another one, if the result would have it twice with two
    /// sizes, or if the numbers that are sorted, of eight bytes each, have more than `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, tensor};
    ///
    /// axis!(Found);
    /// let edges = tensor![[2, 1], [0, 3], [2, 1]];
    /// let different: Tensor<shape![Found, 2], i32> = edges.unique_axis::<0, Found>();
    /// assert_eq!(different.to_vec(), [0, 3, 2, 1]);
    /// ```
    #[doc(alias = "unique_rows")]
    #[doc(alias = "unique_dim")]
    #[track_caller]
    #[usage(x.unique_axis::<0, Found>())]
    pub fn unique_axis<const AXIS: isize, Found>(&self) -> Tensor<WithAxis<S, AXIS, Found>, T>
    where
        S: HasAxis<AXIS> + ReplaceAxis<AXIS, Found>,
        Found: Axis,
    {
        self.unique_all_axis::<AXIS, Found>().0
    }

    /// The distinct slices along axis `AXIS` in ascending lexicographic order, the index of the first
    /// occurrence of each, for each slice the index of its equal among them, and how often each occurs:
    /// `[..a, n, ..b] → [..a, found, ..b], [found], [n], [found]`.
    ///
    /// # Panics
    ///
    /// As [`unique_axis`](Tensor::unique_axis).
    ///
    /// ```
    /// use tensor_core::{axis, tensor};
    ///
    /// axis!(Found);
    /// let edges = tensor![[2, 1], [0, 3], [2, 1]];
    /// let (different, first, inverse, counts) = edges.unique_all_axis::<0, Found>();
    /// assert_eq!((first.to_vec(), counts.to_vec()), (vec![1, 0], vec![1, 2]));
    /// assert_eq!(different.take::<0, _>(&inverse)?, edges);
    /// # Ok::<(), tensor_core::IndexError>(())
    /// ```
    #[expect(clippy::type_complexity, reason = "as NumPy has it")]
    #[track_caller]
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
            Tensor::with_shape(unwrap_or_panic(self.shape.replace_axis(found)), slices),
            Tensor::with_shape(((), found), first),
            Tensor::with_shape(((), HasAxis::<AXIS>::axis(self.shape)), inverse),
            Tensor::with_shape(((), found), counts),
        )
    }
}
