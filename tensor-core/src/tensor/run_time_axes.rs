//! Axes whose sizes are known at run time: renaming, merging and splitting them, and sums back to the
//! shape before a broadcast.
//!
//! [`run_time_axes`](crate::run_time_axes) has the shape types.

use crate::shape::axis::{Axis, StaticAxis, check_layout, layouts};
use crate::shape::axis_index::{HasAxis, ReplaceAxis};
use crate::shape::broadcast::ExpandedFrom;
use crate::shape::error::ShapeError;
use crate::shape::results::WithAxis;
use crate::shape::run_time::{MergeAxes, Merged, Split, SplitAxis, infer_sizes};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use core::any::TypeId;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Number};
use tensor_kernels::layout::checked_num_elements;
use tensor_kernels::ops::Padding;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The same elements in a shape with these sizes.
    ///
    /// # Panics
    ///
    /// If the shape cannot have them.
    #[track_caller]
    fn reshaped_to_sizes<Target: Shape>(
        &self,
        sizes: Result<Sizes, ShapeError>,
    ) -> Tensor<Target, T> {
        let shape = unwrap_or_panic(sizes.and_then(|sizes| Target::from_sizes(&sizes)));
        self.reshape_shaped(shape)
    }

    /// The sizes of the axes `Parts`, which have `elements` elements.
    ///
    /// # Errors
    ///
    /// If they do not follow from those of this tensor.
    fn infer<Parts: Shape>(&self, elements: usize) -> Result<Sizes, ShapeError> {
        infer_sizes(&Parts::axis_facts(), &|axis: TypeId| self.axes.run_time_size(axis), elements)
    }
}

/// # Run-time axes
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_reshape_infer!()]
    /// A named axis that the tensor has keeps its size; the size of the one that it lacks is inferred.
    /// Panics: If `Target` has more than one named axis that the tensor has not, or if no size gives it all
    /// elements.
    /// ```
    /// axis!(Batch);
    /// axis!(Seq);
    /// axis!(Tokens);
    /// let x = Tensor::<shape![Batch, Seq, 6]>::zeros_shaped(shape![Batch(2), Seq(5), 6]);
    /// let tokens = x.reshape_infer::<shape![Tokens, 6]>();
    /// assert_eq!(tokens.shape(), shape![Tokens(10), 6]);
    /// let heads = x.reshape_infer::<shape![Batch, Seq, 2, 3]>();
    /// assert_eq!(heads.shape(), shape![Batch(2), Seq(5), 2, 3]);
    /// ```
    #[doc(alias = "view")]
    #[usage(x.reshape_infer::<shape![Rows, 3]>())]
    pub fn reshape_infer<Target>(&self) -> Tensor<Target, T>
    where
        Target: Shape<Checked: Sized>,
    {
        self.reshaped_to_sizes(self.infer::<Target>(self.len()))
    }

    /// Renames axis `AXIS`, `[..l, m, ..r] → [..l, n, ..r]`: `Points` becomes `Train`. Without a
    /// copy.
    ///
    /// `Name` is an axis declared by [`axis!`](crate::axis!), or a static size, which is then checked.
    /// Panics: If `Name` is static and has another size, or is already in the shape with another one.
    /// ```
    /// axis!(Points);
    /// axis!(Train);
    /// let points = Tensor::<shape![Points, 2]>::zeros_shaped(shape![Points(5), 2]);
    /// let train = points.rename_axis::<0, Train>();
    /// assert_eq!(train.shape(), shape![Train(5), 2]);
    /// ```
    ///
    /// If both sizes are static, they are compared when the program is built:
    /// ```compile_fail,E0080
    /// use tensor_core::{Tensor, axis, shape};
    ///
    /// axis!(Hidden = 1024);
    /// let _ = Tensor::<shape![2, 768]>::zeros().rename_axis::<1, Hidden>();
    /// ```
    ///
    /// An axis type can state the order of its elements, [`Axis::LAYOUT`](crate::Axis::LAYOUT), as those of fused queries,
    /// keys and values in tensor-nn do. `rename_axis` states a layout, and neither changes nor removes one.
    #[doc(alias = "refine_names")]
    #[usage(x.rename_axis::<0, Train>())]
    pub fn rename_axis<const AXIS: isize, Name>(&self) -> Tensor<WithAxis<S, AXIS, Name>, T>
    where
        S: ReplaceAxis<AXIS, Name>,
        Name: Axis,
    {
        const {
            // Static sizes are compared at compile time.
            if let (Some(old), Some(new)) = (<S as HasAxis<AXIS>>::Axis::SIZE, Name::SIZE) {
                assert!(old == new, "`rename_axis` keeps the size of the axis");
            }
            let (old, new) = (<S as HasAxis<AXIS>>::Axis::LAYOUT, Name::LAYOUT);
            assert!(
                old == 0 || old == new,
                "`rename_axis` keeps the layout that the axis states: another one needs a conversion, such as `Halves::of`"
            );
        }
        let size = HasAxis::<AXIS>::axis(self.axes).size();
        let renamed = Name::from_size(size).ok_or(ShapeError::Renamed {
            axis: <S as HasAxis<AXIS>>::INDEX,
            size,
            expected: Name::SIZE.unwrap_or_default(),
        });
        let shape = unwrap_or_panic(renamed.and_then(|axis| self.axes.replace_axis(axis)));
        Tensor { axes: shape, layout: self.layout.clone(), storage: self.storage.clone() }
    }

    /// The tensor with axes `START` to `END`, both included, merged into the axis `Name`:
    /// `[..a, m, n, ..b] → [..a, m · n, ..b]`, such as `[Batch, Seq, 512] → [Tokens, 512]`. Copies where
    /// [`reshape`](Tensor::reshape) does.
    ///
    /// [`flatten_axes`](Tensor::flatten_axes) merges axes of static sizes, whose product is static.
    /// Panics: If `Name` is static and has another size, or is already in the shape with another one.
    /// ```
    /// axis!(Batch);
    /// axis!(Seq);
    /// axis!(Tokens);
    /// let x = Tensor::<shape![Batch, Seq, 8]>::zeros_shaped(shape![Batch(2), Seq(5), 8]);
    /// assert_eq!(x.flatten_axes_as::<0, 1, Tokens>().shape(), shape![Tokens(10), 8]);
    /// ```
    #[usage(x.flatten_axes_as::<0, 1, Tokens>())]
    pub fn flatten_axes_as<const START: isize, const END: isize, Name>(
        &self,
    ) -> Tensor<Merged<S, START, END, Name>, T>
    where
        S: MergeAxes<START, END, Name>,
    {
        const { <S as MergeAxes<START, END, Name>>::KEEPS_LAYOUT };
        let [start, end] = <S as MergeAxes<START, END, Name>>::RANGE;
        let mut sizes = self.axes.sizes();
        let merged = checked_num_elements(&sizes[start..=end]);
        let too_large = || ShapeError::TooLarge { sizes: sizes[start..=end].to_vec() };
        let merged = merged.ok_or_else(too_large);
        self.reshaped_to_sizes(merged.map(|merged| {
            sizes.drain(start..=end);
            sizes.insert(start, merged);
            sizes
        }))
    }

    /// Splits axis `AXIS` into the axes of `Parts`, of which one size is inferred:
    /// `[..a, n, ..b] → [..a, ..s, ..b]`, such as `[Tokens, 512] → [Batch, 16, 512]`. Without a copy.
    ///
    /// A named axis that the tensor has keeps its size; the size of the one that it lacks is inferred
    /// from that of the axis.
    /// Panics: If `Parts` has more than one named axis that the tensor has not, or if no size gives it all
    /// elements.
    /// ```
    /// axis!(Tokens);
    /// axis!(Batch);
    /// let x = Tensor::<shape![Tokens, 8]>::zeros_shaped(shape![Tokens(10), 8]);
    /// let batch = x.unflatten_as::<0, shape![Batch, 5]>();
    /// assert_eq!(batch.shape(), shape![Batch(2), 5, 8]);
    /// ```
    #[usage(x.unflatten_as::<0, shape![Batch, 16]>())]
    pub fn unflatten_as<const AXIS: isize, Parts>(&self) -> Tensor<Split<S, AXIS, Parts>, T>
    where
        Parts: Shape,
        S: SplitAxis<AXIS, Parts>,
    {
        const { check_layout(layouts::<<S as HasAxis<AXIS>>::Axis>(), Parts::LAST_LAYOUT) };
        let size = HasAxis::<AXIS>::axis(self.axes).size();
        let parts = self.infer::<Parts>(size);
        self.reshaped_to_sizes(parts.map(|parts| self.split_sizes(S::INDEX, &parts)))
    }

    /// [`unflatten_as`](Tensor::unflatten_as) with all sizes given: `[..a, n, ..b] → [..a, ..s, ..b]`.
    /// Panics: If the numbers of elements differ.
    /// ```
    /// axis!(Tokens);
    /// axis!(Batch);
    /// axis!(Seq);
    /// let x = Tensor::<shape![Tokens, 8]>::zeros_shaped(shape![Tokens(10), 8]);
    /// let batch = x.unflatten_shaped::<0, _>(shape![Batch(2), Seq(5)]);
    /// assert_eq!(batch.shape(), shape![Batch(2), Seq(5), 8]);
    /// ```
    #[usage(x.unflatten_shaped::<0, _>(shape![Batch(2), Seq(5)]))]
    pub fn unflatten_shaped<const AXIS: isize, Parts>(
        &self,
        parts: Parts,
    ) -> Tensor<Split<S, AXIS, Parts>, T>
    where
        Parts: Shape,
        S: SplitAxis<AXIS, Parts>,
    {
        const { check_layout(layouts::<<S as HasAxis<AXIS>>::Axis>(), Parts::LAST_LAYOUT) };
        let (expected, found) = (parts.num_elements(), HasAxis::<AXIS>::axis(self.axes).size());
        let sizes = parts.sizes();
        if expected != found {
            unwrap_or_panic(Err(ShapeError::Length { expected, found, sizes: sizes.to_vec() }))
        }
        self.reshaped_to_sizes(Ok(self.split_sizes(S::INDEX, &sizes)))
    }

    fn split_sizes(&self, axis: usize, parts: &[usize]) -> Sizes {
        let mut sizes = self.axes.sizes();
        sizes.remove(axis);
        sizes.insert_from_slice(axis, parts);
        sizes
    }

    /// The tensor padded along axis `AXIS` at the start and at the end, which becomes the axis `Name`:
    /// `[..a, m, ..b] → [..a, before + m + behind, ..b]`. A negative amount removes elements.
    ///
    /// [`pad`](Tensor::pad) takes the amounts as types, and pads several axes.
    /// Panics: If `Name` is static and has another size, or is already in the shape with another one; if more
    /// elements are taken off than there are, if an axis of size 0 has no element to pad with, or if the result
    /// exceeds `isize::MAX` bytes.
    /// ```
    /// axis!(Seq);
    /// axis!(Padded);
    /// let x = Tensor::<shape![Seq, 2]>::ones_shaped(shape![Seq(3), 2]);
    /// let y = x.pad_as::<0, Padded>([0, 5], Padding::Constant(0.0));
    /// assert_eq!(y.shape(), shape![Padded(8), 2]);
    /// assert_eq!(y.sum().item(), 6.0);
    /// ```
    #[usage(x.pad_as::<0, Padded>([0, 5], Padding::Constant(0.0)))]
    pub fn pad_as<const AXIS: isize, Name>(
        &self,
        amounts: [isize; 2],
        padding: Padding<T>,
    ) -> Tensor<WithAxis<S, AXIS, Name>, T>
    where
        S: ReplaceAxis<AXIS, Name>,
    {
        const { <S as ReplaceAxis<AXIS, Name>>::KEEPS_LAYOUT };
        let mut all = vec![[0; 2]; S::RANK];
        all[<S as HasAxis<AXIS>>::INDEX] = amounts;
        Tensor::from_erased(self.erased().pad(&all, padding))
    }

    /// Repeats each index along axis `AXIS` `count` times in a row; the axis becomes the axis `Name`:
    /// `[..a, m, ..b] → [..a, m · count, ..b]`.
    ///
    /// [`repeat`](Tensor::repeat) takes the count as a type, [`repeat_each`](Tensor::repeat_each) one
    /// count for each index.
    /// Panics: If `Name` is static and has another size, or is already in the shape with another one; if the
    /// result exceeds `isize::MAX` bytes.
    /// ```
    /// axis!(Frames);
    /// let frames = tensor![1, 2].repeat_as::<0, Frames>(2);
    /// assert_eq!(frames.shape(), shape![Frames(4)]);
    /// assert_eq!(frames.to_vec(), [1, 1, 2, 2]);
    /// ```
    #[doc(alias = "repeat_interleave")]
    #[usage(x.repeat_as::<0, Frames>(count))]
    pub fn repeat_as<const AXIS: isize, Name>(
        &self,
        count: usize,
    ) -> Tensor<WithAxis<S, AXIS, Name>, T>
    where
        S: ReplaceAxis<AXIS, Name>,
    {
        const { <S as ReplaceAxis<AXIS, Name>>::KEEPS_LAYOUT };
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        Tensor::from_erased(self.erased().repeat(axis, count))
    }

    /// Repeats the whole tensor `count` times along axis `AXIS`, which becomes the axis `Name`:
    /// `[..a, m, ..b] → [..a, m · count, ..b]`.
    ///
    /// [`tile`](Tensor::tile) takes the counts as types, for several axes.
    /// Panics: If `Name` is static and has another size, or is already in the shape with another one; if the
    /// result exceeds `isize::MAX` bytes.
    /// ```
    /// axis!(Frames);
    /// let frames = tensor![1, 2].tile_as::<0, Frames>(2);
    /// assert_eq!(frames.shape(), shape![Frames(4)]);
    /// assert_eq!(frames.to_vec(), [1, 2, 1, 2]);
    /// ```
    #[usage(x.tile_as::<0, Frames>(count))]
    pub fn tile_as<const AXIS: isize, Name>(
        &self,
        count: usize,
    ) -> Tensor<WithAxis<S, AXIS, Name>, T>
    where
        S: ReplaceAxis<AXIS, Name>,
    {
        const { <S as ReplaceAxis<AXIS, Name>>::KEEPS_LAYOUT };
        let mut counts = vec![1; S::RANK];
        counts[<S as HasAxis<AXIS>>::INDEX] = count;
        Tensor::from_erased(self.erased().tile(&counts))
    }

    /// The difference between each element and the one before it along axis `AXIS`, which becomes the
    /// axis `Name`: `[..a, n, ..b] → [..a, n - 1, ..b]`. Integers wrap around.
    ///
    /// [`diff`](Tensor::diff) computes the size as a type.
    /// Panics: If the axis has size 0; if `Name` is static and has another size, or is already in the shape with
    /// another one.
    /// ```
    /// axis!(Days);
    /// axis!(Changes);
    /// let prices = Tensor::<shape![Days]>::ones_shaped(shape![Days(5)]);
    /// let changes = prices.diff_as::<0, Changes>();
    /// assert_eq!(changes.shape(), shape![Changes(4)]);
    /// ```
    #[doc(alias = "differences")]
    #[usage(x.diff_as::<0, Changes>())]
    pub fn diff_as<const AXIS: isize, Name>(&self) -> Tensor<WithAxis<S, AXIS, Name>, T>
    where
        S: ReplaceAxis<AXIS, Name>,
        T: Number,
    {
        const { <S as ReplaceAxis<AXIS, Name>>::KEEPS_LAYOUT };
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        Tensor::from_erased(self.erased().diff(axis))
    }

    /// Windows of `W` elements along axis `AXIS`, each `step` elements after the one before: the axis counts the windows
    /// and becomes the axis `Name`, and the new last axis holds the elements of a window,
    /// `[..a, m, ..b] → [..a, (m - w) / step + 1, ..b, w]`. Without a copy.
    ///
    /// [`windows`](Tensor::windows) computes the number of windows as a type, in steps of 1.
    /// Panics: If there are fewer elements than a window has, or if the step is 0; if `Name` is static and has
    /// another size, or is already in the shape with another one.
    /// ```
    /// axis!(Samples);
    /// axis!(Frames);
    /// let sound = Tensor::<shape![Samples]>::arange_shaped(shape![Samples(7)]);
    /// let frames = sound.windows_as::<0, Frames, dim!(3)>(2);
    /// assert_eq!(frames.shape(), shape![Frames(3), 3]);
    /// assert_eq!(frames.to_vec(), [0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0]);
    /// ```
    #[doc(alias = "unfold")]
    #[usage(x.windows_as::<-1, Frames, dim!(400)>(160))]
    pub fn windows_as<const AXIS: isize, Name, W>(
        &self,
        step: usize,
    ) -> Tensor<(WithAxis<S, AXIS, Name>, W), T>
    where
        S: ReplaceAxis<AXIS, Name>,
        W: StaticAxis,
    {
        const { <S as ReplaceAxis<AXIS, Name>>::KEEPS_LAYOUT };
        const { check_layout(layouts::<<S as HasAxis<AXIS>>::Axis>(), layouts::<W>()) };
        let axis = <S as HasAxis<AXIS>>::INDEX as isize;
        let step = isize::try_from(step).unwrap_or(isize::MAX);
        let windows = self.erased().windows(axis, W::VALUE.size());
        Tensor::from_erased(windows.and_then(|all| all.slice_axis_step(axis, 0, None, step)))
    }

    #[doc = doc_sum_to!()]
    /// The gradient of an operand that was broadcast is the gradient of the result, summed to the shape of
    /// the operand.
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.sum_to::<shape![3]>(), tensor![5, 7, 9]);
    /// assert_eq!(x.sum_to::<shape![2, 1]>(), tensor![[6], [15]]);
    /// assert_eq!(x.sum_to::<shape![]>().item(), 21);
    /// ```
    #[doc(alias = "sum_to_size")]
    #[usage(x.sum_to::<shape![3]>())]
    pub fn sum_to<Target>(&self) -> Tensor<Target, T>
    where
        S: ExpandedFrom<Target>,
        Target: Shape,
        T: Number,
    {
        let sizes = self.axes.sizes();
        let behind = &sizes[S::RANK - Target::RANK..];
        let sizes = Target::axis_facts()
            .into_iter()
            .zip(behind)
            .map(|(axis, &size)| axis.size.unwrap_or(size));
        let sizes: Sizes = sizes.collect();
        Tensor::from_erased(self.erased().sum_to(&sizes))
    }
}
