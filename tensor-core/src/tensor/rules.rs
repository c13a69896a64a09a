//! The rules of gradients that have parameters, or belong to no row of the table.
//!
//! Here are their types, which operations name when they record; what they compute is in
//! [`autograd`](crate::autograd).

use crate::array::kernel::chunk::Trace;
use crate::array::kernel::moves::Side;
use crate::ops::{Combine, Interpolation, Padding};
use crate::sizes::Sizes;
use crate::sizes::slicing::SlicePlan;
use crate::sizes::windows::{Convolution, Pooling, Resizing};

/// A copy, or another view of the same elements.
#[derive(Clone, Copy)]
pub(crate) struct Identity;

/// Other elements of the same value.
pub(crate) struct Cast;

/// An integer power.
pub(crate) struct Powi(pub(crate) i32);

/// Limits: the operands are the tensor, `low` and `high`.
pub(crate) struct Clamp;

/// A choice: the operands are the mask, `then` and `otherwise`.
pub(crate) struct Select;

/// A product of matrices or vectors, by `matmul` or by `dot`.
pub(crate) struct MatMul;

/// `x · weightᵀ + bias` with a matrix and a vector: the operands are these.
pub(crate) struct Linear;

/// The products of all pairs of elements of two vectors.
pub(crate) struct Outer;

/// Tensors behind one another along an axis.
pub(crate) struct Concat {
    pub(crate) axis: usize,
}

/// Tensors behind one another along a new axis.
pub(crate) struct Stack {
    pub(crate) axis: usize,
}

/// Elements that stay as they are, elsewhere or more than once, some of them left out.
pub(crate) enum Move {
    /// So many before and behind each axis.
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

/// The parts at some places along an axis, which the axes of the indices take the place of; without an
/// axis, the elements at places in row-major order.
pub(crate) struct Take {
    pub(crate) axis: Option<usize>,
    pub(crate) places: Vec<usize>,
}

/// The elements at places along an axis, for which there is an array of sizes.
pub(crate) struct TakeAlong {
    pub(crate) axis: usize,
    pub(crate) sizes: Sizes,
    pub(crate) places: Vec<usize>,
}

/// Elements written or combined at places along an axis: the operands are the tensor and the values.
pub(crate) struct Scatter {
    pub(crate) along: TakeAlong,
    /// `None` where they are written.
    pub(crate) combine: Option<Combine>,
}

/// Parts written to places along an axis, or added there: the operands are the tensor and the values.
pub(crate) struct Rows {
    pub(crate) axis: usize,
    pub(crate) places: Vec<usize>,
    pub(crate) add: bool,
}

/// A slice that was assigned: the operands are the tensor before and the values.
pub(crate) struct AssignSlice {
    pub(crate) plan: SlicePlan,
}

/// An interpolated element of those in order along an axis, or of all.
pub(crate) struct Quantile {
    pub(crate) axis: Option<usize>,
    pub(crate) q: f64,
    pub(crate) interpolation: Interpolation,
}

impl TakeAlong {
    /// One place along the axis.
    pub(crate) fn at_one(axis: usize, sizes: &[usize], places: Vec<usize>) -> Self {
        let mut sizes = Sizes::from_slice(sizes);
        sizes[axis] = 1;
        Self { axis, sizes, places }
    }
}
/// An expression of [`fuse!`](crate::fuse!).
pub(crate) struct Fused(pub(crate) Trace);

/// A convolution: the operands are the input and the weights.
pub(crate) struct Convolve(pub(crate) Convolution);

/// The gradient of a convolution with regard to its weights: the operands are the input and the gradient of
/// the results.
pub(crate) struct ConvolveWeights(pub(crate) Convolution);

/// The largest elements of windows.
pub(crate) struct MaxPool(pub(crate) Pooling);

/// Elements added where the largest ones of windows are: the operands are the input and the elements.
pub(crate) struct MaxUnpool(pub(crate) Pooling);

/// Elements that lie where the largest ones of windows are: the operands are the input and the elements.
pub(crate) struct MaxPick(pub(crate) Pooling);

/// The means of windows.
pub(crate) struct AvgPool(pub(crate) Pooling);

/// Elements shared among those that means of windows are of.
pub(crate) struct AvgUnpool(pub(crate) Pooling);

/// The last axes at other sizes.
pub(crate) struct Resize(pub(crate) Resizing);

/// The transpose of that.
pub(crate) struct ResizeTransposed(pub(crate) Resizing);
