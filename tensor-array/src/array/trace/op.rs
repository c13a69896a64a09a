//! The operations of programs.

use smallvec::SmallVec;

use super::stablehlo::builder::{Builder, Tensor};
use super::stablehlo::expression::{along, elementwise, lowering};
use super::stablehlo::scans::recurrence;
use crate::array::history::AnyArray;
use crate::array::kernel::moves::Side;
use crate::array::layout::{Strides, layout_of, num_elements};
use crate::ops::{AxisParams, Combine, Row};
use crate::sizes::Sizes;
use crate::sizes::slicing::SlicePlan;
use crate::sizes::windows::{Convolution, Pooling, Resizing};

/// The axes of a reduction.
pub(crate) type Axes = SmallVec<[usize; 6]>;

/// Generates the operations from rows: parameters, name, number of arithmetic operations, and lowering. The number may use
/// the sizes of operands and result, and the numbers of elements of the result (`written`) and of the first operand
/// (`read`); the lowering the builder, the operands `x`, and the sizes and element type of the result.
macro_rules! operations {
    (
        |$operands:ident, $result:ident, $written:ident, $read:ident|,
        |$builder:ident, $x:ident, $sizes:ident, $element:ident|
        $(
            $(#[$doc:meta])*
            $Op:ident $(($($inner:ident: $Inner:ty),*))? $({ $($field:ident: $Field:ty),* })?:
                $name:expr, $cost:expr, $lowered:expr;
        )*
    ) => {
        /// An operation of a program, with its parameters.
        #[derive(Clone, Debug)]
        pub(crate) enum Op {$(
            $(#[$doc])*
            $Op $(($($Inner),*))? $({ $($field: $Field),* })?,
        )*}

        #[allow(unused_variables, reason = "each row has what it needs of its parameters")]
        impl Op {
            /// The number of arithmetic operations on operands of these sizes: see [`Cost`](super::program::Cost).
            pub(crate) fn operations(&self, $operands: &[&[usize]], $result: &[usize]) -> u64 {
                let $written = count($result);
                let $read = $operands.first().map_or(0, |sizes| count(sizes));
                match self {$(
                    Self::$Op $(($($inner),*))? $({ $($field),* })? => $cost,
                )*}
            }

            /// Its name in a picture or in the text of a program.
            pub(crate) fn name(&self) -> &'static str {
                match self {$(
                    Self::$Op $(($($inner),*))? $({ $($field),* })? => $name,
                )*}
            }

            /// The operation in StableHLO; the result may have its elements in another shape.
            pub(super) fn lower(
                &self,
                $builder: &mut Builder,
                $x: &[Tensor],
                $sizes: &[usize],
                $element: &'static str,
            ) -> Tensor {
                match self {$(
                    Self::$Op $(($($inner),*))? $({ $($field),* })? => $lowered,
                )*}
            }
        }
    };
}

operations! {
    |operands, result, written, read|, |builder, x, sizes, element|

    /// An input of the program.
    Input(number: usize): "input", 0, unreachable!("inputs are no steps");
    /// A tensor with a history that the function captures.
    Captured: "captured", 0, x[0].clone();
    /// The elements of the last operand in row-major order. Those before it are there for the gradient.
    Same: "copy", 0, x[x.len() - 1].clone();
    /// A row of the element-wise operations.
    Row(row: &'static Row): row.name, written,
        elementwise(builder, row.lowering, x, sizes, element);
    Powi(power: i32): "powi", written, builder.integer_power(&x[0], *power);
    Clamp: "clamp", written,
        elementwise(builder, lowering!(minimum(maximum(x, y), z)), x, sizes, element);
    Select: "select", written, elementwise(builder, lowering!(select(x, y, z)), x, sizes, element);
    /// A conversion to another element type.
    Cast: "cast", written, builder.convert(&x[0], element);
    /// A reduction along axes.
    Reduce { row: &'static Row, axes: Axes, correction: usize }: row.name, read, {
        let params = AxisParams { correction: *correction, ..AxisParams::default() };
        along(builder, row.lowering, &x[0], axes, params, sizes, element)
    };
    /// An operation along an axis that keeps the sizes.
    AlongAxis { row: &'static Row, axis: usize, params: AxisParams }: row.name, read,
        along(builder, row.lowering, &x[0], &[*axis], *params, sizes, element);
    Matmul: "matmul", 2 * written * contracted(operands[0]), builder.matmul(&x[0], &x[1], sizes);
    /// `x · weightᵀ + bias`
    Linear: "linear", 2 * written * contracted(operands[0]) + written, {
        let weight = builder.transpose(&x[1], &[1, 0]);
        let product = builder.matmul(&x[0], &weight, sizes);
        let bias = builder.broadcast(&x[2], sizes);
        builder.binary("add", &product, &bias)
    };
    Outer: "outer", written, {
        let column = builder.reshape(&x[0], &[x[0].sizes[0], 1]);
        let (a, b) = (builder.broadcast(&column, sizes), builder.broadcast(&x[1], sizes));
        builder.binary("multiply", &a, &b)
    };
    Concat { axis: usize }: "concat", 0, builder.concat(x, *axis, sizes);
    Stack { axis: usize }: "stack", 0, {
        let mut of_part = sizes.to_vec();
        of_part[*axis] = 1;
        let parts: Vec<Tensor> = x.iter().map(|part| builder.reshape(part, &of_part)).collect();
        builder.concat(&parts, *axis, sizes)
    };
    /// Padding by a constant.
    Pad(amounts: Vec<[isize; 2]>, fill: AnyArray): "pad", 0, {
        let fill = constant(builder, fill);
        builder.pad(&x[0], &fill, amounts, sizes)
    };
    /// The elements on one side of a diagonal of matrices, and a constant elsewhere.
    Triangle { side: Side, diagonal: isize, fill: AnyArray }:
        if matches!(side, Side::Lower) { "tril" } else { "triu" }, 0,
        {
            let fill = constant(builder, fill);
            builder.triangle(&x[0], *side, *diagonal, &fill)
        };
    AssignSlice(plan: SlicePlan): "assign_slice", 0, builder.assign_slice(&x[0], &x[1], plan);
    /// A strided sum into a row of zeros, the gradient of a view.
    AddStrided { len: usize, offset: usize, strides: Strides }: "add_strided", read,
        builder.add_strided(&x[0], *len, *offset, strides);
    /// Indices counted from 0, which may be given from the end; checked for being in range where errors exist.
    Indices { axis: usize, size: usize }: "indices", 0, {
        let [zero, size] =
            [0, *size].map(|number| builder.number(number as f64, &x[0].sizes, "i64"));
        let is_negative = builder.compare(&x[0], &zero, "LT");
        let from_end = builder.binary("add", &x[0], &size);
        builder.select(&is_negative, &from_end, &x[0])
    };
    /// The slices at indices along an axis; the indices are the second operand.
    Take { axis: usize }: "take", 0, builder.take(&x[0], &x[1], *axis, sizes);
    TakeAlong { axis: usize }: "take_along_axis", 0, builder.take_along(&x[0], &x[1], *axis);
    /// The indices of the first elements along an axis in their order.
    Order { axis: usize, descending: bool }: "argsort", 0, {
        let order = builder.order(&x[0], *axis, *descending);
        builder.slice(&order, &vec![0; sizes.len()], sizes)
    };
    Scatter { axis: usize, combine: Option<Combine> }: "scatter",
        combine.map_or(0, |_| operands.get(1).map_or(0, |sizes| count(sizes))),
        builder.scatter(&x[0], &x[2], &x[1], *axis, *combine);
    IndexRows { axis: usize, add: bool }: if *add { "index_add" } else { "index_copy" },
        if *add { operands.get(1).map_or(0, |sizes| count(sizes)) } else { 0 },
        builder.index_rows(&x[0], &x[2], &x[1], *axis, *add);
    // Each element of the result is a sum over one filter.
    Convolve(plan: Convolution): "convolve", 2 * written * count(&operands[1][1..]),
        builder.convolve(plan, &x[0], &x[1]);
    // Each element of the gradient is multiplied by what one filter reads.
    ConvolveWeights(plan: Convolution): "convolve_weights",
        2 * count(operands[1]) * count(&result[1..]),
        builder.convolve_weights(plan, &x[0], &x[1], sizes);
    MaxPool(plan: Pooling): "max_pool", read, builder.max_pool(plan, &x[0]);
    MaxUnpool(plan: Pooling): "max_unpool", 0, builder.max_unpool(plan, &x[0], &x[1]);
    MaxPick(plan: Pooling): "max_pick", 0, builder.max_pick(plan, &x[0], &x[1]);
    AvgPool(plan: Pooling): "avg_pool", read, builder.avg_pool(plan, &x[0]);
    AvgUnpool(plan: Pooling): "avg_unpool", read, builder.avg_unpool(plan, &x[0], sizes);
    Resize(plan: Resizing): "resize", read, builder.resize(plan, &x[0], sizes);
    ResizeTransposed(plan: Resizing): "resize_transposed", read,
        builder.resize_transposed(plan, &x[0], sizes);
    /// A linear recurrence along an axis, which gradients of cumulative operations are.
    Recurrence { axis: usize }: "recurrence", read, recurrence(builder, &x[0], &x[1], *axis);
    /// The negative log-probability of a class in each row of scores.
    CrossEntropy: "cross_entropy", read, {
        let (axis, of) = (x[0].rank() - 1, &x[0].sizes);
        let row = lowering!(
            let d = subtract(x, max(x));
            negate(subtract(d, log(sum(exponential(d)))))
        );
        let losses = along(builder, row, &x[0], &[axis], AxisParams::default(), of, element);
        let classes = builder.reshape(&x[1], &[sizes, &[1]].concat());
        builder.take_along(&losses, &classes, axis)
    };
}

/// The number of elements that a product sums over, from the sizes of its left operand.
fn contracted(left: &[usize]) -> u64 {
    left.last().map_or(1, |&size| size as u64)
}

fn count(sizes: &[usize]) -> u64 {
    num_elements(sizes) as u64
}

/// The elements of an array.
pub(super) fn constant(builder: &mut Builder, array: &AnyArray) -> Tensor {
    let (stored, element) = (stored(array), array.element());
    let elements =
        builder.dense(&stored.to_le_bytes(), element.bytes, stored.sizes(), element.name);
    builder.broadcast(&elements, array.sizes())
}

/// The elements of an array without repetitions: axes along which it is broadcast have size 1.
pub(super) fn stored(array: &AnyArray) -> AnyArray {
    let Some(layout) = array.layout() else { return array.clone() };
    let axes = array.sizes().iter().zip(&layout.strides);
    let size = |(&size, &stride): (&usize, &isize)| if stride == 0 { size.min(1) } else { size };
    let sizes: Sizes = axes.map(size).collect();
    let layout = layout_of(&sizes, layout.offset, layout.strides.clone(), None);
    array.viewed(sizes, layout)
}
