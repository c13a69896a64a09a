//! Slices replaced by or added to others at indices along an axis: `index_copy`, `index_add`.

use super::positions::{check_operand, positions};
use super::prelude::*;
use tensor_kernels::indexing;

operation_rows! {
    topic "By indices" {
        index_add: 3 "Number" "add.at" "index_add" "scatter";
        index_copy: 3 "Element" "" "index_copy" "scatter";
    }
}

/// Slices of the second operand in place of those at positions, the third operand, along an axis.
#[derive(Debug)]
struct IndexCopy {
    axis: usize,
}

primitive!(IndexCopy, |_| "index_copy", |_, _, _| 0, |rows, to| {
    to.builder.index_rows(&to.x[0], &to.x[2], &to.x[1], rows.axis, false)
});

/// Slices of the second operand added to those at positions, the third operand, along an axis.
#[derive(Debug)]
struct IndexAdd {
    axis: usize,
}

primitive!(IndexAdd, |_| "index_add", |_, operands, _| count(operands[1]), |rows, to| {
    to.builder.index_rows(&to.x[0], &to.x[2], &to.x[1], rows.axis, true)
});

evaluate!(
    IndexCopy => (x: T, rows: T, positions: i64) -> T where T: Element,
    |copy, _| indexing::index_copy(x.as_view(), copy.axis, positions.row_major().as_slice(), rows.as_view()),
    |copy| {
        let (axis, positions) = (copy.axis, positions.clone());
        IndexRowsRule { axis, positions, add: false }
    },
);

evaluate!(
    IndexAdd => (x: T, rows: T, positions: i64) -> T where T: Number,
    |add, _| indexing::index_add(x.as_view(), add.axis, positions.row_major().as_slice(), rows.as_view()),
    |add| {
        let (axis, positions) = (add.axis, positions.clone());
        IndexRowsRule { axis, positions, add: true }
    },
);

struct IndexRowsRule {
    axis: usize,
    positions: DynTensor<i64>,
    add: bool,
}

impl GradientRule for IndexRowsRule {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let taken = || gradient.taken(self.axis, &self.positions);
        if self.add {
            return smallvec![at.want(0, || gradient.clone()), at.want(1, taken)];
        }
        // For each row of the operand the last row that was copied there, which is the one that counts.
        let numbers = DynTensor::<i64>::arange(self.positions.len());
        let none = DynTensor::full(&[at.sizes(0)[self.axis]], -1_i64);
        let copied = none.with_rows(0, &self.positions, &numbers);
        let last = copied.taken(0, &self.positions);
        let (last, kept) = (fits(last.equal(&numbers)), fits(copied.less(&DynTensor::scalar(0))));
        let along = |mask: DynTensor<bool>| {
            let mut sizes = Sizes::from_elem(1, at.sizes(0).len());
            sizes[self.axis] = mask.len();
            fits(mask.reshape(&sizes))
        };
        smallvec![
            at.want(0, || gradient.keep(&along(kept))),
            at.want(1, || taken().keep(&along(last))),
        ]
    }
}

impl<T: Element> DynTensor<T> {
    /// The tensor with rows in place of those at positions along an axis.
    #[track_caller]
    fn with_rows(&self, axis: usize, positions: &DynTensor<i64>, rows: &Self) -> Self {
        apply::<(T, T, i64), _>(IndexCopy { axis }, (self, rows, positions), self.sizes.clone())
    }

    /// The positions of indices of slices along an axis; there is a slice for each in `values`.
    #[track_caller]
    fn positions_of_rows<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<(usize, DynTensor<i64>), IndexingError> {
        let axis = self.axis_index(axis)?;
        let mut expected = self.sizes.clone();
        expected[axis] = indices.len();
        check_operand("indices", &[indices.len()], &indices.sizes)?;
        check_operand("values", &expected, &values.sizes)?;
        Ok((axis, positions(indices, axis, self.sizes[axis])?))
    }
}

impl<T: Number> DynTensor<T> {
    /// The tensor with rows added to those at positions along an axis.
    #[track_caller]
    pub(crate) fn add_rows(&self, axis: usize, positions: &DynTensor<i64>, rows: &Self) -> Self {
        apply::<(T, T, i64), _>(IndexAdd { axis }, (self, rows, positions), self.sizes.clone())
    }
}

/// # Slices replaced at indices
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The tensor with the slices at `indices` along an axis replaced by those of `values`,
    /// `[..a, n, ..b], [k], [..a, k, ..b] → [..a, n, ..b]`: the inverse of [`take`](Self::take). If an index
    /// occurs twice, the last slice is kept.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the number of rows differs from the number
    /// of indices.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let (indices, rows) = (tensor![2, 0].into(), tensor![[50, 60], [10, 20]].into());
    /// assert_eq!(x.index_copy(0, &indices, &rows)?, tensor![[10, 20], [3, 4], [50, 60]].into());
    /// ```
    pub fn index_copy<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        let (axis, positions) = self.positions_of_rows(axis, indices, values)?;
        Ok(self.with_rows(axis, &positions, values))
    }

    /// The tensor with slices of `values` added to those at `indices` along an axis,
    /// `[..a, n, ..b], [k], [..a, k, ..b] → [..a, n, ..b]`, in order; 16-bit floats are summed in `f32`: the
    /// gradient of [`take`](Self::take) and [`embedding`](Self::embedding).
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the number of rows differs from the number
    /// of indices.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let (indices, rows) = (tensor![2, 0].into(), tensor![[50, 60], [10, 20]].into());
    /// assert_eq!(x.index_add(0, &indices, &rows)?, tensor![[11, 22], [3, 4], [55, 66]].into());
    /// ```
    pub fn index_add<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
        T: Number,
    {
        let (axis, positions) = self.positions_of_rows(axis, indices, values)?;
        Ok(self.add_rows(axis, &positions, values))
    }
}
