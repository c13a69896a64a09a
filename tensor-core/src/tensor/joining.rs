//! Concatenation, stacking, padding and repetition of tensors, and diagonals.
//!
//! [`joins`](crate::joins) has the shape types, `DynTensor` the operations.

use crate::shape::axis_index::{HasAxis, ReplaceAxis, Unsqueeze};
use crate::shape::join::{
    AfterAxis, ConcatRhs, ConcatenatedRhs, CountTable, CountedSize, DiagEmbedded, PadBy, Padded,
    RepeatAxis, SizeOf, Stacked, TileBy, Tiled, Trace,
};
use crate::shape::matmul_shape::{Outer, OuterOutput};
use crate::shape::results::{Kept, Repeated, Unsqueezed, WithAxis};
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::{result_shape, unwrap_or_panic};
use tensor_array::array::dynamic::DynTensor;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Number};
use tensor_kernels::ops::Padding;

/// # Joining
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_concat!()]
    /// The sizes of the axis are static; [`concat_all`](Tensor::concat_all) takes run-time sizes, and
    /// [`concat_array`](Tensor::concat_array) many tensors of one shape.
    /// Panics: If the tensors give another named axis different sizes, or if the result exceeds `isize::MAX`
    /// bytes.
    /// ```
    /// let (a, b) = (tensor![[1, 2], [3, 4]], tensor![[5], [6]]);
    /// assert_eq!(a.concat::<1, _>(&b), tensor![[1, 2, 5], [3, 4, 6]]);
    /// ```
    #[doc(alias("concatenate", "cat", "hstack", "vstack"))]
    #[usage(x.concat::<0, _>(&y))]
    pub fn concat<const AXIS: isize, R>(
        &self,
        other: &Tensor<R, T>,
    ) -> Tensor<ConcatenatedRhs<S, AXIS, AfterAxis<S, AXIS, R>>, T>
    where
        R: Shape,
        S: HasAxis<AXIS>,
        AfterAxis<S, AXIS, R>: ConcatRhs<S, AXIS>,
    {
        let shape = result_shape!(
            ConcatenatedRhs<S, AXIS, R>,
            <R as ConcatRhs<S, AXIS>>::concat_shape,
            (self.axes, other.axes)
        );
        let joined = self.erased().concat(&other.erased(), R::INDEX as isize);
        Tensor::with_result(shape, joined)
    }

    #[doc = doc_concat_all!()]
    /// The axis becomes `Joined`: a named axis, declared by [`axis!`](crate::axis!), whose size is the sum, or a
    /// static size, which must equal the sum.
    /// Panics: If there is no tensor, if the tensors give another named axis different sizes, if `Joined` is
    /// static and not the sum, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// use tensor_core::{Tensor, axis, shape, tensor};
    ///
    /// axis!(Batch);
    /// axis!(Rows);
    /// let batch = |rows| Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(rows), 2]);
    /// let all = Tensor::concat_all::<0, Rows>(&[batch(3), batch(4)]);
    /// assert_eq!(all.shape(), shape![Rows(7), 2]);
    /// ```
    #[doc(alias("concatenate", "cat"))]
    #[usage(Tensor::concat_all::<0, Rows>(&tensors))]
    pub fn concat_all<'a, const AXIS: isize, Joined>(
        tensors: impl IntoIterator<Item = &'a Self>,
    ) -> Tensor<WithAxis<S, AXIS, Joined>, T>
    where
        S: ReplaceAxis<AXIS, Joined>,
    {
        const { <S as ReplaceAxis<AXIS, Joined>>::KEEPS_LAYOUT };
        concatenated(tensors.into_iter(), <S as HasAxis<AXIS>>::INDEX)
    }

    /// Concatenates `N` tensors of one shape along axis `AXIS`: `N · [..a, m, ..b] → [..a, m · N, ..b]`.
    /// Panics: If the tensors give a named axis different sizes, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let (a, b, c) = (tensor![1, 2], tensor![3, 4], tensor![5, 6]);
    /// assert_eq!(Tensor::concat_array::<0, _>([&a, &b, &c]), tensor![1, 2, 3, 4, 5, 6]);
    /// ```
    #[doc(alias("concatenate", "cat"))]
    #[usage(Tensor::concat_array::<0, _>([&x, &y]))]
    pub fn concat_array<const AXIS: isize, const N: usize>(
        tensors: [&Self; N],
    ) -> Tensor<Repeated<S, AXIS, N>, T>
    where
        S: RepeatAxis<AXIS, N>,
    {
        const { assert!(N > 0, "`concat` of no tensors") };
        let axis = <S as HasAxis<AXIS>>::INDEX;
        concatenated(tensors.into_iter(), axis)
    }

    #[doc = doc_stack!()]
    /// Panics: If the tensors give a named axis different sizes, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let (a, b, c) = (tensor![1, 2], tensor![3, 4], tensor![5, 6]);
    /// assert_eq!(Tensor::stack::<0, _>([&a, &b, &c]), tensor![[1, 2], [3, 4], [5, 6]]);
    /// assert_eq!(Tensor::stack::<-1, _>([&a, &b, &c]), tensor![[1, 3, 5], [2, 4, 6]]);
    /// ```
    #[usage(Tensor::stack::<0, _>([&x, &y]))]
    pub fn stack<const AXIS: isize, const N: usize>(
        tensors: [&Self; N],
    ) -> Tensor<Stacked<S, AXIS, SizeOf<N>>, T>
    where
        CountTable: CountedSize<N>,
        Unsqueezed<S, AXIS>: ReplaceAxis<AXIS, SizeOf<N>>,
        S: Unsqueeze<AXIS>,
    {
        const { assert!(N > 0, "`stack` of no tensors") };
        stacked(tensors.into_iter(), <S as Unsqueeze<AXIS>>::INDEX)
    }

    /// Stacks tensors along a new axis `Stack`, which is axis `AXIS` of the result:
    /// `[..a, ..b] … → [..a, stack, ..b]`.
    ///
    /// `Stack` is a named axis, declared by [`axis!`](crate::axis!), whose size is the number of
    /// tensors, or a static size, which must equal that number.
    /// Panics: If there is no tensor, if the tensors give a named axis different sizes, if `Stack` is static and
    /// not their number, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// axis!(Batch);
    /// let images = vec![tensor![1, 2], tensor![3, 4], tensor![5, 6]];
    /// let batch = Tensor::stack_all::<0, Batch>(&images);
    /// assert_eq!(batch.shape(), shape![Batch(3), 2]);
    /// ```
    #[usage(Tensor::stack_all::<0, Batch>(&tensors))]
    pub fn stack_all<'a, const AXIS: isize, Stack>(
        tensors: impl IntoIterator<Item = &'a Self>,
    ) -> Tensor<Stacked<S, AXIS, Stack>, T>
    where
        Unsqueezed<S, AXIS>: ReplaceAxis<AXIS, Stack>,
        S: Unsqueeze<AXIS>,
    {
        stacked(tensors.into_iter(), <S as Unsqueeze<AXIS>>::INDEX)
    }

    #[doc = doc_meshgrid!()]
    /// Panics: If the grid has more than `isize::MAX` elements, or if a name would have two sizes.
    /// ```
    /// let (rows, columns) = tensor![1, 2].meshgrid(&tensor![3, 4, 5]);
    /// assert_eq!(rows, tensor![[1, 1, 1], [2, 2, 2]]);
    /// assert_eq!(columns, tensor![[3, 4, 5], [3, 4, 5]]);
    /// ```
    pub fn meshgrid<R>(&self, other: &Tensor<R, T>) -> Grids<OuterOutput<S, R>, T>
    where
        R: Shape,
        S: Outer<R>,
    {
        let shape = result_shape!(
            OuterOutput<S, R>,
            <S as Outer<R>>::product_shape,
            (self.axes, other.axes)
        );
        let (rows, columns) = unwrap_or_panic(self.erased().meshgrid(&other.erased()));
        (Tensor::with_shape(shape, rows), Tensor::with_shape(shape, columns))
    }

    #[doc = doc_meshgrid_xy!()]
    /// Panics: As [`meshgrid`](Tensor::meshgrid).
    /// ```
    /// let (x, y) = tensor![1, 2].meshgrid_xy(&tensor![3, 4, 5]);
    /// assert_eq!(x, tensor![[1, 2], [1, 2], [1, 2]]);
    /// assert_eq!(y, tensor![[3, 3], [4, 4], [5, 5]]);
    /// ```
    pub fn meshgrid_xy<R>(&self, other: &Tensor<R, T>) -> Grids<OuterOutput<R, S>, T>
    where
        R: Outer<S>,
    {
        let (y, x) = other.meshgrid(self);
        (x, y)
    }
}

/// The two coordinates of the points of a grid.
type Grids<S, T> = (Tensor<S, T>, Tensor<S, T>);

/// Concatenates tensors along the axis with this index.
#[track_caller]
fn concatenated<'a, S: Shape, T: Element, R: Shape>(
    tensors: impl Iterator<Item = &'a Tensor<S, T>>,
    axis: usize,
) -> Tensor<R, T> {
    let parts: Vec<DynTensor<T>> = tensors.map(Tensor::erased).collect();
    Tensor::from_erased(DynTensor::concat_all(&parts, axis as isize))
}

/// Stacks tensors along a new axis, which has this index in the result.
#[track_caller]
fn stacked<'a, S: Shape, T: Element, R: Shape>(
    tensors: impl Iterator<Item = &'a Tensor<S, T>>,
    axis: usize,
) -> Tensor<R, T> {
    let parts: Vec<DynTensor<T>> = tensors.map(Tensor::erased).collect();
    Tensor::from_erased(DynTensor::stack(&parts, axis as isize))
}

/// # Padding, repeating and moving
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// The tensor padded along its last axes, by the amounts `Before` at the start and `Behind` at the
    /// end: `[..l, m, n] → [..l, a + m + c, b + n + d]` for `Before = [a, b]` and `Behind = [c, d]`.
    ///
    /// The axes before those may be named, or any leading axes. Padding that mirrors continues to mirror
    /// where it is longer than the axis, as in NumPy.
    /// Panics: If an axis of size 0 has no element to pad with, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// let padded = x.pad::<shape![0, 1], shape![1, 0]>(Padding::Constant(0));
    /// assert_eq!(padded, tensor![[0, 1, 2], [0, 3, 4], [0, 0, 0]]);
    ///
    /// let images = Tensor::<shape![32, 3, 28, 28]>::zeros();
    /// let padded = images.pad::<shape![2, 2], shape![2, 2]>(Padding::Reflect);
    /// let _: Tensor<shape![32, 3, 32, 32]> = padded;
    /// ```
    #[usage(x.pad::<shape![1, 1], shape![1, 1]>(Padding::Constant(0.0)))]
    pub fn pad<Before, Behind>(&self, padding: Padding<T>) -> Tensor<Padded<S, Before, Behind>, T>
    where
        S: PadBy<Before, Behind>,
        Before: StaticShape,
        Behind: StaticShape,
    {
        let mut amounts = vec![[0; 2]; S::RANK - Before::RANK];
        let both = Before::VALUE.sizes().into_iter().zip(Behind::VALUE.sizes());
        // Static sizes are below a billion.
        amounts.extend(both.map(|(before, behind)| [before as isize, behind as isize]));
        Tensor::from_erased(self.erased().pad(&amounts, padding))
    }

    #[doc = doc_roll!()]
    /// ```
    /// assert_eq!(tensor![1, 2, 3, 4].roll::<0>(1), tensor![4, 1, 2, 3]);
    /// assert_eq!(tensor![1, 2, 3, 4].roll::<0>(-1), tensor![2, 3, 4, 1]);
    /// ```
    #[usage(x.roll::<0>(1))]
    pub fn roll<const AXIS: isize>(&self, shift: isize) -> Tensor<Kept<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
    {
        let rolled = self.erased().roll(<S as HasAxis<AXIS>>::INDEX as isize, shift);
        Tensor::with_result(self.axes, rolled)
    }

    #[doc = doc_repeat!()]
    /// Panics: If the result exceeds `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![1, 2].repeat::<0, 3>(), tensor![1, 1, 1, 2, 2, 2]);
    /// assert_eq!(tensor![[1, 2]].repeat::<0, 2>(), tensor![[1, 2], [1, 2]]);
    /// ```
    #[doc(alias = "repeat_interleave")]
    #[usage(x.repeat::<0, 2>())]
    pub fn repeat<const AXIS: isize, const N: usize>(&self) -> Tensor<Repeated<S, AXIS, N>, T>
    where
        S: RepeatAxis<AXIS, N>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        Tensor::from_erased(self.erased().repeat(axis, N))
    }

    #[doc = doc_repeat_each!()]
    /// The axis becomes `Repeats`: a named axis, declared by [`axis!`](crate::axis!), or a static size, which must
    /// equal the sum.
    /// Panics: If there is not one count for each index, if `Repeats` is static and not the sum, or if the result
    /// exceeds `isize::MAX` bytes.
    /// ```
    /// axis!(Drawn);
    /// let x = tensor![1, 2, 3].repeat_each::<0, Drawn>(&[2, 0, 1]);
    /// assert_eq!(x.shape(), shape![Drawn(3)]);
    /// assert_eq!(x.to_vec(), [1, 1, 3]);
    /// ```
    #[doc(alias = "repeat_interleave")]
    #[usage(x.repeat_each::<0, Rows>(&counts))]
    pub fn repeat_each<const AXIS: isize, Repeats>(
        &self,
        counts: &[usize],
    ) -> Tensor<WithAxis<S, AXIS, Repeats>, T>
    where
        S: ReplaceAxis<AXIS, Repeats>,
    {
        const { <S as ReplaceAxis<AXIS, Repeats>>::KEEPS_LAYOUT };
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        Tensor::from_erased(self.erased().repeat_each(axis, counts))
    }

    #[doc = doc_tile!()]
    /// Panics: If the result exceeds `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![1, 2].tile::<shape![2]>(), tensor![1, 2, 1, 2]);
    /// assert_eq!(tensor![1, 2].tile::<shape![2, 1]>(), tensor![[1, 2], [1, 2]]);
    /// ```
    #[usage(x.tile::<shape![2, 2]>())]
    pub fn tile<Counts>(&self) -> Tensor<Tiled<S, Counts>, T>
    where
        S: TileBy<Counts>,
        Counts: StaticShape,
    {
        Tensor::from_erased(self.erased().tile(&Counts::VALUE.sizes()))
    }

    #[doc = doc_tril!()]
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.tril(0), tensor![[1, 0], [3, 4]]);
    ///
    /// let causal = Tensor::<shape![3, 3], bool>::ones().tril(0);
    /// assert_eq!(causal[[0, 1]], false);
    /// ```
    pub fn tril(&self, diagonal: isize) -> Self
    where
        S: HasAxis<-2>,
    {
        Tensor::with_result(self.axes, self.erased().tril(diagonal))
    }

    #[doc = doc_tril_or!()]
    /// ```
    /// // Scores of causal attention.
    /// let scores = tensor![[0.5, 0.25], [0.5, 0.75]].tril_or(0, f32::NEG_INFINITY);
    /// assert_eq!(scores.softmax::<-1>()[[0, 0]], 1.0);
    /// ```
    pub fn tril_or(&self, diagonal: isize, fill: T) -> Self
    where
        S: HasAxis<-2>,
    {
        Tensor::with_result(self.axes, self.erased().tril_or(diagonal, fill))
    }

    #[doc = doc_triu!()]
    /// ```
    /// assert_eq!(tensor![[1, 2], [3, 4]].triu(0), tensor![[1, 2], [0, 4]]);
    /// assert_eq!(tensor![[1, 2], [3, 4]].triu(1), tensor![[0, 2], [0, 0]]);
    /// ```
    pub fn triu(&self, diagonal: isize) -> Self
    where
        S: HasAxis<-2>,
    {
        Tensor::with_result(self.axes, self.erased().triu(diagonal))
    }

    #[doc = doc_diag_embed!()]
    /// Panics: If the result exceeds `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![1, 2].diag_embed(), tensor![[1, 0], [0, 2]]);
    /// ```
    #[doc(alias("diag", "diagflat"))]
    pub fn diag_embed(&self) -> Tensor<DiagEmbedded<S>, T>
    where
        S: HasAxis<-1>,
    {
        let shape = (self.axes, self.axes.axis());
        Tensor::with_result(shape, self.erased().diag_embed())
    }

    #[doc = doc_trace!()]
    /// ```
    /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].trace().item(), 6);
    /// ```
    pub fn trace<Target: Shape>(&self) -> Tensor<Target, T>
    where
        T: Number,
        S: Trace<Traced = Target>,
    {
        Tensor::with_result(self.axes.without_matrix(), self.erased().trace())
    }
}
