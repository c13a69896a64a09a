//! Operations on any arrays: computed by kernels, recorded where an operand is tracked, steps of a program where one is
//! traced.
//!
//! An operation is a type that implements [`Evaluate`], and [`Primitive`], which is its meaning in programs. Its methods
//! check the shapes and call [`apply`]; they do not ask whether an array is traced. Rows, reductions and products of static
//! shapes do so by themselves, on their fast paths: `evaluate.rs`, `axis_ops.rs`, `ops/matmul.rs`.

use core::convert::Infallible;
use std::sync::Arc;

use tensor_kernels::element::Element;
use tensor_kernels::evaluate::unwrap_or_panic;
use tensor_kernels::layout::Layout;
use tensor_kernels::layout::graph::PartSizes;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::index_error::IndexingError;
use tensor_kernels::storage::Storage;

use super::dynamic::DynTensor;
use super::history::{AnyArray, ElementType, Rule};
use super::recording::{Outcome, Recordable};
use super::trace::program::Graph;
use super::trace::stablehlo::builder::Tensor;
use super::trace::{self, LoweredStep, Op, Primitive, StepFn, is_any_traced, stablehlo, step_of};

/// The element types of the operands of an operation.
pub(crate) trait Arguments: 'static {
    /// The operands.
    type Arrays<'a>;

    /// The element types of the operands, unless there may be any number: those have no operations that are
    /// [`composed`](LoweredStep::composed).
    const TYPES: &'static [&'static ElementType];

    /// The operands of a step.
    fn of(arrays: &[AnyArray]) -> Self::Arrays<'_>;

    /// The operands without their element types.
    fn recordable<'a>(arrays: &Self::Arrays<'a>) -> impl AsRef<[&'a dyn Recordable]>;
}

macro_rules! arguments {
    ($($A:ident $position:tt),+) => {
        impl<$($A: Element),+> Arguments for ($($A,)+) {
            type Arrays<'a> = ($(&'a DynTensor<$A>,)+);

            const TYPES: &'static [&'static ElementType] = &[$(ElementType::of::<$A>()),+];

            fn of(arrays: &[AnyArray]) -> Self::Arrays<'_> {
                ($(trace::operand::<$A>(arrays, $position),)+)
            }

            fn recordable<'a>(arrays: &Self::Arrays<'a>) -> impl AsRef<[&'a dyn Recordable]> {
                let operands: [&dyn Recordable; _] = [$(arrays.$position),+];
                operands
            }
        }
    };
}

arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);

/// Any number of operands of one element type.
impl<A: Element> Arguments for [A; 0] {
    type Arrays<'a> = Vec<&'a DynTensor<A>>;

    const TYPES: &'static [&'static ElementType] = &[];

    fn of(arrays: &[AnyArray]) -> Self::Arrays<'_> {
        (0..arrays.len()).map(|position| trace::operand(arrays, position)).collect()
    }

    fn recordable<'a>(arrays: &Self::Arrays<'a>) -> impl AsRef<[&'a dyn Recordable]> {
        let operands: Vec<&dyn Recordable> = arrays.iter().map(|&array| array as _).collect();
        operands
    }
}

/// What an operation computes from operands of these element types, whose shapes fit.
pub(crate) trait Evaluate<X: Arguments>: Primitive + 'static {
    /// The element type of the result.
    type Output: Element;

    /// The elements of the result, which has these sizes, in row-major order.
    fn evaluate(&self, x: &X::Arrays<'_>, sizes: &[usize]) -> Storage<Self::Output>;

    /// Its gradient; `None` where that is 0 or undefined.
    fn rule(&self, x: &X::Arrays<'_>) -> Option<Rule>;

    /// The elements of a result that is tracked, and its gradient.
    #[track_caller]
    fn evaluate_tracked(
        &self,
        x: &X::Arrays<'_>,
        sizes: &[usize],
    ) -> (Storage<Self::Output>, Option<Rule>) {
        (self.evaluate(x, sizes), self.rule(x))
    }
}

/// Implements [`Evaluate`]: the operands by name, with their element types, and that of the result; a function of the
/// operation and the sizes of the result that gives the elements, and one that gives its gradient.
macro_rules! evaluate {
    (
        $Op:ty => ($($x:ident: $T:ty),+) -> $O:ty $(where $($P:ident: $Bound:ident $(+ $More:path)?),+)?,
        |$this:tt, $sizes:tt| $elements:expr
        $(, |$rule_of:tt| $rule:expr)? $(,)?
    ) => {
        #[allow(unused_variables, reason = "not every part uses all operands")]
        impl$(<$($P: $Bound $(+ $More)?),+>)? $crate::array::apply::Evaluate<($($T,)+)> for $Op {
            type Output = $O;

            #[track_caller]
            fn evaluate(
                &self,
                &($($x,)+): &($(&$crate::array::dynamic::DynTensor<$T>,)+),
                $sizes: &[usize],
            ) -> tensor_kernels::storage::Storage<$O> {
                let $this = self;
                $elements
            }

            fn rule(
                &self,
                &($($x,)+): &($(&$crate::array::dynamic::DynTensor<$T>,)+),
            ) -> Option<$crate::array::history::Rule> {
                $crate::array::apply::evaluate!(@rule self $O $(, $rule_of, $rule)?)
            }
        }
    };
    (@rule $operation:ident $O:ty) => { None };
    (@rule $operation:ident $O:ty, $rule_of:tt, $rule:expr) => {{
        let $rule_of = $operation;
        Some($crate::array::history::Rule::of::<$O>($rule))
    }};
}

pub(crate) use evaluate;

/// The result of an operation, with these sizes, which fit its operands.
///
/// # Panics
///
/// If an operand is part of a program whose function has returned, or of an unrelated one.
#[track_caller]
pub(crate) fn apply<X: Arguments, P: Evaluate<X>>(
    operation: P,
    x: X::Arrays<'_>,
    sizes: Sizes,
) -> DynTensor<P::Output> {
    let operands = X::recordable(&x);
    let operands = operands.as_ref();
    let (storage, rule) = match history_of(operands) {
        HistoryOf::Program => return step::<X, P>(operation, &x, operands, sizes),
        HistoryOf::Gradient if P::Output::IS_FLOAT => operation.evaluate_tracked(&x, &sizes),
        _ => (operation.evaluate(&x, &sizes), None),
    };
    let result = DynTensor::from_storage(sizes, storage);
    match rule {
        Some(rule) => result.record(rule, operands),
        None => result,
    }
}

/// What the operands of an operation are part of.
enum HistoryOf {
    /// One of them is traced.
    Program,
    /// One of them is tracked, and none is traced.
    Gradient,
    Nothing,
}

#[inline(never)]
fn history_of(operands: &[&dyn Recordable]) -> HistoryOf {
    if is_any_traced(operands) {
        HistoryOf::Program
    } else if operands.iter().any(|operand| operand.is_recorded()) {
        HistoryOf::Gradient
    } else {
        HistoryOf::Nothing
    }
}

/// What an operation computes of one operand, or why it fails for its elements. The result is a constant.
pub(crate) trait TryEvaluate<T: Element>: Primitive + Clone + 'static {
    /// The elements of the result, of type `i64`.
    fn try_evaluate(&self, x: &DynTensor<T>) -> Result<Storage<i64>, IndexingError>;
}

/// The result, with these sizes, of an operation that fails for some elements: of an array that is traced, when the program
/// runs.
///
/// # Errors
///
/// That of the operation.
///
/// # Panics
///
/// As [`apply`].
#[track_caller]
pub(crate) fn try_apply<T: Element>(
    operation: impl TryEvaluate<T>,
    x: &DynTensor<T>,
    sizes: Sizes,
) -> Result<DynTensor<i64>, IndexingError> {
    if !x.is_traced() {
        return Ok(DynTensor::from_storage(sizes, operation.try_evaluate(x)?));
    }
    let (op, of_result) = (operation.clone().into(), sizes.clone());
    Ok(trace::try_step(op, None, &sizes, &[x], move |x| {
        let storage = operation.try_evaluate(trace::operand(x, 0))?;
        Ok(DynTensor::from_storage(of_result.clone(), storage))
    }))
}

/// The operation as a step of a program.
#[cold]
#[inline(never)]
#[track_caller]
fn step<X: Arguments, P: Evaluate<X>>(
    operation: P,
    x: &X::Arrays<'_>,
    operands: &[&dyn Recordable],
    sizes: Sizes,
) -> DynTensor<P::Output> {
    let rule = operation.rule(x);
    let (operation, element) = (Arc::new(operation), ElementType::of::<P::Output>());
    DynTensor::of_step(step_of_any::<X>(operation, element, rule, operands, &sizes), sizes)
}

/// An operation whose result has any element type: it is stored without that type.
trait EvaluateAny<X>: Primitive {
    fn evaluate_any(&self, arrays: &[AnyArray], sizes: &Sizes) -> AnyArray;
}

impl<X: Arguments, P: Evaluate<X>> EvaluateAny<X> for P {
    fn evaluate_any(&self, arrays: &[AnyArray], sizes: &Sizes) -> AnyArray {
        let storage = self.evaluate(&X::of(arrays), sizes);
        AnyArray::new(DynTensor::from_storage(sizes.clone(), storage))
    }
}

#[inline(never)]
#[track_caller]
fn step_of_any<X: 'static>(
    operation: Arc<dyn EvaluateAny<X>>,
    element: &'static ElementType,
    rule: Option<Rule>,
    operands: &[&dyn Recordable],
    sizes: &Sizes,
) -> Layout {
    let (op, of_result) = (Op::Primitive(operation.clone()), sizes.clone());
    let run: StepFn = Arc::new(move |arrays| Ok(operation.evaluate_any(arrays, &of_result)));
    unwrap_or_panic(step_of(element, op, rule, PartSizes::Known(sizes), &operands, run))
}

impl LoweredStep<'_> {
    /// A constant of rank 0.
    pub(crate) fn scalar<T: Element>(&mut self, value: T) -> Tensor {
        stablehlo::constant(self.builder, &AnyArray::new(DynTensor::full(&[], value)))
    }

    /// What a function computes from the operands, by operations that are lowered in turn.
    #[track_caller]
    pub(crate) fn composed<X: Arguments, O: Element>(
        &mut self,
        function: impl Fn(X::Arrays<'_>) -> DynTensor<O>,
    ) -> Tensor {
        self.composed_of(X::TYPES, &|inputs| AnyArray::new(function(X::of(inputs))))
    }

    #[track_caller]
    fn composed_of(
        &mut self,
        types: &[&'static ElementType],
        function: &dyn Fn(&[AnyArray]) -> AnyArray,
    ) -> Tensor {
        let sizes = self.x.iter().map(|x| Sizes::from_slice(&x.sizes));
        let types: Vec<_> = sizes.zip(types.iter().copied()).collect();
        let (scope, inputs) = Graph::inputs(&types, false);
        let traced = Graph::trace((scope, inputs.clone()), || {
            Ok::<_, Infallible>((vec![function(&inputs)], ()))
        });
        let Ok((graph, ())) = traced;
        stablehlo::outputs(self.builder, &graph, self.x.to_vec(), None).swap_remove(0)
    }
}
