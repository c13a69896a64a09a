//! Steps instead of results, where an operand is traced.

use core::any::Any;
use std::sync::Arc;

use smallvec::SmallVec;
use tensor_kernels::element::Element;
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::graph::{Part, PartSizes, is_recording};
use tensor_kernels::layout::{Layout, is_traced};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::index_error::{IndexError, IndexingError};
use tensor_kernels::storage::{Buffer, Storage};

use super::scope::scope_of;
use super::value::Value;
use super::{Call, Op, Scope, Step, StepFn, is_in_backward_pass, operand};
use crate::array::dynamic::DynTensor;
use crate::array::history::parts::{Parts, recorded_result, to_any, traced_result};
use crate::array::history::{self, AnyArray, ElementType, Rule};
use crate::array::recording::Recordable;

impl history::TracedStep for Step {
    fn same(&self) -> Box<dyn history::TracedStep> {
        let constants = SmallVec::from_elem(None, 1);
        let run: StepFn = Arc::new(|operands| Ok(operands[0].contiguous()));
        let (op, element, scope) = (Op::Same, self.element, self.scope.clone());
        Box::new(Self { op, element, constants, is_gradient: is_in_backward_pass(), run, scope })
    }
}

impl Step {
    /// The step of a node of a program.
    pub(crate) fn of(step: &dyn history::TracedStep) -> Option<&Self> {
        let step: &dyn Any = step;
        step.downcast_ref()
    }
}

/// What stands for an input or a captured tensor in a program that is being traced in a scope.
fn leaf(
    scope: &Arc<Scope>,
    op: Op,
    sizes: &[usize],
    element: &'static ElementType,
    captured: Option<&AnyArray>,
) -> AnyArray {
    let run: StepFn = Arc::new(|operands| Ok(operands[0].contiguous()));
    let constants = captured.map(|array| Some(array.clone())).into_iter().collect();
    let step = Step { op, element, constants, is_gradient: false, run, scope: scope.clone() };
    element.traced(sizes.into(), history::traced_leaf(sizes.into(), captured, Box::new(step)))
}

/// An input of a program that is being traced in a scope.
pub(super) fn input(
    scope: &Arc<Scope>,
    sizes: &[usize],
    element: &'static ElementType,
) -> AnyArray {
    leaf(scope, Op::Input, sizes, element, None)
}

/// The operands of a step, of which those with a history that is not of its scope are captured.
struct Operands<'a> {
    given: &'a dyn Parts,
    captured: SmallVec<[Option<AnyArray>; 2]>,
}

impl Parts for Operands<'_> {
    fn count(&self) -> usize {
        self.given.count()
    }

    fn part(&self, position: usize) -> Part<'_> {
        self.captured[position].as_ref().map_or_else(|| self.given.part(position), part_of)
    }
}

pub(crate) fn part_of(array: &AnyArray) -> Part<'_> {
    let sizes = PartSizes::Known(array.sizes());
    Part { sizes, layout: array.layout(), elements: array.elements() }
}

/// The layout of a step with results of any type.
///
/// # Errors
///
/// If an operand is part of a program whose function has returned, or of an unrelated one.
#[cold]
#[inline(never)]
pub(crate) fn step_of(
    element: &'static ElementType,
    op: Op,
    rule: Option<Rule>,
    sizes: PartSizes<'_>,
    operands: &dyn Parts,
    run: StepFn,
) -> Result<Layout, String> {
    let positions = 0..operands.count();
    let scope = Scope::of_step(positions.clone().map(|position| operands.part(position).layout))?;
    let is_recording = is_recording();
    let of_position = |position| {
        let part: Part<'_> = operands.part(position);
        let is_captured = match is_traced(part.layout) {
            true => !Arc::ptr_eq(&scope_of(part.layout), &scope),
            false => is_recording && part.is_recorded(),
        };
        is_captured.then(|| captured(&scope, part))
    };
    let captured = positions.clone().map(of_position).collect();
    let operands = &Operands { given: operands, captured };
    let constant = |position| {
        let part: Part<'_> = operands.part(position);
        (!is_traced(part.layout)).then(|| to_any(part).forget())
    };
    let constants = positions.map(constant).collect();
    let rule = rule.filter(|_| element.is_float && is_recording);
    let is_gradient = is_in_backward_pass();
    let sizes = sizes.get();
    let result = |sizes: Sizes| element.traced(sizes, Layout::ROW_MAJOR);
    let step = Box::new(Step { op, element, constants, is_gradient, run, scope });
    Ok(traced_result(sizes, &result, rule, operands, step))
}

/// A result with this rule on these operands: tracked if an operand is, and a step if one of them or the result is traced.
#[track_caller]
pub fn with_rule(result: AnyArray, rule: impl FnOnce() -> Rule, operands: &[AnyArray]) -> AnyArray {
    let has_history = operands.iter().any(|operand| operand.node().is_some());
    if has_history && result.element().is_float && is_recording() {
        recorded_with(result, rule(), operands)
    } else {
        result
    }
}

#[track_caller]
fn recorded_with(result: AnyArray, rule: Rule, operands: &[AnyArray]) -> AnyArray {
    let (sizes, element) = result.ty();
    if operands.iter().chain([&result]).any(|array| is_traced(array.layout())) {
        // The operands of the rule come first.
        let operands = [operands, &[result]].concat();
        let run: StepFn = Arc::new(|operands| Ok(operands[operands.len() - 1].clone()));
        return step_of_arrays(Op::Same, element, Some(rule), &sizes, &operands, run);
    }
    let mut result = result.forget().contiguous();
    let elements = result.clone();
    let parts: Vec<Part<'_>> = operands.iter().map(part_of).collect();
    *result.layout_mut() =
        recorded_result(PartSizes::Known(&sizes), elements.elements(), rule, &parts.as_slice());
    result
}

/// A step on arrays of any types.
#[track_caller]
pub(crate) fn step_of_arrays(
    op: Op,
    element: &'static ElementType,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[AnyArray],
    run: StepFn,
) -> AnyArray {
    let parts: Vec<Part<'_>> = operands.iter().map(part_of).collect();
    let layout = step_of(element, op, rule, PartSizes::Known(sizes), &parts.as_slice(), run);
    element.traced(sizes.into(), unwrap_or_panic(layout))
}

/// The results of a call, of which an operand is traced; with their gradients, if it has any.
#[track_caller]
pub(super) fn results_of(
    call: &Arc<dyn Call>,
    operands: &[AnyArray],
    has_gradient: bool,
) -> Vec<AnyArray> {
    let values = call.results();
    let has_gradient = |value: &Value| has_gradient && value.element.is_float;
    let run: StepFn = Arc::new(|_| unreachable!("the step of a call has several results"));
    let parts: Vec<Part<'_>> = operands.iter().map(part_of).collect();
    // The node of the call has no elements. It has a gradient as a node of floats has.
    let rule = values.iter().any(has_gradient).then(|| Rule::Call(call.clone()));
    let (op, element, sizes) =
        (Op::Call(call.clone()), ElementType::of::<f32>(), PartSizes::Known(&[]));
    let layout = unwrap_or_panic(step_of(element, op, rule, sizes, &parts.as_slice(), run.clone()));
    let elements = Storage::<f32>::Heap(Buffer::from_slice(&[]));
    let parts = [Part { sizes, layout: layout.as_deref(), elements: &elements }];
    let result = |(number, value): (usize, &Value)| {
        let Value { sizes, element } = value;
        let (op, rule) = (Op::Result(number), has_gradient(value).then_some(Rule::Result(number)));
        let (of_result, run) = (PartSizes::Known(sizes), run.clone());
        let layout = step_of(element, op, rule, of_result, &parts.as_slice(), run);
        element.traced(sizes.clone(), unwrap_or_panic(layout))
    };
    values.iter().enumerate().map(result).collect()
}

/// An array as a value of a scope: what stands for it, if it has a history that is not of the scope.
pub(super) fn within(scope: &Arc<Scope>, array: &AnyArray) -> AnyArray {
    let is_captured = match is_traced(array.layout()) {
        true => !Arc::ptr_eq(&scope_of(array.layout()), scope),
        false => array.node().is_some(),
    };
    if is_captured { captured(scope, part_of(array)) } else { array.clone() }
}

/// What stands for a captured array in a scope.
fn captured(scope: &Arc<Scope>, part: Part<'_>) -> AnyArray {
    scope.captured(&to_any(part), |array| {
        leaf(scope, Op::Captured, array.sizes(), array.element(), Some(array))
    })
}

/// Two arrays, of which one may be of an outer program of the other's, as values of the inner one. What is computed of the
/// outer one alone would be a step of the outer program, and its gradient the sum over all turns of a loop.
#[track_caller]
pub(crate) fn in_one_scope([x, y]: [AnyArray; 2]) -> [AnyArray; 2] {
    if !is_traced(x.layout()) || !is_traced(y.layout()) {
        return [x, y];
    }
    let (of_x, of_y) = (scope_of(x.layout()), scope_of(y.layout()));
    if of_x.is_in(&of_y) {
        let y = within(&of_x, &y);
        [x, y]
    } else if of_y.is_in(&of_x) {
        [within(&of_y, &x), y]
    } else {
        [x, y]
    }
}

/// A step whose results are of type `O`.
#[track_caller]
pub(crate) fn step<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable],
    run: impl Fn(&[AnyArray]) -> DynTensor<O> + Send + Sync + 'static,
) -> DynTensor<O> {
    try_step(op, rule, sizes, operands, move |operands| Ok(run(operands)))
}

/// A step with results of type `O`, which fails if an index is out of range.
#[track_caller]
pub(crate) fn try_step<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable],
    run: impl Fn(&[AnyArray]) -> Result<DynTensor<O>, IndexingError> + Send + Sync + 'static,
) -> DynTensor<O> {
    step_by(op, rule, sizes, operands, Arc::new(move |operands| Ok(AnyArray::new(run(operands)?))))
}

/// A step with results of type `O`, which is the type of the arrays that the function returns.
#[track_caller]
fn step_by<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable],
    run: StepFn,
) -> DynTensor<O> {
    let element = ElementType::of::<O>();
    let layout = step_of(element, op, rule, PartSizes::Known(sizes), &operands, run);
    DynTensor::of_step(unwrap_or_panic(layout), sizes.into())
}

impl<T: Element> DynTensor<T> {
    /// The result of a step that is being traced, which has no elements.
    pub(crate) fn of_step(layout: Layout, sizes: Sizes) -> Self {
        Self { sizes, layout, storage: Storage::Heap(Buffer::from_slice(&[])) }
    }
}

/// The same elements, which are checked when the program runs: `[..s] → [..s]`.
#[track_caller]
pub fn checked_step<T: Element>(
    x: &DynTensor<T>,
    check: impl Fn(&DynTensor<T>) -> Result<(), IndexError> + Send + Sync + 'static,
) -> DynTensor<T> {
    try_step(Op::Same, None, x.sizes(), &[x], move |x| {
        let x = operand::<T>(x, 0);
        Ok(check(x).map(|()| x.clone())?)
    })
}

/// Whether one of the operands is traced.
pub fn is_any_traced(operands: &[&dyn Recordable]) -> bool {
    operands.iter().any(|operand| is_traced(operand.part().layout))
}
