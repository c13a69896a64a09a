//! Selection by a mask, whose number of results is known at run time: `masked_select`, `compress`, `nonzero`.

use super::found;

use crate::shape::Shape;
use crate::shape::axis::{Axis, StaticAxis};
use crate::shape::axis_index::{AxisOf, HasAxis, ReplaceAxis, WithAxis};
use crate::shape::indexing::RankAxis;
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// # Chosen by a mask
///
/// The number of selected elements is known only at run time: the results have a named axis, `Found` in
/// the examples, declared by `axis!(Found)`.
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_masked_select!()]
    /// Panics: If the mask gives a named axis another size, or if `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let x = tensor![[1.0, -2.0], [3.0, -4.0]];
    /// let positive: Tensor<shape![Found]> = x.masked_select::<Found>(&x.greater(0.0));
    /// assert_eq!(positive.to_vec(), [1.0, 3.0]);
    /// ```
    #[doc(alias("extract", "boolean_mask"))]
    #[usage(x.masked_select::<Found>(&mask))]
    pub fn masked_select<Found: Axis>(&self, mask: &Tensor<S, bool>) -> Tensor<((), Found), T> {
        unwrap_or_panic(self.axes.broadcast(mask.axes));
        let chosen = unwrap_or_panic(self.erased().masked_select(&mask.erased()));
        Tensor::with_shape(((), found::<Found>(chosen.len())), chosen)
    }

    #[doc = doc_compress!()]
    /// Panics: If the mask gives a named axis another size, if `Found` has a static size that is another one, or
    /// if the result would have it twice with two sizes.
    /// ```
    /// axis!(Found);
    /// let rows = tensor![[1, 2], [3, 4], [5, 6]];
    /// let kept: Tensor<shape![Found, 2], i32> = rows.compress::<0, Found>(&tensor![true, false, true]);
    /// assert_eq!(kept.to_vec(), [1, 2, 5, 6]);
    /// ```
    #[usage(x.compress::<0, Found>(&mask))]
    pub fn compress<const AXIS: isize, Found>(
        &self,
        mask: &Tensor<((), AxisOf<S, AXIS>), bool>,
    ) -> Tensor<WithAxis<S, AXIS, Found>, T>
    where
        S: HasAxis<AXIS> + ReplaceAxis<AXIS, Found>,
        Found: Axis,
    {
        let size = ((), HasAxis::<AXIS>::axis(self.axes));
        unwrap_or_panic(size.broadcast(mask.axes));
        let axis = <S as HasAxis<AXIS>>::INDEX;
        let chosen = unwrap_or_panic(self.erased().compress(axis as isize, &mask.erased()));
        let shape = self.axes.replace_axis(found::<Found>(chosen.sizes()[axis]));
        Tensor::with_shape(unwrap_or_panic(shape), chosen)
    }

    #[doc = doc_nonzero!()]
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// let indices: Tensor<shape![Found, 2], i64> = tensor![[0, 7], [8, 0]].nonzero::<Found>();
    /// assert_eq!(indices.to_vec(), [0, 1, 1, 0]);
    /// ```
    #[doc(alias = "argwhere")]
    #[usage(x.nonzero::<Found>())]
    pub fn nonzero<Found: Axis>(&self) -> Tensor<(((), Found), S::Rank), i64>
    where
        S: RankAxis,
    {
        let indices = self.erased().nonzero();
        let found = found::<Found>(indices.sizes()[0]);
        Tensor::with_shape((((), found), <S::Rank as StaticAxis>::VALUE), indices)
    }

    #[doc = doc_flatnonzero!()]
    /// Panics: If `Found` has a static size that is another one.
    /// ```
    /// axis!(Found);
    /// assert_eq!(tensor![[0, 7], [8, 0]].flatnonzero::<Found>().to_vec(), [1, 2]);
    /// ```
    #[usage(x.flatnonzero::<Found>())]
    pub fn flatnonzero<Found: Axis>(&self) -> Tensor<((), Found), i64> {
        let positions = self.erased().flatnonzero();
        Tensor::with_shape(((), found::<Found>(positions.len())), positions)
    }
}
