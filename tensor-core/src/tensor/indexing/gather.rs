//! Elements at indices: `take`, `embedding`, `take_along_axis`, `one_hot`.

use super::{IndexTensor, TakeIndices, index_result};
use crate::shape::axis::Axis;
use crate::shape::index_error::IndexError;
use crate::shape::indexing::{EmbeddingTable, Indexed, IndicesAlong};
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use crate::tensor::construct::new_len;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Integer};

/// # Elements at indices
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_take!()]
    /// Indices are integers of any type; a negative one counts from the end of the axis, -1 is the last
    /// element. An index of rank 0 removes the axis.
    /// Errors: The first index that is out of range.
    /// Panics: If the result has more than `isize::MAX` bytes, or would have a named axis twice with two sizes.
    /// ```
    /// let x = tensor![[1, 2], [3, 4], [5, 6]];
    /// assert_eq!(x.take::<0, _>(tensor![2, 0])?, tensor![[5, 6], [1, 2]]);
    /// assert_eq!(x.take::<1, _>(tensor![[-1]])?, tensor![[[2]], [[4]], [[6]]]);
    /// assert_eq!(x.take::<0, _>(Tensor::scalar(1))?, tensor![3, 4]);
    /// ```
    #[doc(alias("index_select", "gather"))]
    #[usage(x.take::<0, _>(&indices))]
    pub fn take<const AXIS: isize, X>(
        &self,
        indices: X,
    ) -> Result<Tensor<<S as TakeIndices<AXIS, X>>::Output, T>, IndexError>
    where
        S: TakeIndices<AXIS, X>,
    {
        TakeIndices::take(self, &indices)
    }

    #[doc = doc_embedding!()]
    /// Takes indices of any shape, also in generic code, where [`take`](Tensor::take) needs a bound.
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If the result has more than `isize::MAX` bytes, or would have a named axis twice with two sizes.
    /// ```
    /// use tensor_core::{Float, IndexError, Shape, Tensor, shape, tensor};
    ///
    /// fn embedded<Lead: Shape>(
    ///     words: &Tensor<Lead, i64>,
    ///     table: &Tensor<shape![3, 2]>,
    /// ) -> Result<Tensor<shape![Lead.., 2]>, IndexError> {
    ///     table.embedding(words)
    /// }
    ///
    /// let table = tensor![[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]];
    /// assert_eq!(embedded(&tensor![[2], [0]], &table)?, tensor![[[4.0, 5.0]], [[0.0, 1.0]]]);
    /// ```
    #[doc(alias = "lookup")]
    #[usage(table.embedding(&words))]
    pub fn embedding<R: Shape, I, Row: Axis>(
        &self,
        indices: &Tensor<R, I>,
    ) -> Result<Tensor<(R, Row), T>, IndexError>
    where
        S: EmbeddingTable<Row = Row>,
        I: Integer,
    {
        let shape = (indices.axes, self.axes.row());
        new_len::<_, T>(shape);
        let rows = self.erased().embedding(&indices.erased());
        Ok(Tensor::with_shape(shape, index_result(rows)?))
    }

    #[doc = doc_take_along_axis!()]
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If a named axis has different sizes on the two sides.
    /// ```
    /// // The loss of a classifier: the logarithm of the probability of each target.
    /// let logits = tensor![[2.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// let targets = tensor![0, 2].unsqueeze::<-1>();
    /// let losses = -logits.log_softmax::<-1>().take_along_axis::<-1, _>(&targets)?;
    /// assert!(losses.mean().item() < 0.5);
    ///
    /// let order = logits.argsort::<-1>();
    /// assert_eq!(logits.take_along_axis::<-1, _>(&order)?, logits.sort::<-1>());
    /// ```
    #[doc(alias("gather", "gather_elements"))]
    #[usage(x.take_along_axis::<-1, _>(&indices))]
    pub fn take_along_axis<const AXIS: isize, X>(
        &self,
        indices: X,
    ) -> Result<Tensor<Indexed<S, AXIS, X::Shape>, T>, IndexError>
    where
        X: IndexTensor,
        X::Shape: IndicesAlong<S, AXIS>,
    {
        let (result, _) = unwrap_or_panic(indices.read().shape.along(self.axes));
        let axis = <X::Shape as IndicesAlong<S, AXIS>>::INDEX as isize;
        let taken = self.erased().take_along_axis(axis, &indices.read().erased());
        Ok(Tensor::with_shape(result, index_result(taken)?))
    }
}

/// # Indices
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_one_hot!()]
    /// `Depth` is a static size, such as `dim!(10)`; `O` is the element type of the result.
    /// Errors: The first index that is out of range; negative ones count from the end, as in ONNX.
    /// ```
    /// let digits = tensor![1, 0, -1];
    /// let one_hot = digits.one_hot::<dim!(3), f32>()?;
    /// assert_eq!(one_hot, tensor![[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    ///
    /// // 1 at the largest element of each row.
    /// let x = tensor![[0.5, 2.0], [3.0, 1.0]];
    /// assert_eq!(x.argmax_axis::<-1>().one_hot::<dim!(2), i32>()?, tensor![[0, 1], [1, 0]]);
    /// ```
    #[usage(x.one_hot::<dim!(10), f32>())]
    pub fn one_hot<Depth: Axis, O: Element>(&self) -> Result<Tensor<(S, Depth), O>, IndexError>
    where
        ((), Depth): StaticShape,
        T: Integer,
    {
        self.one_hot_shaped(<((), Depth)>::VALUE.1)
    }

    /// [`one_hot`](Tensor::one_hot) with a run-time number of classes: `[..s] → [..s, depth]`.
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If the result has more than `isize::MAX` bytes, or would have a named axis twice with two sizes.
    /// ```
    /// axis!(Classes);
    /// let one_hot: Tensor<shape![2, Classes], bool> = tensor![1, 0].one_hot_shaped(Classes(2))?;
    /// assert_eq!(one_hot.to_vec(), [false, true, true, false]);
    /// ```
    pub fn one_hot_shaped<Depth: Axis, O: Element>(
        &self,
        depth: Depth,
    ) -> Result<Tensor<(S, Depth), O>, IndexError>
    where
        T: Integer,
    {
        let shape = (self.axes, depth);
        new_len::<_, O>(shape);
        Ok(Tensor::with_shape(shape, index_result(self.erased().one_hot(depth.size()))?))
    }
}
