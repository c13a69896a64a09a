//! Repetitions along axes: `repeat`, `repeat_each`, `tile`.

use core::iter::repeat_n;

use tensor_kernels::kernel::moves::{rearranged_along, repeated};
use tensor_kernels::layout::Strides;

use super::join::checked_size;
use super::prelude::*;

operation_rows! {
    topic "Padding, repeating and moving" {
        repeat: 1 "Element" "repeat" "repeat_interleave" "broadcast_in_dim";
        repeat_each: 1 "Element" "repeat" "repeat_interleave" "gather";
        tile: 1 "Element" "tile" "tile" "broadcast_in_dim";
    }
}

/// Each index along an axis repeated by its own count.
#[derive(Clone, Debug)]
struct RepeatEach {
    axis: usize,
    counts: Vec<usize>,
}

impl RepeatEach {
    /// For each index of the result the one that it repeats.
    fn rows(&self) -> DynTensor<i64> {
        let each = (0..).zip(&self.counts);
        DynTensor::vector(each.flat_map(|(row, &count)| repeat_n(row, count)).collect())
    }
}

primitive!(RepeatEach, |_| "repeat_each", |_, _, _| 0, |repeat, to| {
    let rows = repeat.rows();
    let rows = to.builder.integers(rows.sizes(), rows.iter().copied());
    to.builder.take(&to.x[0], &rows, repeat.axis, to.sizes)
});

evaluate!(
    RepeatEach => (x: T) -> T where T: Element,
    |repeat, sizes| {
        rearranged_along(x.as_view(), sizes, repeat.axis, &|| repeated(&repeat.counts))
    },
    |repeat| repeat.clone(),
);

impl GradientRule for RepeatEach {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let zeros = DynTensor::zeros(at.sizes(0));
        smallvec![Some(zeros.add_rows(self.axis, &self.rows(), gradient))]
    }
}

/// # Repetitions
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
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
        if counts.len() != self.sizes[axis] {
            let (expected, found) = (self.sizes[axis], counts.len());
            return Err(ShapeError::Entries { entries: "counts", expected, found });
        }
        let sum = counts.iter().fold(0_usize, |sum, &count| sum.saturating_add(count));
        let mut sizes = self.sizes.clone();
        sizes[axis] = checked_size(sum, axis, &self.sizes)?;
        fits_into_memory::<T>(&sizes)?;
        let repeat = RepeatEach { axis, counts: counts.to_vec() };
        Ok(apply::<(T,), _>(repeat, (self,), sizes))
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
        let (mut strides, of_old) = (Strides::new(), self.broadcast_strides_to(rank));
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
}

/// # Errors
///
/// If a size is above `isize::MAX`, or the tensor larger than the memory may be.
fn check_sizes<T>(sizes: &[usize]) -> Result<(), ShapeError> {
    if sizes.iter().any(|&size| isize::try_from(size).is_err()) {
        return Err(ShapeError::TooLarge { sizes: sizes.to_vec() });
    }
    fits_into_memory::<T>(sizes)
}
