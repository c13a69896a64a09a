//! The gradients of `fuse!`.
//!
//! The results are computed in one pass, and only the operands are saved. In the backward pass, the
//! expression is evaluated again on whole tensors, operation by operation and recorded, so that the rules of
//! the operations apply to expressions, too.

use core::any::TypeId;
use core::ptr::{from_ref, null};
use std::sync::Arc;

use smallvec::SmallVec;
use tensor_kernels::element::Element;
use tensor_kernels::kernel::chunk::{ExpressionOp, ExpressionStep, Slot, Trace};
use tensor_kernels::kernel::elementwise::Run;
use tensor_kernels::layout::graph::{RowCall, with_recording};
use tensor_kernels::layout::{ErasedView, Layout, is_traced};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::ops::{ElementMoves, Kernel, Params, Recording};
use tensor_kernels::plan::broadcast_sizes;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::ErasedBuffer;

use super::backward;
use super::rule::for_float;
use crate::array::dynamic::DynTensor;
use crate::array::element_types::element_type_of as element;
use crate::array::history::parts::to_any;
use crate::array::history::{AnyArray, Backward, Gradients, Recorded, Rule, Saves};
use crate::array::recording::{Outcome, Recordable};
use crate::array::row_calls::{rule_of, track_type};
use crate::array::trace::{Op, step_of_arrays, with_rule};
use crate::ops::cast::{CastRule, Conversion};
use crate::ops::clamp::Clamp;
use crate::ops::powi::Powi;
use crate::ops::select::Select;

/// An expression of `fuse!`.
pub(crate) struct Fused(pub(crate) Trace);

/// Records the result of an expression with at least one tracked operand, unless the gradient is
/// zero everywhere, such as that of a comparison.
///
/// # Safety
///
/// The trace is that of an expression on operands of these element types, in this order.
#[expect(unsafe_code, reason = "the trace names kernels without their types")]
pub unsafe fn recorded<R: Outcome>(result: R, trace: Trace, operands: &[&dyn Recordable]) -> R {
    if !has_gradient(&trace, operands) {
        return result;
    }
    result.record(Fused(trace).into(), operands)
}

/// The result of an expression of which an operand is traced.
#[track_caller]
pub fn traced<O: Element>(trace: &Trace, operands: &[&dyn Recordable]) -> DynTensor<O> {
    let operands: Vec<AnyArray> = operands.iter().map(|operand| to_any(operand.part())).collect();
    let result = run(trace, &operands, TypeId::of::<O>());
    result.get().cloned().expect("the expression has elements of this type")
}

fn has_gradient(trace: &Trace, operands: &[&dyn Recordable]) -> bool {
    let mut has: Vec<bool> = operands.iter().map(|operand| operand.is_recorded()).collect();
    for ExpressionStep { operation, operands } in &trace.steps {
        let keeps = match operation {
            ExpressionOp::Unary(kernel) => kernel.recording.is_some_and(|recording| {
                rule(&recording).is_some() || (recording.is_cast && is_float(recording.result))
            }),
            ExpressionOp::Binary(kernel) => {
                kernel.recording.is_some_and(|recording| rule(&recording).is_some())
            }
            ExpressionOp::Powi(..) | ExpressionOp::Ternary(_) | ExpressionOp::Clamp(..) => true,
        };
        let of_operand = |slot: &Slot| matches!(slot, Slot::Value(value) if has[*value]);
        has.push(keeps && operands.iter().any(of_operand));
    }
    matches!(trace.result, Slot::Value(value) if has[value])
}

/// The gradient rule of a row.
fn rule(recording: &Recording) -> Option<Rule> {
    track_type(element(recording.result));
    rule_of(&RowCall::Elementwise(recording.row?), element(recording.result).number)
}

impl Backward for Fused {
    fn saves(&self) -> Saves {
        Saves::OPERANDS
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let count = at.node.operands.len();
        let operands: Vec<AnyArray> = (0..count)
            .map(|position| {
                let operand = at.operand(position);
                if at.is_recorded(position) { alias(&operand) } else { operand }
            })
            .collect();
        let of = gradient.element().id;
        let result = with_recording(true, || run(&self.0, &operands, of));
        let nodes = operands.iter().enumerate().filter(|(position, _)| at.wants(*position));
        let nodes: Vec<_> = nodes.map(|(_, operand)| operand.node().expect("an alias")).collect();
        let Some(root) = result.node() else { return core::iter::repeat_n(None, count).collect() };
        let results = vec![(root, gradient.clone())];
        let found = backward::gradients(results, &nodes, at.recorded, false);
        let mut found = found.into_iter();
        (0..count)
            .map(|position| if at.wants(position) { found.next().flatten() } else { None })
            .collect()
    }
}

/// The same elements with a new node, whose gradient is that of the operand.
fn alias(operand: &AnyArray) -> AnyArray {
    for_each_element!(for_float[operand x { x.requires_grad() }])
}

/// Evaluates a trace on whole arrays, recorded, with elements of the type `result`.
#[track_caller]
fn run(trace: &Trace, operands: &[AnyArray], result: TypeId) -> AnyArray {
    let mut values = operands.to_vec();
    for step in &trace.steps {
        values.push(computed(
            step,
            &values,
            type_of_use(trace, operands.len(), values.len(), result),
        ));
    }
    match trace.result {
        Slot::Value(value) => values.swap_remove(value),
        Slot::Number(_) => unreachable!("an expression of tensors"),
    }
}

/// The element type that a value is read as, or that of the result of the expression.
fn type_of_use(trace: &Trace, operands: usize, value: usize, result: TypeId) -> TypeId {
    let reads = |slot: &Slot| matches!(slot, Slot::Value(read) if *read == value);
    let mut steps = trace.steps.iter().enumerate();
    let Some((number, reader)) = steps.find(|(_, step)| step.operands.iter().any(reads)) else {
        return result;
    };
    let recording = match reader.operation {
        ExpressionOp::Unary(kernel) | ExpressionOp::Powi(kernel, _) => kernel.recording,
        ExpressionOp::Binary(kernel) | ExpressionOp::Clamp(kernel, _) => kernel.recording,
        ExpressionOp::Ternary(_) if reads(&reader.operands[0]) => return TypeId::of::<bool>(),
        ExpressionOp::Ternary(_) => return type_of_use(trace, operands, operands + number, result),
    };
    let read = element(recording.expect("a row of the table").operand);
    let signed = element(result);
    let is_shared = read.name.starts_with('u') && signed.name.starts_with('i');
    if is_shared && read.bytes == signed.bytes { result } else { read.id }
}

/// The element types of the operands and of the result of a row. Its kernel may be that of unsigned integers where these
/// are signed.
fn types_of_row(recording: Recording, slots: &[Slot], values: &[AnyArray]) -> [TypeId; 2] {
    let Recording { operand, result, .. } = recording;
    let signed = slots.iter().filter_map(|slot| match *slot {
        Slot::Value(value) => Some(values[value].element()),
        Slot::Number(_) => None,
    });
    let signed = signed.filter(|of| of.name.starts_with('i') && of.bytes == element(operand).bytes);
    match signed.map(|of| of.id).next() {
        Some(of) if !is_float(operand) => [of, if result == operand { of } else { result }],
        _ => [operand, result],
    }
}

/// The result of a step; a `select` of constants has elements of the type `chosen`.
#[track_caller]
fn computed(step: &ExpressionStep, values: &[AnyArray], chosen: TypeId) -> AnyArray {
    let slots = &step.operands;
    let all = |types: &[TypeId]| -> SmallVec<[AnyArray; 3]> {
        slots.iter().zip(types).map(|(&slot, &of)| operand(slot, of, values)).collect()
    };
    let known = "a row of the table";
    match step.operation {
        ExpressionOp::Unary(kernel) => {
            let recording = kernel.recording.expect(known);
            let [operand, result] = match recording.is_cast {
                true => [recording.operand, recording.result],
                false => types_of_row(recording, slots, values),
            };
            let x = all(&[operand]);
            let rule = match recording.is_cast {
                true => is_float(recording.result).then(|| CastRule.into()),
                false => rule(&recording),
            };
            let op = recording.row.map_or_else(|| Conversion.into(), Op::from);
            computed_by(op, result, rule, x, move |x| elements(kernel, null(), result, [&x[0]]))
        }
        ExpressionOp::Powi(kernel, power) => {
            let recording = kernel.recording.expect(known);
            let x = all(&[recording.operand]);
            let result = recording.result;
            let rule = Rule::of_type(element(result), Powi(power));
            computed_by(Powi(power).into(), result, rule, x, move |x| {
                elements(kernel, from_ref(&power).cast(), result, [&x[0]])
            })
        }
        ExpressionOp::Binary(kernel) => {
            let recording = kernel.recording.expect(known);
            let [operand, result] = types_of_row(recording, slots, values);
            let (x, rule) = (all(&[operand; 2]), rule(&recording));
            let op = recording.row.expect(known).into();
            computed_by(op, result, rule, x, move |x| {
                elements(kernel, null(), result, [&x[0], &x[1]])
            })
        }
        ExpressionOp::Clamp(maximum, minimum) => {
            let of = maximum.recording.expect(known).operand;
            let x = all(&[of; 3]);
            computed_by(Clamp.into(), of, Rule::of_type(element(of), Clamp), x, move |x| {
                let above = elements(maximum, null(), of, [&x[0], &x[1]]);
                elements(minimum, null(), of, [&above, &x[2]])
            })
        }
        ExpressionOp::Ternary(kernel) => {
            let of = chosen_type(&slots[1..], values).unwrap_or(chosen);
            let x = all(&[TypeId::of::<bool>(), of, of]);
            computed_by(Select.into(), of, Rule::of_type(element(of), Select), x, move |x| {
                elements(kernel, null(), of, [&x[0], &x[1], &x[2]])
            })
        }
    }
}

/// The result of an operation, with elements of the type `result`; a step of it if an operand is traced.
#[track_caller]
fn computed_by(
    op: Op,
    result: TypeId,
    rule: Option<Rule>,
    operands: SmallVec<[AnyArray; 3]>,
    run: impl Fn(&[AnyArray]) -> AnyArray + Send + Sync + 'static,
) -> AnyArray {
    track_type(element(result));
    if !operands.iter().any(|operand| is_traced(operand.layout())) {
        let results = run(&operands);
        return match rule {
            Some(rule) => with_rule(results, || rule, &operands),
            None => results,
        };
    }
    let sizes = broadcast(&operands);
    let run = Arc::new(move |x: &[AnyArray]| Ok(run(x)));
    step_of_arrays(op, element(result), rule, &sizes, &operands, run)
}

/// The element type of a `select`, whose kernels only know the size of an element: that of an operand, of a
/// float operand if there is one, because constants take the type that others need.
fn chosen_type(slots: &[Slot], values: &[AnyArray]) -> Option<TypeId> {
    let types = slots.iter().filter_map(|slot| match *slot {
        Slot::Value(value) => Some(type_of(&values[value])),
        Slot::Number(_) => None,
    });
    let types: SmallVec<[TypeId; 2]> = types.collect();
    types.iter().find(|&&of| is_float(of)).or_else(|| types.first()).copied()
}

/// An operand of a step, in the type `of` if it is a number.
fn operand(slot: Slot, of: TypeId, values: &[AnyArray]) -> AnyArray {
    match slot {
        Slot::Value(value) => values[value].clone(),
        Slot::Number(bits) => retyped(of, &[], ErasedView::new(&[], None, &[bits]).untyped()),
    }
}

fn type_of(array: &AnyArray) -> TypeId {
    array.element().id
}

fn is_float(of: TypeId) -> bool {
    element(of).is_float
}

/// The sizes that arrays broadcast to.
fn broadcast(operands: &[AnyArray]) -> Sizes {
    operands.iter().fold(Sizes::new(), |sizes, operand| {
        broadcast_sizes(&sizes, operand.sizes()).expect("the operands of a pass broadcast")
    })
}

/// Runs a kernel on arrays that broadcast.
fn elements<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    result: TypeId,
    operands: [&AnyArray; N],
) -> AnyArray
where
    Kernel<N>: Run<N>,
{
    let mut sizes = Sizes::new();
    for operand in operands {
        sizes = broadcast_sizes(&sizes, operand.sizes()).expect("the operands of a pass broadcast");
    }
    of_type(result, kernel, params, sizes, &operands.map(AnyArray::untyped))
}

/// The same bits as elements of another type of the same size.
fn retyped(of: TypeId, sizes: &[usize], view: ErasedView<'_>) -> AnyArray {
    macro_rules! copies {
        ($($(#[$meta:meta])* $T:ident: $class:ident $U:ident;)+) => {$(
            $(#[$meta])*
            if of == TypeId::of::<$T>() {
                return of_type(of, <$T as ElementMoves>::COPY, null(), sizes.into(), &[view]);
            }
        )+};
    }
    for_each_element!(copies);
    unreachable!("a type of the table")
}

#[expect(unsafe_code, reason = "the types are known at run time")]
fn of_type<const N: usize>(
    result: TypeId,
    kernel: &Kernel<N>,
    params: Params,
    sizes: Sizes,
    operands: &[ErasedView<'_>; N],
) -> AnyArray
where
    Kernel<N>: Run<N>,
{
    let element = element(result);
    assert_eq!(kernel.result_bytes, element.bytes, "the type of the results");
    // SAFETY: the operands have the bits of elements of the kernel's types, and its results have this type: the
    // expression was run with the same kernels on the same types.
    let results = unsafe {
        ErasedBuffer::from_raw(kernel.collect(params, &None, &sizes, operands), &element.id)
    };
    element.array(results, sizes, Layout::ROW_MAJOR)
}
