//! The operations of programs.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use tensor_kernels::layout::num_elements;

use super::stablehlo::builder::{Builder, Tensor};
use super::value::{Constant, Cost, Value};
use crate::array::history::{AnyArray, CallBackward};

/// An operation of programs: its name, what it costs, and its StableHLO. What it computes is
/// [`Evaluate`](crate::array::apply::Evaluate), or the function of its step.
pub(crate) trait Primitive: fmt::Debug + Send + Sync {
    /// Its name in a picture or in the text of a program.
    fn name(&self) -> &'static str;

    /// The number of arithmetic operations on operands of these sizes: see [`Cost`](super::program::Cost).
    fn cost(&self, operands: &[&[usize]], result: &[usize]) -> u64;

    /// The sizes of what is divided by the last operand, which must not be 0 if it is an integer; `None` of an operation that
    /// does not divide.
    fn dividend<'a>(&self, _operands: &[&'a [usize]]) -> Option<&'a [usize]> {
        None
    }

    /// Whether it is a function of floats, such as `exp`: its results are read faster than they are computed again.
    fn is_costly(&self) -> bool {
        false
    }

    /// The operation in StableHLO; the result may have its elements in another shape. Not called for results without
    /// elements.
    fn lower(&self, to: &mut LoweredStep<'_>) -> Tensor;
}

/// An operation with several results, which other functions compute: a loop or a branch.
pub(crate) trait Call: Any + CallBackward + fmt::Debug {
    /// Its name in a picture or in the text of a program.
    fn name(&self) -> &'static str;

    /// The types of the results.
    fn results(&self) -> Vec<Value>;

    /// What its functions cost.
    fn cost(&self) -> Cost;

    /// The [large constants](super::program::Graph::large_constants) of its functions.
    fn large_constants(&self) -> Vec<Constant>;

    /// The results, by the kernels.
    fn run(&self, operands: &[AnyArray]) -> Result<Vec<AnyArray>, String>;

    /// The results in StableHLO.
    fn lower(&self, builder: &mut Builder, operands: &[Tensor]) -> Vec<Tensor>;

    /// Whether its first results are those of another call with the same operands.
    fn extends(&self, _other: &dyn Call) -> bool {
        false
    }
}

/// A step that is lowered to StableHLO.
pub(crate) struct LoweredStep<'a> {
    pub(crate) builder: &'a mut Builder,
    /// The operands.
    pub(crate) x: &'a [Tensor],
    /// The sizes of the result.
    pub(crate) sizes: &'a [usize],
    /// The element type of the result.
    pub(crate) element: &'static str,
}

/// Implements [`Primitive`] by functions of the operation: its name, its cost, its StableHLO, the dividend of one that divides,
/// and whether it is costly.
macro_rules! primitive {
    ($Op:ty $(where $($T:ident: $Bound:ident);+)?, $name:expr, $cost:expr, $lower:expr
        $(, $dividend:expr $(, $is_costly:expr)?)? $(,)?) => {
        impl$(<$($T: $Bound),+>)? $crate::array::trace::Primitive for $Op {
            fn name(&self) -> &'static str {
                let name: fn(&Self) -> &'static str = $name;
                name(self)
            }

            fn cost(&self, operands: &[&[usize]], result: &[usize]) -> u64 {
                let cost: fn(&Self, &[&[usize]], &[usize]) -> u64 = $cost;
                cost(self, operands, result)
            }

            fn lower(
                &self,
                to: &mut $crate::array::trace::LoweredStep<'_>,
            ) -> $crate::array::trace::stablehlo::builder::Tensor {
                type Lower<P> = fn(
                    &P,
                    &mut $crate::array::trace::LoweredStep<'_>,
                ) -> $crate::array::trace::stablehlo::builder::Tensor;
                let lower: Lower<Self> = $lower;
                lower(self, to)
            }

            $(
                fn dividend<'a>(&self, operands: &[&'a [usize]]) -> Option<&'a [usize]> {
                    let dividend: for<'b> fn(&Self, &[&'b [usize]]) -> Option<&'b [usize]> =
                        $dividend;
                    dividend(self, operands)
                }

                $(fn is_costly(&self) -> bool {
                    let is_costly: fn(&Self) -> bool = $is_costly;
                    is_costly(self)
                })?
            )?
        }
    };
}

pub(crate) use primitive;

/// What a step of a program is.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// An input of the program.
    Input,
    /// A tensor with a history that the function captures.
    Captured,
    /// The elements of the last operand in row-major order. Those before it are there for the gradient.
    Same,
    Primitive(Arc<dyn Primitive>),
    /// A call, which has no elements: its results are operations on it.
    Call(Arc<dyn Call>),
    /// The result with this number of a call.
    Result(usize),
}

impl<P: Primitive + 'static> From<P> for Op {
    fn from(primitive: P) -> Self {
        Self::Primitive(Arc::new(primitive))
    }
}

impl Op {
    /// [`Primitive::name`]
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Captured => "captured",
            Self::Same => "copy",
            Self::Primitive(primitive) => primitive.name(),
            Self::Call(call) => call.name(),
            Self::Result(_) => "result",
        }
    }

    /// [`Primitive::cost`]
    pub(crate) fn cost(&self, operands: &[&[usize]], result: &[usize]) -> u64 {
        match self {
            Self::Primitive(primitive) => primitive.cost(operands, result),
            _ => 0,
        }
    }

    /// [`Primitive::dividend`]
    pub(super) fn dividend<'a>(&self, operands: &[&'a [usize]]) -> Option<&'a [usize]> {
        match self {
            Self::Primitive(primitive) => primitive.dividend(operands),
            _ => None,
        }
    }

    /// [`Primitive::is_costly`]
    pub(super) fn is_costly(&self) -> bool {
        matches!(self, Self::Primitive(primitive) if primitive.is_costly())
    }

    /// [`Primitive::lower`]
    pub(super) fn lower(&self, to: &mut LoweredStep<'_>) -> Tensor {
        match self {
            Self::Input | Self::Call(_) | Self::Result(_) => unreachable!("no steps of one result"),
            Self::Captured | Self::Same => to.x[to.x.len() - 1].clone(),
            Self::Primitive(primitive) => primitive.lower(to),
        }
    }
}

/// The number of elements, to count operations.
pub(crate) fn count(sizes: &[usize]) -> u64 {
    num_elements(sizes) as u64
}
