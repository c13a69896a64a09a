//! A matrix view: elements and strides.

use core::ops::Range;

use crate::layout::ErasedView;

/// A matrix to read, with strides in elements.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Matrix<'a, T> {
    pub elements: &'a [T],
    /// The element of the first row and column.
    pub start: isize,
    /// The stride from one row to the next.
    pub row: isize,
    /// The stride from one column to the next.
    pub column: isize,
}

impl<'a, T: Copy> Matrix<'a, T> {
    /// A contiguous matrix, in row-major order.
    pub(in crate::kernel) fn row_major_strides(elements: &'a [T], columns: usize) -> Self {
        Self { elements, start: 0, row: columns as isize, column: 1 }
    }

    /// The matrix of a tensor of rank 2.
    pub(super) fn of_view(view: ErasedView<'a, T>) -> Self {
        let strides = view.strides();
        let [row, column] = strides[..] else { panic!("a matrix has two axes") };
        Self { elements: view.elements(), start: view.offset() as isize, row, column }
    }

    #[inline(always)]
    pub(in crate::kernel) fn get(&self, row: usize, column: usize) -> T {
        let index = self.start + row as isize * self.row + column as isize * self.column;
        self.elements[index as usize]
    }

    /// A range of columns of a row; the column stride is 1.
    #[inline(always)]
    pub(in crate::kernel) fn in_row(&self, row: usize, columns: Range<usize>) -> &'a [T] {
        debug_assert_eq!(self.column, 1);
        let start = (self.start + row as isize * self.row) as usize;
        &self.elements[start + columns.start..start + columns.end]
    }

    /// The submatrix that starts at a row and a column.
    #[inline(always)]
    pub(in crate::kernel) fn from(self, row: usize, column: usize) -> Self {
        Self { start: self.start + row as isize * self.row + column as isize * self.column, ..self }
    }

    pub(in crate::kernel) fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    /// # Panics
    ///
    /// If an element of `rows` by `columns`, neither of them 0, is not one of the elements.
    pub(in crate::kernel) fn assert_holds(&self, rows: usize, columns: usize) {
        assert!(self.holds(rows, columns) == Some(true), "strides within the elements");
    }

    /// Whether every element of `rows` by `columns` is within the elements; `None` if an index
    /// overflows.
    fn holds(&self, rows: usize, columns: usize) -> Option<bool> {
        let down = isize::try_from(rows.checked_sub(1)?).ok()?.checked_mul(self.row)?;
        let right = isize::try_from(columns.checked_sub(1)?).ok()?.checked_mul(self.column)?;
        let first = self.start.checked_add(down.min(0))?.checked_add(right.min(0))?;
        let last = self.start.checked_add(down.max(0))?.checked_add(right.max(0))?;
        Some(first >= 0 && last.unsigned_abs() < self.elements.len())
    }
}
