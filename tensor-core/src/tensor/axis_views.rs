//! Views with axes reversed, moved or swapped; diagonals and windows.

use crate::shape::Shape;
use crate::shape::axis::StaticAxis;
use crate::shape::axis_index::HasAxis;
use crate::shape::axis_list::{AxisNode, HasAxes};
use crate::shape::results::{DiagonalShape, MovedAxis, SwappedAxes};
use crate::shape::slicing::{Diagonal, MoveAxis, SwapAxes, WindowsAlong, WindowsShape};
use crate::tensor::Tensor;
use smallvec::SmallVec;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;

/// # Views with other axes
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_flip!()]
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.flip::<axes![-1]>(), tensor![[3, 2, 1], [6, 5, 4]]);
    /// assert_eq!(x.flip::<axes![0, 1]>(), tensor![[6, 5, 4], [3, 2, 1]]);
    /// ```
    #[doc(alias("reverse", "fliplr", "flipud"))]
    #[usage(x.flip::<axes![0]>())]
    pub fn flip<Axes>(&self) -> Self
    where
        S: HasAxes<Axes>,
    {
        let axes = AxisNode::indices(<S as HasAxes<Axes>>::AXES).map(|axis| axis as isize);
        let flipped = self.erased().flip(&axes.collect::<SmallVec<[isize; 6]>>());
        Tensor::with_result(self.axes, flipped)
    }

    #[doc = doc_swap_axes!()]
    /// ```
    /// let x = Tensor::<shape![2, 3, 4]>::zeros();
    /// let swapped: Tensor<shape![4, 3, 2]> = x.swap_axes::<0, -1>();
    /// # let _ = swapped;
    /// ```
    #[doc(alias("swapaxes", "swapdims"))]
    #[usage(x.swap_axes::<0, 1>())]
    pub fn swap_axes<const I: isize, const J: isize>(&self) -> Tensor<SwappedAxes<S, I, J>, T>
    where
        S: SwapAxes<I, J>,
    {
        let (first, second) = (<S as HasAxis<I>>::INDEX, <S as SwapAxes<I, J>>::SECOND);
        Tensor::from_erased(self.erased().swap_axes(first as isize, second as isize))
    }

    #[doc = doc_move_axis!()]
    /// ```
    /// let photo = Tensor::<shape![28, 32, 3]>::zeros();
    /// let channels_first: Tensor<shape![3, 28, 32]> = photo.move_axis::<-1, 0>();
    /// # let _ = channels_first;
    /// ```
    #[doc(alias("moveaxis", "movedim"))]
    #[usage(x.move_axis::<-1, 0>())]
    pub fn move_axis<const FROM: isize, const TO: isize>(&self) -> Tensor<MovedAxis<S, FROM, TO>, T>
    where
        S: MoveAxis<FROM, TO>,
    {
        let (from, to) = (<S as HasAxis<FROM>>::INDEX, <S as MoveAxis<FROM, TO>>::PLACE);
        Tensor::from_erased(self.erased().move_axis(from as isize, to as isize))
    }

    #[doc = doc_diagonal!()]
    /// A diagonal above or below the main one is the main diagonal of a slice: the first one above is
    /// that of `x.slice(slice![.., 1..])`.
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    /// assert_eq!(x.diagonal::<0, 1>(), tensor![1, 5, 9]);
    /// assert_eq!(x.slice(slice![.., 1..]).diagonal::<0, 1>(), tensor![2, 6]);
    /// assert_eq!(x.slice(slice![1..]).diagonal::<0, 1>(), tensor![4, 8]);
    /// ```
    #[usage(x.diagonal::<0, 1>())]
    pub fn diagonal<const I: isize, const J: isize>(&self) -> Tensor<DiagonalShape<S, I, J>, T>
    where
        S: Diagonal<I, J>,
    {
        let (first, second) = (<S as HasAxis<I>>::INDEX, <S as Diagonal<I, J>>::SECOND);
        Tensor::from_erased(self.erased().diagonal(0, first as isize, second as isize))
    }

    #[doc = doc_windows!()]
    /// For windows in steps of 2, slice the result: `x.windows::<-1, dim!(3)>().slice(slice![..; 2])`.
    /// ```
    /// let x = tensor![1.0, 2.0, 6.0, 3.0];
    /// let windows = x.windows::<-1, dim!(3)>();
    /// assert_eq!(windows, tensor![[1.0, 2.0, 6.0], [2.0, 6.0, 3.0]]);
    /// assert_eq!(windows.max_axis::<-1>(), tensor![6.0, 6.0]);
    /// ```
    #[doc(alias("sliding_window_view", "unfold"))]
    #[usage(x.windows::<-1, dim!(3)>())]
    pub fn windows<const AXIS: isize, W: StaticAxis>(&self) -> Tensor<WindowsShape<S, AXIS, W>, T>
    where
        S: WindowsAlong<AXIS, W>,
    {
        let (axis, window) = (<S as HasAxis<AXIS>>::INDEX, W::VALUE.size());
        Tensor::from_erased(self.erased().windows(axis as isize, window))
    }
}
