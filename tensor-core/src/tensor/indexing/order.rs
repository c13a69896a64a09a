//! Sorting and selection: `sort`, `argsort`, `topk`, `kthvalue`.

use crate::shape::Shape;
use crate::shape::axis::{Axis, StaticAxis};
use crate::shape::axis_index::{HasAxis, ReplaceAxis, WithAxis};
use crate::shape::indexing::ChooseAxis;
use crate::shape::results::{Chosen, Kept, WithoutAxis};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// # In order
///
/// NaN is larger than every number: it comes last in ascending order, as in NumPy, and first in
/// descending order, as in PyTorch. Sorting is stable: equal elements keep their order; -0.0 equals
/// 0.0.
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_sort!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// let x = tensor![[3, 1, 2], [0, 5, 4]];
    /// assert_eq!(x.sort::<-1>(), tensor![[1, 2, 3], [0, 4, 5]]);
    /// assert_eq!(x.sort::<0>(), tensor![[0, 1, 2], [3, 5, 4]]);
    /// ```
    #[doc(alias = "msort")]
    #[usage(x.sort::<-1>())]
    pub fn sort<const AXIS: isize>(&self) -> Tensor<Kept<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
    {
        self.sorted::<AXIS>(false)
    }

    #[doc = doc_sort_descending!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![[3, 1, 2], [0, 5, 4]].sort_descending::<-1>(), tensor![[3, 2, 1], [5, 4, 0]]);
    /// ```
    #[usage(x.sort_descending::<-1>())]
    pub fn sort_descending<const AXIS: isize>(&self) -> Tensor<Kept<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
    {
        self.sorted::<AXIS>(true)
    }

    fn sorted<const AXIS: isize>(&self, descending: bool) -> Self
    where
        S: HasAxis<AXIS>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let sorted = match descending {
            true => self.erased().sort_descending(axis),
            false => self.erased().sort(axis),
        };
        Tensor::with_result(self.axes, sorted)
    }

    #[doc = doc_argsort!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![0.5, 0.1, 0.5, f32::NAN, 0.2].argsort::<0>(), tensor![1, 4, 0, 2, 3]);
    /// ```
    #[usage(x.argsort::<-1>())]
    pub fn argsort<const AXIS: isize>(&self) -> Tensor<Kept<S, AXIS>, i64>
    where
        S: HasAxis<AXIS>,
    {
        self.argsorted::<AXIS>(false)
    }

    #[doc = doc_argsort_descending!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![0.5, 0.1, 0.5, 0.9].argsort_descending::<0>(), tensor![3, 0, 2, 1]);
    /// ```
    #[usage(x.argsort_descending::<-1>())]
    pub fn argsort_descending<const AXIS: isize>(&self) -> Tensor<Kept<S, AXIS>, i64>
    where
        S: HasAxis<AXIS>,
    {
        self.argsorted::<AXIS>(true)
    }

    fn argsorted<const AXIS: isize>(&self, descending: bool) -> Tensor<S, i64>
    where
        S: HasAxis<AXIS>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let order = match descending {
            true => self.erased().argsort_descending(axis),
            false => self.erased().argsort(axis),
        };
        Tensor::with_result(self.axes, order)
    }

    #[doc = doc_topk!()]
    /// `K` is a static size, such as `dim!(5)`; a `K` above the size of the axis does not compile.
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// let scores = tensor![[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]];
    /// let (values, classes) = scores.topk::<-1, dim!(2)>();
    /// assert_eq!(values, tensor![[0.7, 0.2], [0.5, 0.3]]);
    /// assert_eq!(classes, tensor![[1, 2], [0, 1]]);
    /// ```
    #[doc(alias("largest", "nlargest"))]
    #[usage(x.topk::<-1, dim!(5)>())]
    pub fn topk<const AXIS: isize, K>(
        &self,
    ) -> (Tensor<Chosen<S, AXIS, K>, T>, Tensor<Chosen<S, AXIS, K>, i64>)
    where
        S: ChooseAxis<AXIS, K>,
        K: StaticAxis,
    {
        let (values, indices) = self.chosen::<AXIS, K>(K::VALUE, true);
        let shape = S::chosen(values.axes);
        (values.in_shape(shape), indices.in_shape(shape))
    }

    #[doc = doc_topk_smallest!()]
    /// Panics: If the elements, as a copy, have more than `isize::MAX` bytes.
    /// ```
    /// // The two nearest neighbours.
    /// let distances = tensor![[0.5, 0.1, 0.3, 0.9]];
    /// let (_, neighbours) = distances.topk_smallest::<-1, dim!(2)>();
    /// assert_eq!(neighbours, tensor![[1, 2]]);
    /// ```
    #[doc(alias("smallest", "nsmallest"))]
    #[usage(x.topk_smallest::<-1, dim!(5)>())]
    pub fn topk_smallest<const AXIS: isize, K>(
        &self,
    ) -> (Tensor<Chosen<S, AXIS, K>, T>, Tensor<Chosen<S, AXIS, K>, i64>)
    where
        S: ChooseAxis<AXIS, K>,
        K: StaticAxis,
    {
        let (values, indices) = self.chosen::<AXIS, K>(K::VALUE, false);
        let shape = S::chosen(values.axes);
        (values.in_shape(shape), indices.in_shape(shape))
    }

    /// [`topk`](Tensor::topk) with `k`, or the size of the axis, known only at run time:
    /// `[..a, n, ..b] → [..a, k, ..b]`.
    /// Panics: If there are fewer elements along the axis, or if the result would have a named axis twice with two
    /// sizes.
    /// ```
    /// axis!(Best);
    /// let (values, _) = tensor![3, 7, 5].topk_shaped::<0, _>(Best(2));
    /// assert_eq!(values.to_vec(), [7, 5]);
    /// ```
    #[usage(x.topk_shaped::<-1, _>(Best(5)))]
    pub fn topk_shaped<const AXIS: isize, K>(
        &self,
        k: K,
    ) -> (Tensor<WithAxis<S, AXIS, K>, T>, Tensor<WithAxis<S, AXIS, K>, i64>)
    where
        S: ReplaceAxis<AXIS, K>,
        K: Axis,
    {
        self.chosen::<AXIS, K>(k, true)
    }

    /// [`topk_smallest`](Tensor::topk_smallest) with `k`, or the size of the axis, known only at run
    /// time: `[..a, n, ..b] → [..a, k, ..b]`.
    /// Panics: If there are fewer elements along the axis, or if the result would have a named axis twice with two
    /// sizes.
    /// ```
    /// axis!(Nearest);
    /// let (_, indices) = tensor![3, 7, 5].topk_smallest_shaped::<0, _>(Nearest(1));
    /// assert_eq!(indices.to_vec(), [0]);
    /// ```
    #[usage(x.topk_smallest_shaped::<-1, _>(Nearest(5)))]
    pub fn topk_smallest_shaped<const AXIS: isize, K>(
        &self,
        k: K,
    ) -> (Tensor<WithAxis<S, AXIS, K>, T>, Tensor<WithAxis<S, AXIS, K>, i64>)
    where
        S: ReplaceAxis<AXIS, K>,
        K: Axis,
    {
        self.chosen::<AXIS, K>(k, false)
    }

    fn chosen<const AXIS: isize, K: Axis>(
        &self,
        k: K,
        descending: bool,
    ) -> (Tensor<WithAxis<S, AXIS, K>, T>, Tensor<WithAxis<S, AXIS, K>, i64>)
    where
        S: ReplaceAxis<AXIS, K>,
    {
        let shape = unwrap_or_panic(self.axes.replace_axis(k));
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let chosen = match descending {
            true => self.erased().topk(axis, k.size()),
            false => self.erased().topk_smallest(axis, k.size()),
        };
        let (values, indices) = unwrap_or_panic(chosen);
        (Tensor::with_shape(shape, values), Tensor::with_shape(shape, indices))
    }

    #[doc = doc_kthvalue!()]
    /// Panics: If the axis has `k` elements or fewer.
    /// ```
    /// let (values, indices) = tensor![[9, 3, 5], [4, 8, 6]].kthvalue::<-1>(1);
    /// assert_eq!((values, indices), (tensor![5, 6], tensor![2, 2]));
    /// ```
    #[doc(alias = "partition")]
    #[usage(x.kthvalue::<-1>(3))]
    pub fn kthvalue<const AXIS: isize>(
        &self,
        k: usize,
    ) -> (Tensor<WithoutAxis<S, AXIS>, T>, Tensor<WithoutAxis<S, AXIS>, i64>)
    where
        S: HasAxis<AXIS>,
    {
        let shape = <S as HasAxis<AXIS>>::remove(self.axes);
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let (values, indices) = unwrap_or_panic(self.erased().kthvalue(axis, k));
        (Tensor::with_shape(shape, values), Tensor::with_shape(shape, indices))
    }
}
