//! Views: the same elements in another shape, without a copy unless the method's documentation states one.
//!
//! [`views`](crate::views) has the shape types, [`DynTensor`](crate::DynTensor) the strides.
//!
//! If only the shape matters, the result of a method is a parameter `Target`, not `S::Output`: for a
//! shape without that output, rustc would report a missing method (E0599) and hide the message of the
//! trait.

use super::construct::new_len;
use crate::shape::align::{AlignTo, AlignedTo};
use crate::shape::broadcast::{Expand, Expanded, ExpandedFrom};
use crate::shape::error::ShapeError;
use crate::shape::reshape::{FlattenAll, FlattenAxes, Reshape, Reshaped, Unflatten};
use crate::shape::results::{FlattenedAxes, Squeezed, Unflattened, Unsqueezed};
use crate::shape::views::{Permute, Permuted, Squeeze, Transpose, Unsqueeze};
use crate::shape::{AxisFacts, Shape, Sizes, StaticShape};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use smallvec::SmallVec;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;
use tensor_kernels::layout::checked_num_elements;

/// The sizes of `axes` in the order of `target`, where a missing axis has size 1, and the index of each that is
/// not missing.
fn aligned(
    axes: &[AxisFacts],
    target: &[AxisFacts],
    sizes: &[usize],
) -> (Sizes, SmallVec<[isize; 6]>) {
    let index = |wanted: &AxisFacts| axes.iter().position(|axis| axis.id == wanted.id);
    let size = |wanted| index(wanted).map_or(1, |axis| sizes[axis]);
    let order = target.iter().filter_map(index).map(|axis| axis as isize);
    (target.iter().map(size).collect(), order.collect())
}

/// # Views
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_expand!()]
    /// Element-wise operations broadcast their operands automatically.
    /// ```
    /// let row = tensor![1, 2, 3];
    /// assert_eq!(row.expand::<shape![2, 3]>(), tensor![[1, 2, 3], [1, 2, 3]]);
    /// let column = tensor![[1], [2]];
    /// assert_eq!(column.expand::<shape![2, 3]>(), tensor![[1, 1, 1], [2, 2, 2]]);
    /// ```
    #[doc(alias = "broadcast_to")]
    #[usage(x.expand::<shape![2, 3]>())]
    pub fn expand<Target>(&self) -> Tensor<Expanded<S, Target>, T>
    where
        S: Expand<Target>,
    {
        // Every named axis of the target is static, so all sizes were compared at compile time.
        let shape = <S as Expand<Target>>::expanded();
        Tensor::with_result(shape, self.erased().expand(&shape.sizes()))
    }

    /// [`expand`](Tensor::expand) to a shape with run-time sizes, `[..s] → [..t]`. Without a copy.
    /// Panics: If the tensor and `shape` give the same named axis different sizes, if `shape` gives one two sizes,
    /// or if the number of elements exceeds `isize::MAX`.
    /// ```
    /// axis!(Batch);
    /// let rows = tensor![1, 2, 3].expand_shaped(shape![Batch(2), 3]);
    /// assert_eq!(rows.to_vec(), [1, 2, 3, 1, 2, 3]);
    /// ```
    pub fn expand_shaped<Target>(&self, shape: Target) -> Tensor<Target, T>
    where
        Target: ExpandedFrom<S>,
    {
        let fits = shape.holds(self.axes);
        unwrap_or_panic(fits.map_err(|mismatch| mismatch.in_rank(Target::RANK)));
        unwrap_or_panic(shape.with_one_size_each());
        Tensor::with_result(shape, self.erased().expand(&shape.sizes()))
    }

    #[doc = doc_transpose!()]
    /// ```
    /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].transpose(), tensor![[1, 4], [2, 5], [3, 6]]);
    /// ```
    #[doc(alias("mT", "swapaxes", "t"))]
    pub fn transpose<Target: Shape>(&self) -> Tensor<Target, T>
    where
        S: Transpose<Transposed = Target>,
    {
        Tensor::with_result(self.axes.transpose(), self.erased().transpose())
    }

    #[doc = doc_permute!()]
    /// ```
    /// let channels_last = Tensor::<shape![28, 32, 3]>::zeros();
    /// let channels_first: Tensor<shape![3, 28, 32]> = channels_last.permute::<axes![-1, 0, 1]>();
    /// # let _ = channels_first;
    /// ```
    #[doc(alias = "permute_dims")]
    #[usage(x.permute::<axes![1, 0]>())]
    pub fn permute<Order>(&self) -> Tensor<Permuted<S, Order>, T>
    where
        S: Permute<Order>,
    {
        let mut order = Sizes::new();
        S::order(&mut order);
        let order: SmallVec<[isize; 6]> = order.into_iter().map(|axis| axis as isize).collect();
        Tensor::with_result(self.axes.permute(), self.erased().permute(&order))
    }

    /// The tensor with the axes of `Target`, which are found by name: `[w, c] → [1, c, 1, w]` for
    /// `shape![B, C, H, W]`. An axis that the tensor lacks has size `One`. Without a copy.
    ///
    /// Every axis of the tensor and of the target must be declared by [`axis!`](crate::axis!) and occur
    /// once: [`rename_axis`](Tensor::rename_axis) gives names, and [`squeeze`](Tensor::squeeze) removes
    /// axes of size `One`.
    /// ```
    /// axis!(Batch, Channels = 2, Height = 3, Width = 4);
    /// type Images = shape![Batch, Channels, Height, Width];
    ///
    /// let images = Tensor::<Images>::ones_shaped(shape![Batch(8), Channels, Height, Width]);
    /// let bias = Tensor::<shape![Channels]>::from_fn(|[channel]| channel as f32);
    /// let biased: Tensor<Images> = images + bias.align_to::<Images>();
    /// assert_eq!(biased[[7, 1, 2, 3]], 2.0);
    ///
    /// // PyTorch's order of axes to that of TensorFlow.
    /// type ChannelsLast = shape![Batch, Height, Width, Channels];
    /// let last: Tensor<ChannelsLast> = biased.align_to::<ChannelsLast>();
    /// assert_eq!(last[[7, 2, 3, 1]], 2.0);
    /// ```
    #[usage(x.align_to::<shape![Batch, Channels]>())]
    pub fn align_to<Target>(&self) -> Tensor<AlignedTo<S, Target>, T>
    where
        S: AlignTo<Target>,
    {
        let (sizes, order) = aligned(&S::axis_facts(), &S::target_facts(), &self.axes.sizes());
        Tensor::from_erased(self.erased().permute(&order).and_then(|x| x.reshape(&sizes)))
    }

    #[doc = doc_unsqueeze!()]
    /// ```
    /// let x = tensor![1, 2, 3];
    /// assert_eq!(x.unsqueeze::<0>(), tensor![[1, 2, 3]]);
    /// assert_eq!(x.unsqueeze::<-1>(), tensor![[1], [2], [3]]);
    /// ```
    #[doc(alias("expand_dims", "newaxis"))]
    #[usage(x.unsqueeze::<0>())]
    pub fn unsqueeze<const AXIS: isize>(&self) -> Tensor<Unsqueezed<S, AXIS>, T>
    where
        S: Unsqueeze<AXIS>,
    {
        let axis = <S as Unsqueeze<AXIS>>::INDEX as isize;
        Tensor::with_result(self.axes.unsqueeze(), self.erased().unsqueeze(axis))
    }

    #[doc = doc_squeeze!()]
    /// ```
    /// assert_eq!(tensor![[1], [2], [3]].squeeze::<-1>(), tensor![1, 2, 3]);
    /// ```
    #[usage(x.squeeze::<0>())]
    pub fn squeeze<const AXIS: isize>(&self) -> Tensor<Squeezed<S, AXIS>, T>
    where
        S: Squeeze<AXIS>,
    {
        let axis = <S as Squeeze<AXIS>>::INDEX as isize;
        Tensor::with_result(self.axes.squeeze(), self.erased().squeeze(axis))
    }
}

/// # Reshaping
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_contiguous!()]
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// let x = tensor![[1, 2], [3, 4]].transpose();
    /// assert_eq!(x.as_slice(), None);
    /// assert_eq!(x.contiguous().as_slice(), Some(&[1, 3, 2, 4][..]));
    /// ```
    #[doc(alias = "ascontiguousarray")]
    pub fn contiguous(&self) -> Self {
        Self::with_shape(self.axes, self.erased().contiguous())
    }

    #[doc = doc_reshape!()]
    /// All sizes must be static, and the compiler compares their products:
    /// [`reshape_shaped`](Tensor::reshape_shaped) takes a shape with run-time sizes,
    /// [`flatten_axes`](Tensor::flatten_axes) and [`unflatten`](Tensor::unflatten) keep other axes as they are.
    /// ```
    /// assert_eq!(tensor![1, 2, 3, 4, 5, 6].reshape::<shape![2, 3]>(), tensor![[1, 2, 3], [4, 5, 6]]);
    /// ```
    #[doc(alias = "view")]
    #[usage(x.reshape::<shape![2, 3]>())]
    pub fn reshape<Target>(&self) -> Tensor<Reshaped<S, Target>, T>
    where
        S: Reshape<Target>,
    {
        self.reshaped(Reshape::reshaped(self.axes))
    }

    /// [`reshape`](Tensor::reshape) to a shape with run-time sizes, `[..s] → [..t]`.
    /// Panics: If the numbers of elements differ.
    /// ```
    /// use tensor_core::{Shape, axis, shape, tensor};
    ///
    /// axis!(Batch);
    /// let pairs = tensor![1, 2, 3, 4, 5, 6].reshape_shaped(shape![Batch(3), 2]);
    /// assert_eq!(pairs.shape().sizes()[..], [3, 2]);
    /// assert_eq!(pairs[[2, 0]], 5);
    /// ```
    pub fn reshape_shaped<Target>(&self, shape: Target) -> Tensor<Target, T>
    where
        Target: Shape,
    {
        let sizes = shape.sizes();
        let expected = checked_num_elements(&sizes).unwrap_or(usize::MAX);
        let found = self.len();
        if expected != found {
            unwrap_or_panic(Err(ShapeError::Length { expected, found, sizes: sizes.to_vec() }))
        }
        // Checks that each name has one size.
        new_len::<Target, T>(shape);
        self.reshaped(shape)
    }

    #[doc = doc_flatten!()]
    /// ```
    /// assert_eq!(tensor![[1, 2], [3, 4]].flatten(), tensor![1, 2, 3, 4]);
    /// ```
    #[doc(alias = "ravel")]
    pub fn flatten<Target: StaticShape>(&self) -> Tensor<Target, T>
    where
        S: FlattenAll<Flattened = Target>,
    {
        self.reshaped(Target::VALUE)
    }

    #[doc = doc_flatten_axes!()]
    /// ```
    /// axis!(Batch);
    /// let images = Tensor::<shape![Batch, 28, 28]>::zeros_shaped(shape![Batch(32), 28, 28]);
    /// let rows: Tensor<shape![Batch, 784]> = images.flatten_axes::<1, 2>();
    /// # let _ = rows;
    /// ```
    #[usage(x.flatten_axes::<0, 1>())]
    pub fn flatten_axes<const START: isize, const END: isize>(
        &self,
    ) -> Tensor<FlattenedAxes<S, START, END>, T>
    where
        S: FlattenAxes<START, END>,
    {
        self.reshaped(self.axes.flatten_axes())
    }

    #[doc = doc_unflatten!()]
    /// ```
    /// axis!(Batch);
    /// let rows = Tensor::<shape![Batch, 768]>::zeros_shaped(shape![Batch(32), 768]);
    /// let heads: Tensor<shape![Batch, 12, 64]> = rows.unflatten::<-1, shape![12, 64]>();
    /// # let _ = heads;
    /// ```
    #[usage(x.unflatten::<0, shape![2, 3]>())]
    pub fn unflatten<const AXIS: isize, Sizes>(&self) -> Tensor<Unflattened<S, AXIS, Sizes>, T>
    where
        S: Unflatten<AXIS, Sizes>,
    {
        self.reshaped(self.axes.unflatten())
    }

    /// The same elements in row-major order in another shape: a view if strides describe it, else a
    /// copy.
    pub(crate) fn reshaped<Target: Shape>(&self, shape: Target) -> Tensor<Target, T> {
        Tensor::with_result(shape, self.erased().reshape(&shape.sizes()))
    }
}
