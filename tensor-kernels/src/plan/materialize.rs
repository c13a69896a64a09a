//! Materialisation of small operands: each is expanded once, so that they can be combined row by row.
//!
//! `[8, 1, 6, 1] ⊕ [7, 1, 5]` has rows of 6 × 5 elements. Materialised, the left operand is 8 such rows,
//! the right one 7; every row of the left is then combined with every row of the right. So 450 elements are
//! moved for the 1,680 results, and the loop over rows has no special cases.

use super::Loop;

/// The maximum number of elements of a materialised operand.
pub(crate) const MATERIALIZE_MAX: usize = 1024;

/// The maximum number of results. Tiles have longer rows, which pays for larger results.
const MATERIALIZED_RESULT_MAX: usize = 4 * MATERIALIZE_MAX;

/// The minimum number of elements of a row, if the result has that many elements.
const ROW: usize = 16;

/// The maximum number of loops over what is read of one operand.
const LEVELS: usize = 4;

/// The number of steps of a loop, and its stride in elements.
pub(crate) type CountStride = (usize, isize);

/// A loop of one step.
const ONCE: CountStride = (1, 0);

/// A plan for results in rows, of operands that are contiguous along each row, or are materialised first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaterializePlan<const N: usize> {
    /// The number of elements of a row.
    pub columns: usize,
    /// The loops around a row, the inner one first; the strides of a materialised operand
    /// are those in the buffer.
    pub outer_loops: [Loop<N>; 2],
    pub operands: [OperandSource; N],
}

/// The source of the rows of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandSource {
    /// Its rows, read in place.
    Rows,
    /// A splat: one element for each row.
    Single,
    /// A buffer, filled by these steps, the innermost first, one row after the other.
    Materialized([CountStride; LEVELS]),
}

impl<const N: usize> MaterializePlan<N> {
    /// The plan for nested loops, the innermost first; `None` if the operands are too large, or too many
    /// loops lead through one, or there are no results.
    pub(crate) const fn of(loops: &[Loop<N>], len: usize) -> Option<Self> {
        if len == 0 || len > MATERIALIZED_RESULT_MAX {
            return None;
        }
        let (mut levels, mut columns) = (0, 1);
        while levels < loops.len() && (columns < ROW || levels + 2 < loops.len()) {
            columns *= loops[levels].size;
            levels += 1;
        }
        let (inner, outer) = loops.split_at(levels);
        let mut outer_loops = [Loop::ONCE; 2];
        let mut level = 0;
        while level < outer.len() {
            outer_loops[level] = outer[level];
            level += 1;
        }
        let mut operands = [OperandSource::Rows; N];
        let mut k = 0;
        while k < N {
            let mut steps = StridedWalk::<LEVELS>::EMPTY;
            let (mut read, mut position) = (1, columns as isize);
            let mut level = 0;
            while level < inner.len() {
                steps.push((inner[level].size, inner[level].strides[k]));
                level += 1;
            }
            let goes_back = outer_loops[0].strides[k] < 0 || outer_loops[1].strides[k] < 0;
            if steps.is_broadcast() && !goes_back {
                operands[k] = OperandSource::Single;
            } else if !steps.is_contiguous() || goes_back {
                let mut level = 0;
                while level < outer_loops.len() {
                    let Loop { size, strides } = outer_loops[level];
                    if strides[k] != 0 {
                        steps.push((size, strides[k]));
                        outer_loops[level].strides[k] = position;
                        position *= size as isize;
                        read *= size;
                    }
                    level += 1;
                }
                if columns * read > MATERIALIZE_MAX || steps.levels > LEVELS {
                    return None;
                }
                operands[k] = OperandSource::Materialized(steps.steps);
            }
            k += 1;
        }
        Some(Self { columns, outer_loops, operands })
    }
}

/// At most `LEVELS` loops; two are merged if one continues where the one within it ends.
#[derive(Clone, Copy)]
pub(crate) struct StridedWalk<const LEVELS: usize> {
    /// The loops, innermost first; [`ONCE`] from `levels` on.
    pub steps: [CountStride; LEVELS],
    /// The number of loops; one more than there is room for, if they are too many.
    pub levels: usize,
}

impl<const LEVELS: usize> StridedWalk<LEVELS> {
    pub(crate) const EMPTY: Self = Self { steps: [ONCE; LEVELS], levels: 0 };

    /// Adds a loop around the others.
    pub(crate) const fn push(&mut self, (size, stride): CountStride) {
        if self.levels > LEVELS {
            return;
        }
        if self.levels > 0 {
            let inner = &mut self.steps[self.levels - 1];
            if stride == inner.1 * inner.0 as isize {
                inner.0 *= size;
                return;
            }
        }
        if self.levels < LEVELS {
            self.steps[self.levels] = (size, stride);
        }
        self.levels += 1;
    }

    /// Whether all steps lead to the same element.
    pub(crate) const fn is_broadcast(&self) -> bool {
        self.levels == 0 || (self.levels == 1 && self.steps[0].1 == 0)
    }

    /// Whether the elements are contiguous.
    pub(crate) const fn is_contiguous(&self) -> bool {
        self.levels == 0 || (self.levels == 1 && self.steps[0].1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;

    fn materialize<const N: usize>(
        result: &[usize],
        operands: [&[usize]; N],
    ) -> Option<MaterializePlan<N>> {
        Plan::from_sizes(result, operands)?.materialize()
    }

    #[test]
    fn both_sides_are_spread_out() {
        let materialize = materialize(&[8, 7, 6, 5], [&[8, 1, 6, 1], &[7, 1, 5]]).unwrap();
        assert_eq!(materialize.columns, 30);
        let [inner, outer] = materialize.outer_loops;
        assert_eq!((inner.size, inner.strides), (7, [0, 30]));
        assert_eq!((outer.size, outer.strides), (8, [30, 0]));
        // Every element of the left side 5 times; every five elements of the right side 6 times.
        let [left, right] = materialize.operands;
        assert_eq!(left, OperandSource::Materialized([(5, 0), (48, 1), ONCE, ONCE]));
        assert_eq!(right, OperandSource::Materialized([(5, 1), (6, 0), (7, 5), ONCE]));
    }

    #[test]
    fn what_lies_in_rows_is_read_there() {
        let materialize = materialize(&[20, 30], [&[20, 1], &[30]]).unwrap();
        assert_eq!(materialize.operands, [OperandSource::Single, OperandSource::Rows]);
        assert_eq!((materialize.columns, materialize.outer_loops[0].strides), (30, [1, 0]));
    }

    /// A loop of two operands.
    fn dim(size: usize, strides: [isize; 2]) -> Loop<2> {
        Loop { size, strides }
    }

    #[test]
    fn what_leads_back_is_spread_out() {
        // Within a row, and from row to row.
        let materialize = MaterializePlan::of(&[dim(20, [-1, 1]), dim(3, [20, -20])], 60).unwrap();
        let [left, right] = materialize.operands;
        assert_eq!(left, OperandSource::Materialized([(20, -1), (3, 20), ONCE, ONCE]));
        assert_eq!(right, OperandSource::Materialized([(20, 1), (3, -20), ONCE, ONCE]));
        assert_eq!((materialize.columns, materialize.outer_loops[0].strides), (20, [20, 20]));
    }

    #[test]
    fn repeated_elements_are_read_where_they_are() {
        let materialize =
            MaterializePlan::of(&[dim(16, [0, 0]), dim(3, [1, 0]), dim(2, [0, 1])], 96).unwrap();
        assert_eq!(materialize.operands, [OperandSource::Single; 2]);
        assert_eq!(materialize.outer_loops.map(|dim| dim.strides), [[1, 0], [0, 1]]);
    }

    #[test]
    fn up_to_four_steps_lead_through_an_operand() {
        let loops = [1, 5, 0, 70, 700].map(|step| dim(2, [0, step]));
        assert!(MaterializePlan::of(&loops[..4], 16).is_some());
        assert_eq!(MaterializePlan::of(&loops, 32), None);
    }

    #[test]
    fn large_operands_are_not() {
        assert!(materialize(&[64, 64], [&[64, 1], &[64]]).is_some());
        assert_eq!(materialize(&[65, 64], [&[65, 1], &[64]]), None);
        assert!(materialize(&[64, 2, 8], [&[64, 1, 8], &[2, 8]]).is_some());
        assert_eq!(materialize(&[65, 2, 8], [&[65, 1, 8], &[2, 8]]), None);
        assert_eq!(materialize(&[2000, 3], [&[2000, 3], &[3]]), None);
        assert_eq!(materialize(&[9, 40, 5], [&[9, 40, 1], &[9, 40, 5]]), None);
    }
}
