//! Rows of kernels in graphs: what they are in programs, and their gradients.

use std::sync::Arc;

use smallvec::SmallVec;
use tensor_kernels::layout::Layout;
use tensor_kernels::layout::graph::{
    Elements, GraphNode, Part, PartSizes, RowCall, Run, is_recording,
};
use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::ops::{AxisParams, Row, RowGroup};
use tensor_kernels::sizes::Sizes;

use crate::array::history::parts::{recorded_result, to_any};
use crate::array::history::{AlongAxes, Backward, ElementType, HasAxesRule, HasRule, Node, Rule};
use crate::array::row_constants::{constant_of_row, constants_along};
use crate::array::trace::stablehlo::expression::{along, elementwise};
use crate::array::trace::stablehlo::rows::lowering_of;
use crate::array::trace::{Op, Step, StepFn, count, part_of, primitive, step_of};
use crate::ops::matmul::Matmul;

primitive!(
    &'static Row,
    |row| row.name,
    |_, _, result| count(result),
    |row, to| elementwise(to.builder, lowering_of(row), to.x, to.sizes, to.element),
    |row, operands| row.divides.then(|| operands[0]),
    |row| matches!(row.group, RowGroup::FloatUnary),
);

/// A row along axes as a step of a program.
#[derive(Debug)]
struct Along {
    row: &'static Row,
    axes: SmallVec<[usize; 6]>,
    params: AxisParams,
}

primitive!(Along, |call| call.row.name, |_, operands, _| count(operands[0]), |call, to| {
    let row = lowering_of(call.row);
    along(to.builder, row, &to.x[0], &call.axes, call.params, to.sizes, to.element)
});

/// What an operation is in programs.
fn op(operation: &RowCall<'_>) -> Op {
    match *operation {
        RowCall::Elementwise(row) => row.into(),
        RowCall::Along { row, axes, params } => Along { row, axes: axes.into(), params }.into(),
        RowCall::Product => Matmul.into(),
    }
}

/// The gradient rule of an element-wise row; `None` where the gradient is zero or undefined.
pub(crate) fn rule_of(row: &Row) -> Option<&'static dyn Backward> {
    constant_of_row!(row, HasRule::RULE, unreachable!("it is not element-wise"))
}

/// The gradient rule of an operation.
fn rule(operation: &RowCall<'_>) -> Option<Rule> {
    match *operation {
        RowCall::Elementwise(row) => rule_of(row).map(Rule::from),
        RowCall::Along { row, axes, params } => {
            let rules: &[Option<fn(AlongAxes) -> Rule>] =
                for_each_reduction!(constants_along HasAxesRule RULE);
            rules[row.position].map(|rule| rule(AlongAxes { axes: axes.into(), params }))
        }
        RowCall::Product => Some(Rule::Constant(&Matmul)),
    }
}

impl GraphNode for Node {
    fn record(
        &self,
        operation: &RowCall<'_>,
        sizes: &[usize],
        result: &dyn Elements,
        operands: &[Part<'_>],
    ) -> Layout {
        match rule(operation) {
            Some(rule) if is_recording() => {
                recorded_result(PartSizes::Known(sizes), result, rule, &operands)
            }
            _ => Layout::ROW_MAJOR,
        }
    }

    fn trace(
        &self,
        operation: &RowCall<'_>,
        element: usize,
        sizes: &[usize],
        operands: &[Part<'_>],
        run: Run,
    ) -> Result<Layout, String> {
        let of_result = Sizes::from_slice(sizes);
        let run: StepFn = Arc::new(move |operands| {
            let parts: SmallVec<[Part<'_>; 3]> = operands.iter().map(part_of).collect();
            let (elements, sizes) = (run(&parts), PartSizes::Known(&of_result));
            Ok(to_any(Part { sizes, layout: None, elements: &*elements }))
        });
        let element = ElementType::numbered(element);
        step_of(element, op(operation), rule(operation), PartSizes::Known(sizes), &operands, run)
    }

    fn check(&self) -> Result<(), String> {
        match self.step.as_deref().and_then(Step::of) {
            Some(step) => step.scope.check(),
            None => Ok(()),
        }
    }
}
