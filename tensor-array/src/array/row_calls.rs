//! Rows of kernels in graphs: what they are in programs, and their gradients.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;
use tensor_kernels::element::{Element, Float};
use tensor_kernels::instances::instances;
use tensor_kernels::layout::Layout;
use tensor_kernels::layout::graph::{
    Elements, GraphNode, Part, PartSizes, RowCall, Run, is_recording,
};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::ops::{AxisParams, Row, RowGroup};
use tensor_kernels::sizes::Sizes;

use crate::array::gradients::rule::each_float;
use crate::array::history::parts::{recorded_result, to_any};
use crate::array::history::{AlongAxes, ElementType, HasAxesRule, HasRule, Node, Rule};
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

/// The gradient rule of an operation on floats of this type; `None` where the gradient is zero or undefined.
fn rule<T: Float>(operation: &RowCall<'_>) -> Option<Rule> {
    match *operation {
        RowCall::Elementwise(row) => {
            let rules: fn() -> Option<Rule> =
                constant_of_row!(row, HasRule<T>, rule, unreachable!("it is not element-wise"));
            rules()
        }
        RowCall::Along { row, axes, params } => {
            let rules: &[fn(AlongAxes) -> Option<Rule>] =
                for_each_reduction!(constants_along (HasAxesRule<T>) rule);
            rules[row.position](AlongAxes { axes: axes.into(), params })
        }
        RowCall::Product => Some(Rule::of::<T>(Matmul)),
    }
}

/// [`rule`] for each element type of which a tensor may have a gradient, by its number. A program has the rules of those
/// types alone: they are entered where a tensor becomes one that requires a gradient, is cast, or is traced.
static RULES: [OnceLock<RowRules>; ElementType::COUNT] =
    [const { OnceLock::new() }; ElementType::COUNT];

type RowRules = fn(&RowCall<'_>) -> Option<Rule>;

/// Tensors of this type may have gradients from now on. Not inlined, so that the code of rules is that of this crate.
#[inline(never)]
pub fn track<T: Element>() {
    if T::IS_FLOAT {
        for element in [T::NUMBER, T::Gradient::NUMBER] {
            RULES[element].get_or_init(|| rule::<T::Gradient>);
        }
    }
}

macro_rules! track_of {
    ($T:ident []) => {
        instances!(track::<$T>);
    };
}

for_each_element!(each_float[track_of []]);

/// [`track`] for a type that is known at run time.
pub fn track_type(element: &ElementType) {
    macro_rules! track_if {
        ($T:ident [$element:ident]) => {
            if $element == ElementType::of::<$T>() {
                track::<$T>();
            }
        };
    }
    for_each_element!(each_float[track_if[element]]);
}

/// The gradient rule of an operation whose result has elements of the type with this number.
pub(crate) fn rule_of(operation: &RowCall<'_>, element: usize) -> Option<Rule> {
    RULES[element].get()?(operation)
}

impl GraphNode for Node {
    fn record(
        &self,
        operation: &RowCall<'_>,
        sizes: &[usize],
        result: &dyn Elements,
        operands: &[Part<'_>],
    ) -> Layout {
        let element = result.element();
        assert!(
            RULES[element].get().is_some() || !ElementType::numbered(element).is_float,
            "no tensor of this type has required a gradient"
        );
        match rule_of(operation, element) {
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
        let (rule, element) = (rule_of(operation, element), ElementType::numbered(element));
        step_of(element, op(operation), rule, PartSizes::Known(sizes), &operands, run)
    }

    fn check(&self) -> Result<(), String> {
        match self.step.as_deref().and_then(Step::of) {
            Some(step) => step.scope.check(),
            None => Ok(()),
        }
    }
}
