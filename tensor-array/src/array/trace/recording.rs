//! Steps instead of results, where an operand is traced.

use core::any::{Any, TypeId};
use core::ptr::null;
use std::sync::Arc;

use smallvec::SmallVec;

use super::scope::scope_of;
use super::{Op, Scope, Step, StepFn, is_in_backward_pass, operand};
use crate::array::dynamic::DynTensor;
use crate::array::history::parts::{
    Elements, Part, PartSizes, Parts, recorded_result, traced_result,
};
use crate::array::history::{self, AnyArray, Backward, BufferType, ElementType, Rule};
use crate::array::kernel::elementwise::Run;
use crate::array::layout::{ErasedView, Layout, is_traced};
use crate::array::recording::Recordable;
use crate::array::storage::{Buffer, RawBuffer, Storage};
use crate::element::Element;
use crate::ops::elements::HasElementType;
use crate::ops::operation::Conversion;
use crate::ops::{Kernel, RawResults};
use crate::sizes::Sizes;
use crate::sizes::index_error::{IndexError, IndexingError};

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
    pub(super) fn of(step: &dyn history::TracedStep) -> Option<&Self> {
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

fn part_of(array: &AnyArray) -> Part<'_> {
    let sizes = PartSizes::Known(array.sizes());
    Part { sizes, layout: array.layout(), elements: array }
}

/// The memory and the layout of a step with results of any type.
///
/// # Panics
///
/// If an operand is part of a program whose function has returned, or of an unrelated one.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn step_of(
    element: &'static ElementType,
    op: Op,
    rule: Option<Rule>,
    sizes: PartSizes<'_>,
    operands: &dyn Parts,
    run: StepFn,
) -> RawResults {
    let positions = 0..operands.count();
    let scope = Scope::of_step(positions.clone().map(|position| operands.part(position).layout));
    let is_recording = history::is_recording();
    let captured = |position| {
        let part: Part<'_> = operands.part(position);
        let is_captured = match is_traced(part.layout) {
            true => !Arc::ptr_eq(&scope_of(part.layout), &scope),
            false => is_recording && part.is_recorded(),
        };
        is_captured.then(|| {
            scope.captured(&part.to_any(), |array| {
                leaf(&scope, Op::Captured, array.sizes(), array.element(), Some(array))
            })
        })
    };
    let captured = positions.clone().map(captured).collect();
    let operands = &Operands { given: operands, captured };
    let constant = |position| {
        let part: Part<'_> = operands.part(position);
        (!is_traced(part.layout)).then(|| part.to_any().forget())
    };
    let constants = positions.map(constant).collect();
    let rule = rule.filter(|_| element.is_float && is_recording);
    let is_gradient = is_in_backward_pass();
    let sizes = sizes.get();
    let result = |sizes: Sizes| element.traced(sizes, Layout::ROW_MAJOR);
    let step = Box::new(Step { op, element, constants, is_gradient, run, scope });
    ((element.no_elements)(), traced_result(sizes, &result, rule, operands, step))
}

/// A result with this rule on these operands: tracked if an operand is, and a step if one of them or the result is traced.
#[track_caller]
pub fn with_rule(result: AnyArray, rule: impl FnOnce() -> Rule, operands: &[AnyArray]) -> AnyArray {
    let (sizes, element) = (Sizes::from_slice(result.sizes()), result.element());
    let has_history = operands.iter().any(|operand| operand.node().is_some());
    if !(has_history && element.is_float && history::is_recording()) {
        return result;
    }
    if operands.iter().chain([&result]).any(|array| is_traced(array.layout())) {
        // The operands of the rule come first.
        let operands = [operands, &[result]].concat();
        let run: StepFn = Arc::new(|operands| Ok(operands[operands.len() - 1].clone()));
        return step_of_arrays(Op::Same, element, Some(rule()), &sizes, &operands, run);
    }
    let mut result = result.forget().contiguous();
    let (rule, elements) = (rule(), result.clone());
    let parts: Vec<Part<'_>> = operands.iter().map(part_of).collect();
    *result.layout_mut() =
        recorded_result(PartSizes::Known(&sizes), &elements, rule, &parts.as_slice());
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
    let (results, layout) =
        step_of(element, op, rule, PartSizes::Known(sizes), &parts.as_slice(), run);
    // SAFETY: the memory is of this type; a traced array needs no elements.
    unsafe { element.array(results, sizes.into(), layout) }
}

// SAFETY: there is no buffer.
unsafe impl Elements for AnyArray {
    fn array(&self, sizes: Sizes, layout: Layout) -> AnyArray {
        self.viewed(sizes, layout)
    }

    fn buffer(&self) -> Option<(&'static BufferType, RawBuffer)> {
        None
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
pub(crate) fn step_by<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable],
    run: StepFn,
) -> DynTensor<O> {
    let element = O::ELEMENT_TYPE;
    let (results, layout) = step_of(element, op, rule, PartSizes::Known(sizes), &operands, run);
    // SAFETY: the memory is of type `O`.
    let storage = Storage::Heap(unsafe { Buffer::from_raw(results) });
    DynTensor { sizes: sizes.into(), layout, storage }
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

/// The row of a kernel, and the type of its results for elements of this type.
fn row_of<const N: usize>(
    kernel: &Kernel<N>,
    operand: &'static ElementType,
) -> (Op, &'static ElementType) {
    let recording =
        kernel.recording.as_ref().expect("the kernel of a row states its operand and result types");
    // Kernels of integers are shared by types with the same bits. Results of another type are masks.
    let is_mask = recording.result == TypeId::of::<bool>();
    let result = if is_mask { bool::ELEMENT_TYPE } else { operand };
    let op = match recording.row {
        Some(row) => row.into(),
        None => Conversion.into(),
    };
    (op, result)
}

/// A run of a kernel on arrays of its element types.
///
/// # Safety
///
/// The kernel takes the elements of the operands and no parameters, and its results are of this type.
unsafe fn run_of<const N: usize>(
    kernel: &'static Kernel<N>,
    element: &'static ElementType,
    sizes: &[usize],
) -> StepFn
where
    Kernel<N>: Run<N>,
{
    let sizes = Sizes::from_slice(sizes);
    Arc::new(move |operands| {
        let views: [ErasedView<'_>; N] =
            core::array::from_fn(|position| operands[position].untyped());
        // SAFETY: as the caller promises.
        unsafe {
            let results = kernel.collect(null(), &None, &sizes, &views);
            Ok(element.array(results, sizes.clone(), Layout::ROW_MAJOR))
        }
    })
}

/// A row of the table on elements of this type, with operands that broadcast to the sizes.
///
/// # Safety
///
/// The kernel takes such elements and no parameters.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) unsafe fn row_step<const N: usize>(
    kernel: &'static Kernel<N>,
    operand: &'static ElementType,
    rule: Option<&'static dyn Backward>,
    sizes: &[usize],
    operands: [Part<'_>; N],
) -> RawResults
where
    Kernel<N>: Run<N>,
{
    let (op, element) = row_of(kernel, operand);
    // SAFETY: as the caller promises.
    let run = unsafe { run_of(kernel, element, sizes) };
    let rule = rule.map(Rule::from);
    step_of(element, op, rule, PartSizes::Known(sizes), &operands.as_slice(), run)
}

/// The step of an operation along axes, with its storage.
#[track_caller]
pub(crate) fn reduction_step<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operand: Part<'_>,
    run: StepFn,
) -> (Storage<O>, Layout) {
    let element = O::ELEMENT_TYPE;
    let (results, layout) =
        step_of(element, op, rule, PartSizes::Known(sizes), &[operand].as_slice(), run);
    // SAFETY: the memory has elements of type `O`.
    (Storage::Heap(unsafe { Buffer::from_raw(results) }), layout)
}

/// Whether one of the operands is traced.
pub fn is_any_traced(operands: &[&dyn Recordable]) -> bool {
    operands.iter().any(|operand| is_traced(operand.part().layout))
}
