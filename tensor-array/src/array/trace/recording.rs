//! Steps instead of results, where an operand is traced.

use core::any::{Any, TypeId};
use core::ptr::null;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Op, Step, StepFn, is_in_backward_pass, operand};
use crate::array::dynamic::DynTensor;
use crate::array::history::parts::{Elements, Part, PartSizes, Parts, traced_result};
use crate::array::history::{self, AnyArray, Backward, BufferType, ElementType, Rule};
use crate::array::kernel::elementwise::Run;
use crate::array::layout::{ErasedView, Layout, is_traced, num_elements};
use crate::array::recording::Recordable;
use crate::array::storage::{Buffer, RawBuffer, Storage};
use crate::element::{Element, Float, Number};
use crate::ops::elements::HasElementType;
use crate::ops::{Kernel, RawResults};
use crate::sizes::Sizes;

impl history::TracedStep for Step {
    fn same(&self) -> Box<dyn history::TracedStep> {
        let constants = SmallVec::from_elem(None, 1);
        let run: StepFn = Arc::new(|operands| operands[0].contiguous());
        let (op, element, is_gradient) = (Op::Same, self.element, is_in_backward_pass());
        Box::new(Self { op, element, constants, is_gradient, run })
    }
}

impl Step {
    /// The step of a node of a program.
    pub(super) fn of(step: &dyn history::TracedStep) -> Option<&Self> {
        let step: &dyn Any = step;
        step.downcast_ref()
    }
}

/// An input of a program that is being traced.
pub fn input(position: usize, sizes: &[usize], element: &'static ElementType) -> AnyArray {
    let run: StepFn = Arc::new(|_| unreachable!("inputs are given"));
    let (op, constants) = (Op::Input(position), SmallVec::new());
    let step = Step { op, element, constants, is_gradient: false, run };
    let layout = history::traced_leaf(sizes.into(), Box::new(step));
    let buffer = element.placeholder(num_elements(sizes));
    // SAFETY: the buffer has at least as many elements of this type as the sizes, in row-major order.
    unsafe { element.array(buffer, sizes.into(), layout) }
}

/// The memory and the layout of a step with results of any type.
#[cold]
#[inline(never)]
pub(crate) fn step_of(
    element: &'static ElementType,
    op: Op,
    rule: Option<Rule>,
    sizes: PartSizes<'_>,
    operands: &dyn Parts,
    run: StepFn,
) -> RawResults {
    let constant = |position| {
        let part: Part<'_> = operands.part(position);
        (!is_traced(part.layout)).then(|| part.to_any().forget())
    };
    let constants = (0..operands.count()).map(constant).collect();
    let rule = rule.filter(|_| element.is_float && history::is_recording());
    let sizes = sizes.get();
    let results = element.placeholder(num_elements(&sizes));
    let step = Box::new(Step { op, element, constants, is_gradient: is_in_backward_pass(), run });
    // SAFETY: the memory has elements of this type, one for each index.
    let result = |sizes: Sizes| unsafe { element.array(results.clone(), sizes, Layout::ROW_MAJOR) };
    let layout = traced_result(sizes, &result, rule, operands, step);
    (results, layout)
}

/// A step on arrays of any types.
pub(crate) fn step_of_arrays(
    op: Op,
    element: &'static ElementType,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[AnyArray],
    run: StepFn,
) -> AnyArray {
    let parts: Vec<Part<'_>> = operands
        .iter()
        .map(|array| Part {
            sizes: PartSizes::Known(array.sizes()),
            layout: array.layout(),
            elements: array,
        })
        .collect();
    let (results, layout) =
        step_of(element, op, rule, PartSizes::Known(sizes), &parts.as_slice(), run);
    // SAFETY: the memory has elements of this type, one for each index.
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
pub(crate) fn step<O: Element>(
    op: Op,
    rule: Option<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable],
    run: impl Fn(&[AnyArray]) -> DynTensor<O> + Send + Sync + 'static,
) -> DynTensor<O> {
    let run: StepFn = Arc::new(move |operands| AnyArray::new(run(operands)));
    let element = O::ELEMENT_TYPE;
    let (results, layout) = step_of(element, op, rule, PartSizes::Known(sizes), &operands, run);
    // SAFETY: the memory has elements of type `O`.
    let storage = Storage::Heap(unsafe { Buffer::from_raw(results) });
    DynTensor { sizes: sizes.into(), layout, storage }
}

/// The row of a kernel, and the type of its results for elements of this type.
fn row_of<const N: usize>(
    kernel: &Kernel<N>,
    operand: &'static ElementType,
) -> (Op, &'static ElementType) {
    let recording = kernel.recording.as_ref().expect("kernels of rows are recorded");
    // Kernels of integers are shared by types with the same bits. Results of another type are masks.
    let is_mask = recording.result == TypeId::of::<bool>();
    let result = if is_mask { bool::ELEMENT_TYPE } else { operand };
    let op = match recording.row {
        Some(row) => Op::Row(row),
        None => Op::Cast,
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
            element.array(results, sizes.clone(), Layout::ROW_MAJOR)
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

/// A product of arrays whose sizes were found to match.
#[cold]
#[inline(never)]
pub fn matmul_step<T: Number>(
    rule: &'static dyn Backward,
    sizes: &[usize],
    operands: [Part<'_>; 2],
) -> RawResults {
    let of_result: Sizes = sizes.into();
    let run: StepFn = Arc::new(move |operands| {
        let (left, right) = (operand::<T>(operands, 0), operand::<T>(operands, 1));
        let storage = T::matmul_strided(&of_result, left.as_view(), right.as_view());
        AnyArray::new(DynTensor::from_storage(of_result.clone(), storage))
    });
    let element = T::ELEMENT_TYPE;
    step_of(
        element,
        Op::Matmul,
        Some(rule.into()),
        PartSizes::Known(sizes),
        &operands.as_slice(),
        run,
    )
}

/// `x · weightᵀ + bias`
pub fn linear_step<T: Float>(
    rule: impl Into<Rule>,
    sizes: &[usize],
    operands: &[&dyn Recordable; 3],
) -> DynTensor<T> {
    let of_result = Sizes::from_slice(sizes);
    step(Op::Linear, Some(rule.into()), sizes, operands, move |x| {
        let (x, weight, bias) = (operand::<T>(x, 0), operand::<T>(x, 1), operand::<T>(x, 2));
        match T::linear(x.as_view(), weight.as_view(), bias.as_view()) {
            Some(storage) => DynTensor::from_storage(of_result.clone(), storage),
            None => {
                let product = weight.transpose().and_then(|weight| x.dot(&weight));
                let sum = product.and_then(|product| &product + bias);
                sum.expect("the shapes are those of the trace")
            }
        }
    })
}
