//! The rules of operations that move elements: joins, pads, and assignment to a slice.

use smallvec::smallvec;

use super::indexing::indices;
use super::operations::fits;
use super::rule::{At, GradientRule, Operands, rules};
use crate::array::dynamic::DynTensor;
use crate::array::kernel::moves::Side;
use crate::element::Float;
use crate::ops::Padding;
use crate::sizes::slicing::SlicePlan;

/// Concatenation of tensors along an axis.
pub(crate) struct Concat {
    pub(crate) axis: usize,
}

/// Stacking of tensors along a new axis.
pub(crate) struct Stack {
    pub(crate) axis: usize,
}

/// Operations that move, repeat or drop elements without changing them.
pub(crate) enum Move {
    /// Padding by these numbers of elements before and after each axis.
    Pad(Vec<[isize; 2]>, Padding<()>),
    Roll {
        axis: usize,
        shift: isize,
    },
    RepeatEach {
        axis: usize,
        counts: Vec<usize>,
    },
    Triangle(Side, isize),
    Diagonals,
    Differences {
        axis: usize,
    },
}

/// Assignment to a slice: the operands are the tensor before it and the values.
pub struct AssignSlice {
    /// The slice.
    pub plan: SlicePlan,
}

rules! {
    Concat: NOTHING;
    Stack: NOTHING;
    Move: NOTHING;
    AssignSlice: NOTHING;
}

impl GradientRule for Concat {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let mut start = 0;
        let part = |position| {
            let end = start + at.sizes(position)[self.axis];
            let range = core::mem::replace(&mut start, end)..end;
            at.want(position, || fits(gradient.slice_axis(self.axis as isize, range)))
        };
        (0..at.count()).map(part).collect()
    }
}

impl GradientRule for Stack {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let part =
            |position| at.want(position, || fits(gradient.index(self.axis as isize, position)));
        (0..at.count()).map(part).collect()
    }
}

impl GradientRule for Move {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (g, sizes) = (&gradient, at.sizes(0));
        let moved = match self {
            // The transpose of padding crops what was added, and pads with 0 what was cropped.
            Self::Pad(amounts, Padding::Constant(())) => {
                let back: Vec<[isize; 2]> = amounts.iter().map(|&[a, b]| [-a, -b]).collect();
                fits(g.pad(&back, Padding::Constant(T::ZERO)))
            }
            Self::Pad(amounts, mode) => {
                // Each padded element is added to the element that it was copied from.
                let len = sizes.iter().product::<usize>();
                let numbers = DynTensor::from_vec(sizes, (0..len as i64).collect());
                let numbers = numbers.expect("one number for each element");
                let mode = match mode {
                    Padding::Edge => Padding::Edge,
                    Padding::Reflect => Padding::Reflect,
                    Padding::Symmetric => Padding::Symmetric,
                    Padding::Wrap => Padding::Wrap,
                    Padding::Constant(()) => unreachable!("the arm above"),
                };
                let numbers = fits(numbers.pad(amounts, mode)).flatten();
                let zeros = DynTensor::zeros(&[len]);
                let sums = zeros.index_add(0, &numbers, &g.flatten()).expect("numbers in range");
                fits(sums.reshape(sizes))
            }
            &Self::Roll { axis, shift } => fits(g.roll(axis as isize, shift.wrapping_neg())),
            Self::RepeatEach { axis, counts } => {
                let each = counts.iter().enumerate();
                let rows = each.flat_map(|(row, &count)| core::iter::repeat_n(row, count));
                let rows: Vec<usize> = rows.collect();
                let rows = indices(&[rows.len()], rows);
                let zeros = DynTensor::zeros(sizes);
                zeros.index_add(*axis as isize, &rows, g).expect("rows of the operand")
            }
            &Self::Triangle(side, diagonal) => {
                fits(g.triangle("triangle", side, diagonal, T::ZERO))
            }
            Self::Diagonals => fits(g.diagonal(0, -2, -1)),
            &Self::Differences { axis } => {
                let mut before = vec![[0, 0]; sizes.len()];
                let mut behind = before.clone();
                (before[axis], behind[axis]) = ([1, 0], [0, 1]);
                let pad = |amounts: &[[isize; 2]]| fits(g.pad(amounts, Padding::Constant(T::ZERO)));
                pad(&before).minus(pad(&behind))
            }
        };
        smallvec![Some(moved)]
    }
}

impl GradientRule for AssignSlice {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let part = gradient.with_plan(&self.plan);
        let kept = at.want(0, || {
            let mut kept = DynTensor::full(gradient.sizes(), true).contiguous();
            kept.assign_plan(&self.plan, &DynTensor::full(part.sizes(), false));
            gradient.keep(&kept)
        });
        smallvec![kept, at.want(1, || part.clone())]
    }
}
