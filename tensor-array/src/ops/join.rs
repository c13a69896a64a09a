//! Joins of tensors: `concat`, `stack`, `meshgrid`.

use tensor_kernels::kernel::moves::{Program, assemble};

use super::prelude::*;
use crate::array::dynamic::reductions::axis_index;

operation_rows! {
    topic "Joining" {
        concat: 2 "Element" "concat" "cat" "concatenate";
        concat_tuple: 2 "Element" "concat" "cat" "concatenate";
        concat_all: 2 "Element" "concat" "cat" "concatenate";
        stack: 2 "Element" "stack" "stack" "concatenate";
        meshgrid: 2 "Element" "meshgrid" "meshgrid" "broadcast_in_dim";
    }
}

/// Tensors one after the other along an axis, or along a new one.
#[derive(Clone, Debug)]
struct Join {
    axis: usize,
    is_new: bool,
}

primitive!(Join, |join| if join.is_new { "stack" } else { "concat" }, |_, _, _| 0, |join, to| {
    if !join.is_new {
        return to.builder.concat(to.x, join.axis, to.sizes);
    }
    let mut sizes = to.sizes.to_vec();
    sizes[join.axis] = 1;
    let parts: Vec<_> = to.x.iter().map(|part| to.builder.reshape(part, &sizes)).collect();
    to.builder.concat(&parts, join.axis, to.sizes)
});

impl<T: Element> Evaluate<[T; 0]> for Join {
    type Output = T;

    #[track_caller]
    fn evaluate(&self, parts: &Vec<&DynTensor<T>>, sizes: &[usize]) -> Storage<T> {
        // The axes after a new one are written as those after one along which parts are joined.
        let parts = parts.iter().map(|part| part.as_view());
        assemble(sizes, &Program::concat(parts, self.axis))
    }

    fn rule(&self, _: &Vec<&DynTensor<T>>) -> Option<Rule> {
        Some(Rule::of::<T>(self.clone()))
    }
}

impl GradientRule for Join {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let axis = self.axis as isize;
        let mut start = 0;
        let part = |position| {
            if self.is_new {
                return at.want(position, || fits(gradient.index(axis, position)));
            }
            let end = start + at.sizes(position)[self.axis];
            let range = core::mem::replace(&mut start, end)..end;
            at.want(position, || fits(gradient.slice_axis(axis, range)))
        };
        (0..at.count()).map(part).collect()
    }
}

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
        let axis = axis_index(axis, tensors.first().map_or(1, |tensor| tensor.rank()))?;
        let sizes = concat_sizes(tensors, axis)?;
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<[T; 0], _>(Join { axis, is_new: false }, tensors.to_vec(), sizes))
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
        let axis = axis_index(axis, tensors.first().map_or(0, |tensor| tensor.rank()) + 1)?;
        let sizes = stack_sizes(tensors, axis)?;
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<[T; 0], _>(Join { axis, is_new: true }, tensors.to_vec(), sizes))
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

fn concat_sizes<T: Element>(parts: &[&DynTensor<T>], axis: usize) -> Result<Sizes, ShapeError> {
    let operation = "concat";
    let [first, parts @ ..] = parts else { return Err(ShapeError::NoTensors { operation }) };
    let mut sizes = first.sizes.clone();
    for (operand, part) in (1..).zip(parts) {
        let of_part = part.sizes();
        let differs = |&other: &usize| other != axis && of_part[other] != first.sizes[other];
        if part.rank() != first.rank() || (0..part.rank()).any(|other| differs(&other)) {
            let sizes = Box::new([of_part.to_vec(), first.sizes.to_vec()]);
            return Err(ShapeError::Joined { operand, sizes, axis: Some(axis) });
        }
        sizes[axis] = checked_size(sizes[axis].saturating_add(of_part[axis]), axis, &sizes)?;
    }
    Ok(sizes)
}

fn stack_sizes<T: Element>(parts: &[&DynTensor<T>], axis: usize) -> Result<Sizes, ShapeError> {
    let Some(first) = parts.first() else {
        return Err(ShapeError::NoTensors { operation: "stack" });
    };
    if let Some(operand) = parts.iter().position(|part| part.sizes != first.sizes) {
        let sizes = Box::new([parts[operand].sizes.to_vec(), first.sizes.to_vec()]);
        return Err(ShapeError::Joined { operand, sizes, axis: None });
    }
    let mut sizes = first.sizes.clone();
    sizes.insert(axis, parts.len());
    Ok(sizes)
}

/// The size of an axis of a result.
///
/// # Errors
///
/// If it is above `isize::MAX`: the error has the other sizes, too.
pub(super) fn checked_size(size: usize, axis: usize, sizes: &[usize]) -> Result<usize, ShapeError> {
    if isize::try_from(size).is_ok() {
        return Ok(size);
    }
    let mut sizes = sizes.to_vec();
    sizes[axis] = size;
    Err(ShapeError::TooLarge { sizes })
}
