//! Other shapes for the same elements: nothing is copied, unless a method says so.
//!
//! A view is a tensor with the same storage and other strides. What the types do to the axes, in
//! [`views`](crate::views), is done here to the strides.

use crate::broadcast::ExpandTo;
use crate::element::Element;
use crate::layout::{Strides, layout};
use crate::operations::apply::{checked, map};
use crate::plan::row_major;
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use crate::views::{
    Permute, Permuted, Squeeze, Squeezed, Transpose, Transposed, Unsqueeze, Unsqueezed,
};

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The same elements by other strides.
    fn with_strides<Target: Shape>(&self, shape: Target, strides: Strides) -> Tensor<Target, T> {
        let layout = layout(&shape.sizes(), self.view().offset(), strides);
        Tensor { shape, layout, storage: self.storage.clone() }
    }

    /// The tensor stretched to `Target`; an axis of size `One`, and one that the tensor lacks,
    /// repeats the same elements: `[3] → [2, 3]`. Nothing is copied.
    ///
    /// Element-wise operations stretch their operands by themselves.
    ///
    /// ```
    /// use tensor_core::{shape, tensor};
    ///
    /// let row = tensor![1, 2, 3];
    /// assert_eq!(row.expand::<shape![2, 3]>(), tensor![[1, 2, 3], [1, 2, 3]]);
    /// let column = tensor![[1], [2]];
    /// assert_eq!(column.expand::<shape![2, 3]>(), tensor![[1, 1, 1], [2, 2, 2]]);
    /// ```
    pub fn expand<Target>(&self) -> Tensor<Target, T>
    where
        S: ExpandTo<Target>,
        Target: StaticShape,
    {
        // Every named axis of the target is static, so the types have compared all sizes.
        self.expand_with(Target::VALUE)
    }

    /// The tensor stretched to `shape`, which may have sizes that only the run knows. Nothing is
    /// copied.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
    ///
    /// ```
    /// use tensor_core::{axis, shape, tensor};
    ///
    /// axis!(Batch);
    /// let rows = tensor![1, 2, 3].expand_with(shape![Batch(2), 3]);
    /// assert_eq!(rows.to_vec(), [1, 2, 3, 1, 2, 3]);
    /// ```
    #[track_caller]
    pub fn expand_with<Target>(&self, shape: Target) -> Tensor<Target, T>
    where
        S: ExpandTo<Target>,
        Target: Shape,
    {
        let fits = self.shape.expand_shape(shape);
        checked(fits.map_err(|mismatch| mismatch.in_rank(Target::RANK)));
        self.with_strides(shape, self.view().strides_along(Target::RANK))
    }

    /// [`expand`](Tensor::expand) by NumPy's and PyTorch's name.
    ///
    /// ```
    /// use tensor_core::{shape, tensor};
    ///
    /// assert_eq!(tensor![7].broadcast_to::<shape![3]>(), tensor![7, 7, 7]);
    /// ```
    pub fn broadcast_to<Target>(&self) -> Tensor<Target, T>
    where
        S: ExpandTo<Target>,
        Target: StaticShape,
    {
        self.expand()
    }

    /// The tensor with its last two axes swapped: `[..lead, m, n] → [..lead, n, m]`. Nothing is
    /// copied.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.transpose(), tensor![[1, 4], [2, 5], [3, 6]]);
    /// ```
    pub fn transpose(&self) -> Tensor<Transposed<S>, T>
    where
        S: Transpose,
    {
        let mut strides = self.view().strides();
        strides.swap(S::RANK - 2, S::RANK - 1);
        self.with_strides(self.shape.transpose(), strides)
    }

    /// The tensor with its axes in the order of a list that names each of them once:
    /// `[a, b, c] → [c, a, b]` for `axes![2, 0, 1]`. Nothing is copied.
    ///
    /// ```
    /// use tensor_core::{Tensor, axes, shape};
    ///
    /// let channels_last = Tensor::<shape![28, 32, 3]>::zeros();
    /// let channels_first: Tensor<shape![3, 28, 32]> = channels_last.permute::<axes![-1, 0, 1]>();
    /// # let _ = channels_first;
    /// ```
    pub fn permute<P>(&self) -> Tensor<Permuted<S, P>, T>
    where
        S: Permute<P>,
    {
        let mut order = Vec::with_capacity(S::RANK);
        S::order(&mut order);
        let strides = self.view().strides();
        let strides = order.into_iter().map(|axis| strides[axis]).collect();
        self.with_strides(self.shape.permute(), strides)
    }

    /// The tensor with a new axis of size `One`, which is number `I` of the result:
    /// `[m, n] → [m, 1, n]` for 1. Nothing is copied.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![1, 2, 3];
    /// assert_eq!(x.unsqueeze::<0>(), tensor![[1, 2, 3]]);
    /// assert_eq!(x.unsqueeze::<-1>(), tensor![[1], [2], [3]]);
    /// ```
    pub fn unsqueeze<const I: isize>(&self) -> Tensor<Unsqueezed<S, I>, T>
    where
        S: Unsqueeze<I>,
    {
        let mut strides = self.view().strides();
        // Any stride does for an axis that is never walked along.
        strides.insert(<S as Unsqueeze<I>>::INDEX, 0);
        self.with_strides(self.shape.unsqueeze(), strides)
    }

    /// The tensor without its axis number `I`, which has size `One`: `[m, 1, n] → [m, n]` for 1.
    /// Nothing is copied.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[1], [2], [3]].squeeze::<-1>(), tensor![1, 2, 3]);
    /// ```
    pub fn squeeze<const I: isize>(&self) -> Tensor<Squeezed<S, I>, T>
    where
        S: Squeeze<I>,
    {
        let mut strides = self.view().strides();
        strides.remove(<S as Squeeze<I>>::INDEX);
        self.with_strides(self.shape.squeeze(), strides)
    }

    /// The tensor with its elements in row-major order: itself where they are, a copy where not.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2], [3, 4]].transpose();
    /// assert_eq!(x.as_slice(), None);
    /// assert_eq!(x.contiguous().as_slice(), Some(&[1, 3, 2, 4][..]));
    /// ```
    pub fn contiguous(&self) -> Self {
        match self.layout {
            None => self.clone(),
            Some(_) => map(self.view(), |element| element),
        }
    }

    /// The same elements in row-major order in another shape of as many elements: a view where
    /// strides can say it, a copy where not.
    fn reshaped<Target: Shape>(&self, shape: Target) -> Tensor<Target, T> {
        if self.layout.is_none() {
            return Tensor::from_storage(shape, self.storage.clone());
        }
        match regroup(&self.shape.sizes(), &self.view().strides(), &shape.sizes()) {
            Some(strides) => self.with_strides(shape, strides),
            None => Tensor::from_storage(shape, self.contiguous().storage),
        }
    }
}

/// The strides that walk the elements of a tensor in the same order under other sizes; `None`
/// where no strides do.
///
/// Both lists of sizes have the same product, which is not 0. They fall apart into groups of equal
/// products, as `[2, 3 | 4, 5]` and `[6 | 20]` do; the old axes of a group must be one walk.
fn regroup(old: &[usize], strides: &[isize], new: &[usize]) -> Option<Strides> {
    // Axes of size 1 are never walked along.
    let mut old = old.iter().zip(strides).filter(|(size, _)| **size != 1).rev().peekable();
    let mut regrouped = row_major(new);
    // What is left of the current group: how many elements, how far apart.
    let (mut left, mut step) = (1, 1);
    for (&size, stride) in new.iter().zip(&mut regrouped).rev() {
        if size == 1 {
            continue;
        }
        if left == 1 {
            let (&size, &stride) = old.next()?;
            (left, step) = (size, stride);
        }
        while left % size != 0 {
            let (&size, &stride) = old.next()?;
            if stride != step * left as isize {
                return None;
            }
            left *= size;
        }
        *stride = step;
        step *= size as isize;
        left /= size;
    }
    Some(regrouped)
}
