//! Joins of a [`DynTensor`] with others, and padding, repeating and moving of elements.

use super::DynTensor;
use super::reductions::axis_index;
use crate::array::gradients;
use crate::array::history::AnyArray;
use crate::array::joins;
use crate::array::kernel::moves::Side;
use crate::array::layout::ErasedView;
use crate::array::recording::{Outcome, Recordable};
use crate::array::trace::{self, Op};
use crate::element::{Element, Number};
use crate::ops::Padding;
use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

/// # Joining
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Concatenates this tensor and another one along an axis: `[..a, m, ..b], [..a, n, ..b] → [..a, m + n, ..b]`.
    /// Errors: If there is no such axis, if another axis differs, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let (a, b) = (DynTensor::from(tensor![[1, 2], [3, 4]]), DynTensor::from(tensor![[5, 6]]));
    /// assert_eq!(a.concat(&b, 0)?, tensor![[1, 2], [3, 4], [5, 6]].into());
    /// assert_eq!(
    ///     a.concat(&b, 1).unwrap_err().to_string(),
    ///     "`concat`: tensor 1 has shape [1, 2], tensor 0 [2, 2]: all axes but axis 1 must be equal"
    /// );
    /// ```
    #[doc(alias("concatenate", "cat"))]
    pub fn concat(&self, other: &Self, axis: isize) -> Result<Self, ShapeError> {
        Self::concat_all([self, other], axis)
    }

    /// Concatenates tensors along an axis: `[..a, m, ..b], [..a, n, ..b] … → [..a, m + n + …, ..b]`.
    /// Errors: As [`concat`](DynTensor::concat); [`ShapeError::NoTensors`] if there are none.
    /// ```
    /// let parts = [DynTensor::from(tensor![1, 2]), tensor![3].into(), tensor![4, 5].into()];
    /// assert_eq!(DynTensor::concat_all(&parts, 0)?, tensor![1, 2, 3, 4, 5].into());
    /// ```
    #[doc(alias("concatenate", "cat", "vstack", "hstack"))]
    pub fn concat_all<'a>(
        tensors: impl IntoIterator<Item = &'a Self>,
        axis: isize,
    ) -> Result<Self, ShapeError> {
        Self::concat_slice(&tensors.into_iter().collect::<Vec<_>>(), axis)
    }

    /// [`concat_all`](Self::concat_all) of a slice.
    #[doc(hidden)]
    pub fn concat_slice(tensors: &[&Self], axis: isize) -> Result<Self, ShapeError> {
        let parts: Vec<ErasedView<'_, T>> = tensors.iter().map(|tensor| tensor.as_view()).collect();
        let axis = axis_index(axis, tensors.first().map_or(1, |tensor| tensor.rank()))?;
        if tensors.iter().any(|tensor| tensor.is_traced()) {
            let sizes = joins::concat_sizes(&mut parts.iter().map(|part| part.sizes), axis)?;
            joins::check_memory::<T>(&sizes)?;
            let rule = Some(gradients::Concat { axis }.into());
            let operands = recordable(tensors);
            return Ok(trace::step(Op::Concat { axis }, rule, &sizes, &operands, move |x| {
                let parts: Vec<&Self> =
                    (0..x.len()).map(|position| trace::operand(x, position)).collect();
                Self::concat_slice(&parts, axis as isize)
                    .expect("the shapes are those of the trace")
            }));
        }
        let (sizes, storage) = joins::concat(&parts, axis)?;
        Ok(Self::from_storage(sizes, storage)
            .with(&recordable(tensors), || gradients::Concat { axis }))
    }

    /// Stacks tensors of the same sizes along a new axis, whose index is that in the result:
    /// `n · [..a, ..b] → [..a, n, ..b]`.
    /// Errors: If the result has no such axis, if the sizes differ, if there is no tensor, or if the result
    /// exceeds `isize::MAX` bytes.
    /// ```
    /// let (a, b) = (DynTensor::from(tensor![1, 2]), DynTensor::from(tensor![3, 4]));
    /// assert_eq!(DynTensor::stack([&a, &b], 0)?, tensor![[1, 2], [3, 4]].into());
    /// assert_eq!(DynTensor::stack([&a, &b], -1)?, tensor![[1, 3], [2, 4]].into());
    /// ```
    pub fn stack<'a>(
        tensors: impl IntoIterator<Item = &'a Self>,
        axis: isize,
    ) -> Result<Self, ShapeError> {
        Self::stack_slice(&tensors.into_iter().collect::<Vec<_>>(), axis)
    }

    /// [`stack`](Self::stack) of a slice.
    #[doc(hidden)]
    pub fn stack_slice(tensors: &[&Self], axis: isize) -> Result<Self, ShapeError> {
        let parts: Vec<ErasedView<'_, T>> = tensors.iter().map(|tensor| tensor.as_view()).collect();
        let axis = axis_index(axis, tensors.first().map_or(0, |tensor| tensor.rank()) + 1)?;
        if tensors.iter().any(|tensor| tensor.is_traced()) {
            let sizes = joins::stack_sizes(&mut parts.iter().map(|part| part.sizes), axis)?;
            joins::check_memory::<T>(&sizes)?;
            let rule = Some(gradients::Stack { axis }.into());
            let operands = recordable(tensors);
            return Ok(trace::step(Op::Stack { axis }, rule, &sizes, &operands, move |x| {
                let parts: Vec<&Self> =
                    (0..x.len()).map(|position| trace::operand(x, position)).collect();
                Self::stack_slice(&parts, axis as isize).expect("the shapes are those of the trace")
            }));
        }
        let (sizes, storage) = joins::stack(&parts, axis)?;
        Ok(Self::from_storage(sizes, storage)
            .with(&recordable(tensors), || gradients::Stack { axis }))
    }

    /// The coordinates of the points of a grid, the first along the first axis: `[m], [n] → [m, n], [m, n]`.
    /// Without a copy. NumPy's and PyTorch's `indexing="ij"`.
    /// Errors: If a tensor has not one axis, or if the grid has more than `isize::MAX` elements.
    /// ```
    /// let (rows, columns) = DynTensor::from(tensor![1, 2]).meshgrid(&tensor![3, 4, 5].into())?;
    /// assert_eq!(rows, tensor![[1, 1, 1], [2, 2, 2]].into());
    /// assert_eq!(columns, tensor![[3, 4, 5], [3, 4, 5]].into());
    /// ```
    pub fn meshgrid(&self, other: &Self) -> Result<(Self, Self), ShapeError> {
        let (&[m], &[n]) = (self.sizes(), other.sizes()) else {
            let expected = "`meshgrid` takes two vectors";
            let (left, right) = (self.rank(), other.rank());
            return Err(ShapeError::ProductRank { expected, left, right });
        };
        let column = self.unsqueeze(1)?;
        Ok((column.expand(&[m, n])?, other.expand(&[m, n])?))
    }

    /// The coordinates of the points of a grid, the first along the last axis: `[m], [n] → [n, m], [n, m]`.
    /// Without a copy. NumPy's and PyTorch's `indexing="xy"`, which is NumPy's default.
    /// Errors: As [`meshgrid`](DynTensor::meshgrid).
    /// ```
    /// let (x, y) = DynTensor::from(tensor![1, 2]).meshgrid_xy(&tensor![3, 4, 5].into())?;
    /// assert_eq!(x, tensor![[1, 2], [1, 2], [1, 2]].into());
    /// assert_eq!(y, tensor![[3, 3], [4, 4], [5, 5]].into());
    /// ```
    pub fn meshgrid_xy(&self, other: &Self) -> Result<(Self, Self), ShapeError> {
        let (y, x) = other.meshgrid(self)?;
        Ok((x, y))
    }
}

/// # Padding, repeating and moving
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Pads each axis by these numbers of elements before and after it: `[n, …] → [before + n + after, …]`.
    /// A negative number crops the axis.
    /// Errors: If there is not one pair of amounts for each axis, if a negative amount takes off more than there
    /// is, if an axis of size 0 has no element to pad with, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// let padded = x.pad(&[[0, 1], [1, 0]], Padding::Constant(0))?;
    /// assert_eq!(padded, tensor![[0, 1, 2], [0, 3, 4], [0, 0, 0]].into());
    /// assert_eq!(x.pad(&[[0, 0], [-1, 0]], Padding::Edge)?, tensor![[2], [4]].into());
    /// ```
    pub fn pad(&self, amounts: &[[isize; 2]], padding: Padding<T>) -> Result<Self, ShapeError> {
        if self.is_traced() {
            return self.traced_pad(amounts, padding);
        }
        let (sizes, storage) = joins::pad(self.as_view(), amounts, padding)?;
        let rule = || gradients::Move::Pad(amounts.to_vec(), padding.without_element());
        Ok(Self::from_storage(sizes, storage).with(&[self], rule))
    }

    /// The elements shifted along an axis by `shift` indices, `[..s] → [..s]`: those shifted past one end reappear
    /// at the other.
    /// Errors: If there is no such axis.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1, 2, 3, 4]).roll(0, 1)?, tensor![4, 1, 2, 3].into());
    /// ```
    pub fn roll(&self, axis: isize, shift: isize) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        if self.is_traced() {
            return self.traced_roll(axis, shift);
        }
        let storage = joins::roll(self.as_view(), &[axis], &[shift]);
        let result = Self::from_storage(self.sizes.clone(), storage);
        Ok(result.with(&[self], || gradients::Move::Roll { axis, shift }))
    }

    /// Repeats each index along an axis a number of times in a row, `[..a, n, ..b] → [..a, n · count, ..b]`:
    /// NumPy's `repeat`, PyTorch's `repeat_interleave`.
    /// Errors: If there is no such axis, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1, 2]).repeat(0, 3)?, tensor![1, 1, 1, 2, 2, 2].into());
    /// ```
    #[doc(alias = "repeat_interleave")]
    pub fn repeat(&self, axis: isize, count: usize) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        let mut sizes = self.sizes.clone();
        sizes[axis] = sizes[axis].saturating_mul(count);
        check_sizes::<T>(&sizes)?;
        let mut stretched = (self.sizes.clone(), self.strides());
        stretched.0.insert(axis + 1, count);
        stretched.1.insert(axis + 1, 0);
        let layout = self.layout_of_view(&stretched.0, stretched.1);
        let view = Self { sizes: stretched.0, layout, storage: self.storage.clone() };
        Ok(view.contiguous().reshaped(sizes))
    }

    /// Repeats each index along an axis by its own count from `counts`: `[..a, n, ..b] → [..a, m, ..b]` with the
    /// sum `m` of the `n` counts.
    /// Errors: If there is no such axis, if there is not one count for each index, or if the result exceeds
    /// `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// assert_eq!(x.repeat_each(0, &[2, 0, 1])?, tensor![1, 1, 3].into());
    /// ```
    #[doc(alias = "repeat_interleave")]
    pub fn repeat_each(&self, axis: isize, counts: &[usize]) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        if self.is_traced() {
            let numbers = DynTensor::<i64>::arange(self.sizes[axis]).repeat_each(0, counts)?;
            return Ok(self.traced_take(axis, &numbers));
        }
        let (sizes, storage) = joins::repeat_each(self.as_view(), axis, counts)?;
        let rule = || gradients::Move::RepeatEach { axis, counts: counts.to_vec() };
        Ok(Self::from_storage(sizes, storage).with(&[self], rule))
    }

    /// Repeats the whole tensor along its axes, `[m, n] → [m · a, n · b]` for the counts `[a, b]`, as NumPy's
    /// `tile`: the counts apply to the last axes, and missing axes have size 1.
    /// Errors: If the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2]);
    /// assert_eq!(x.tile(&[2])?, tensor![1, 2, 1, 2].into());
    /// assert_eq!(x.tile(&[2, 1])?, tensor![[1, 2], [1, 2]].into());
    /// ```
    pub fn tile(&self, counts: &[usize]) -> Result<Self, ShapeError> {
        let rank = self.rank().max(counts.len());
        let aligned = |list: &[usize]| {
            let mut aligned = Sizes::from_elem(1, rank - list.len());
            aligned.extend_from_slice(list);
            aligned
        };
        let (old, counts) = (aligned(&self.sizes), aligned(counts));
        let (mut sizes, mut copies) = (Sizes::new(), Sizes::new());
        let (mut strides, of_old) = (super::Strides::new(), self.broadcast_strides_to(rank));
        for axis in 0..rank {
            sizes.push(old[axis].saturating_mul(counts[axis]));
            copies.extend([counts[axis], old[axis]]);
            strides.extend([0, of_old[axis]]);
        }
        check_sizes::<T>(&sizes)?;
        let layout = self.layout_of_view(&copies, strides);
        let view = Self { sizes: copies, layout, storage: self.storage.clone() };
        Ok(view.contiguous().reshaped(sizes))
    }

    /// The elements of matrices on and below a diagonal, 0 above it: `[..l, m, n] → [..l, m, n]`. The diagonal
    /// lies `diagonal` columns to the right of the main one.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).tril(0)?, tensor![[1, 0], [3, 4]].into());
    /// ```
    pub fn tril(&self, diagonal: isize) -> Result<Self, ShapeError> {
        self.triangle("tril", Side::Lower, diagonal, T::ZERO)
    }

    /// The elements of matrices on and above a diagonal, 0 below it: `[..l, m, n] → [..l, m, n]`. The diagonal
    /// lies `diagonal` columns to the right of the main one.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).triu(1)?, tensor![[0, 2], [0, 0]].into());
    /// ```
    pub fn triu(&self, diagonal: isize) -> Result<Self, ShapeError> {
        self.triangle("triu", Side::Upper, diagonal, T::ZERO)
    }

    /// [`tril`](Self::tril) with these elements instead of 0 above the diagonal.
    #[doc(hidden)]
    #[twin(none)]
    pub fn tril_or(&self, diagonal: isize, fill: T) -> Result<Self, ShapeError> {
        self.triangle("tril", Side::Lower, diagonal, fill)
    }

    pub(crate) fn triangle(
        &self,
        operation: &'static str,
        side: Side,
        diagonal: isize,
        fill: T,
    ) -> Result<Self, ShapeError> {
        self.check_rank(operation, 2)?;
        let rule = gradients::Move::Triangle(side, diagonal);
        if self.is_traced() {
            let of_fill = AnyArray::new(DynTensor::full(&[], fill));
            let op = Op::Triangle { side, diagonal, fill: of_fill };
            return Ok(trace::step(op, Some(rule.into()), &self.sizes, &[self], move |x| {
                let result = trace::operand::<T>(x, 0).triangle(operation, side, diagonal, fill);
                result.expect("the rank is that of the trace")
            }));
        }
        let storage = joins::triangle(self.as_view(), side, diagonal, fill);
        let result = Self::from_storage(self.sizes.clone(), storage);
        Ok(result.with(&[self], || rule))
    }

    /// # Errors
    ///
    /// If there are fewer axes.
    fn check_rank(&self, operation: &'static str, least: usize) -> Result<(), ShapeError> {
        match self.rank() {
            rank if rank < least => Err(ShapeError::TooFewAxes { operation, least, rank }),
            _ => Ok(()),
        }
    }

    /// Vectors as the diagonals of matrices with 0 elsewhere: `[..l, n] → [..l, n, n]`.
    /// Errors: If there is no axis, or if the result exceeds `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2]).diag_embed()?;
    /// assert_eq!(x, tensor![[1, 0], [0, 2]].into());
    /// ```
    #[doc(alias("diag", "diagflat"))]
    pub fn diag_embed(&self) -> Result<Self, ShapeError> {
        self.check_rank("diag_embed", 1)?;
        let mut sizes = self.sizes.clone();
        sizes.push(sizes[sizes.len() - 1]);
        joins::check_memory::<T>(&sizes)?;
        if self.is_traced() {
            return self.unsqueeze(-1)?.expand(&sizes)?.tril(0)?.triu(0);
        }
        let storage = joins::diagonals(self.as_view(), &sizes);
        let result = Self::from_storage(sizes, storage);
        Ok(result.with(&[self], || gradients::Move::Diagonals))
    }

    /// The sums of the main diagonals of matrices: `[..l, m, n] → [..l]`.
    /// Errors: If there are fewer than two axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).trace()?.item()?, 5);
    /// ```
    pub fn trace(&self) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        self.check_rank("trace", 2)?;
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        let (columns, rows) = (sizes.pop(), sizes.pop());
        let (across, down) = (strides.pop(), strides.pop());
        sizes.push(rows.min(columns).unwrap_or(0));
        strides.push(down.zip(across).map_or(0, |(down, across)| down + across));
        let layout = self.layout_of_view(&sizes, strides);
        Self { sizes, layout, storage: self.storage.clone() }.sum_axis(-1)
    }
}

/// The operands of a join.
fn recordable<'a, T: Element>(tensors: &[&'a DynTensor<T>]) -> Vec<&'a dyn Recordable> {
    tensors.iter().map(|&tensor| tensor as &dyn Recordable).collect()
}

/// # Errors
///
/// If a size is above `isize::MAX`, or the tensor larger than the memory may be.
fn check_sizes<T>(sizes: &[usize]) -> Result<(), ShapeError> {
    if sizes.iter().any(|&size| isize::try_from(size).is_err()) {
        return Err(ShapeError::TooLarge { sizes: sizes.to_vec() });
    }
    joins::check_memory::<T>(sizes)
}
