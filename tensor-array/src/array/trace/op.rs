//! The operations of programs.

use smallvec::SmallVec;

use crate::array::history::AnyArray;

use crate::array::layout::{Strides, num_elements};
use crate::ops::{AxisParams, Combine, Row};
use crate::sizes::slicing::SlicePlan;
use crate::sizes::windows::{Convolution, Pooling, Resizing};

/// The axes of a reduction.
pub(crate) type Axes = SmallVec<[usize; 6]>;

/// An operation of a program, with its parameters.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// An input of the program.
    Input(usize),
    /// The elements of the last operand in row-major order. One before it is there for the gradient.
    Same,
    /// A row of the element-wise operations.
    Row(&'static Row),
    Powi(i32),
    Clamp,
    Select,
    /// A conversion to another element type.
    Cast,
    /// A reduction along axes.
    Reduce {
        row: &'static Row,
        axes: Axes,
        correction: usize,
    },
    /// An operation along an axis that keeps the sizes.
    AlongAxis {
        row: &'static Row,
        axis: usize,
        params: AxisParams,
    },
    Matmul,
    /// `x · weightᵀ + bias`
    Linear,
    Outer,
    Concat {
        axis: usize,
    },
    Stack {
        axis: usize,
    },
    /// Padding by a constant.
    Pad(Vec<[isize; 2]>, AnyArray),
    AssignSlice(SlicePlan),
    /// A strided sum into a row of zeros, the gradient of a view.
    AddStrided {
        len: usize,
        offset: usize,
        strides: Strides,
    },
    /// The slices at indices along an axis; the indices are the second operand.
    Take {
        axis: usize,
    },
    TakeAlong {
        axis: usize,
    },
    /// The indices of the first elements along an axis in their order.
    Order {
        axis: usize,
        descending: bool,
    },
    Scatter {
        axis: usize,
        combine: Option<Combine>,
    },
    IndexRows {
        axis: usize,
        add: bool,
    },
    Convolve(Convolution),
    ConvolveWeights(Convolution),
    MaxPool(Pooling),
    MaxUnpool(Pooling),
    MaxPick(Pooling),
    AvgPool(Pooling),
    AvgUnpool(Pooling),
    Resize(Resizing),
    ResizeTransposed(Resizing),
    /// A linear recurrence along an axis, which gradients of cumulative operations are.
    Recurrence {
        axis: usize,
    },
    /// The negative log-probability of a class in each row of scores.
    CrossEntropy,
}

impl Op {
    /// The number of arithmetic operations on operands of these sizes: see [`Cost`](super::program::Cost).
    pub(crate) fn operations(&self, operands: &[&[usize]], result: &[usize]) -> u64 {
        let (written, read) = (count(result), operands.first().map_or(0, |sizes| count(sizes)));
        match self {
            Self::Row(_)
            | Self::Powi(_)
            | Self::Clamp
            | Self::Select
            | Self::Cast
            | Self::Outer => written,
            Self::Matmul => 2 * written * contracted(operands[0]),
            Self::Linear => 2 * written * contracted(operands[0]) + written,
            // Each element of the result is a sum over one filter.
            Self::Convolve(_) => 2 * written * count(&operands[1][1..]),
            // Each element of the gradient is multiplied by what one filter reads.
            Self::ConvolveWeights(_) => 2 * count(operands[1]) * count(&result[1..]),
            Self::Reduce { .. }
            | Self::AlongAxis { .. }
            | Self::MaxPool(_)
            | Self::AvgPool(_)
            | Self::AvgUnpool(_)
            | Self::Resize(_)
            | Self::ResizeTransposed(_)
            | Self::Recurrence { .. }
            | Self::CrossEntropy
            | Self::AddStrided { .. } => read,
            Self::Scatter { combine: Some(_), .. } | Self::IndexRows { add: true, .. } => {
                operands.get(1).map_or(0, |sizes| count(sizes))
            }
            Self::Input(_)
            | Self::Same
            | Self::Concat { .. }
            | Self::Stack { .. }
            | Self::Pad(..)
            | Self::AssignSlice(_)
            | Self::Take { .. }
            | Self::TakeAlong { .. }
            | Self::Order { .. }
            | Self::Scatter { combine: None, .. }
            | Self::IndexRows { add: false, .. }
            | Self::MaxUnpool(_)
            | Self::MaxPick(_) => 0,
        }
    }

    /// The name of the operation.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Same => "copy",
            Self::Row(row) => row.name,
            Self::Powi(_) => "powi",
            Self::Clamp => "clamp",
            Self::Select => "select",
            Self::Cast => "cast",
            Self::Reduce { row, .. } | Self::AlongAxis { row, .. } => row.name,
            Self::Matmul => "matmul",
            Self::Linear => "linear",
            Self::Outer => "outer",
            Self::Concat { .. } => "concat",
            Self::Stack { .. } => "stack",
            Self::Pad(..) => "pad",
            Self::AssignSlice(_) => "assign_slice",
            Self::AddStrided { .. } => "add_strided",
            Self::Take { .. } => "take",
            Self::TakeAlong { .. } => "take_along_axis",
            Self::Order { .. } => "argsort",
            Self::Scatter { .. } => "scatter",
            Self::IndexRows { add: true, .. } => "index_add",
            Self::IndexRows { add: false, .. } => "index_copy",
            Self::Recurrence { .. } => "recurrence",
            Self::CrossEntropy => "cross_entropy",
            Self::Convolve(_) => "convolve",
            Self::ConvolveWeights(_) => "convolve_weights",
            Self::MaxPool(_) => "max_pool",
            Self::MaxUnpool(_) => "max_unpool",
            Self::MaxPick(_) => "max_pick",
            Self::AvgPool(_) => "avg_pool",
            Self::AvgUnpool(_) => "avg_unpool",
            Self::Resize(_) => "resize",
            Self::ResizeTransposed(_) => "resize_transposed",
        }
    }
}

/// The size of the axis that a product sums over.
fn contracted(left: &[usize]) -> u64 {
    left.last().map_or(1, |&size| size as u64)
}

/// The number of elements.
fn count(sizes: &[usize]) -> u64 {
    num_elements(sizes) as u64
}
