//! The bounds of methods and the types of their results, as compiler messages name them.
//!
//! See also [`broadcast`](crate::broadcast), [`axis_index`](crate::axis_index),
//! [`views`](crate::views), [`reshape`](crate::reshape), [`joins`](crate::joins) and
//! [`run_time_axes`](crate::run_time_axes).
//!
//! # What to write in generic code
//!
//! The bounds in signatures are chosen for their error messages. Each is equivalent to a trait for
//! generic code, or implied by it:
//!
//! | in a signature | write |
//! | --- | --- |
//! | `L: BroadcastOf<L, R>`, in operators | [`L: Broadcast<R>`](crate::Broadcast) |
//! | `C: ElementWise3<A, B>`, `D: ElementWise4<A, B, C>` | [`Broadcast`](crate::Broadcast) from left to right: `(A ⊕ B) ⊕ C` |
//! | `S: Expand<Target>`, `Target: ExpandedFrom<S>` | [`S: ExpandTo<Target>`](crate::broadcast::ExpandTo) |
//! | `S: InPlace<Target>` | [`S: AssignTo<Target>`](crate::broadcast::AssignTo) |
//! | `R: ConcatRhs<S, AXIS>` | [`S: ConcatAxis<AXIS, R>`](crate::reshape::ConcatAxis) |
//! | `Unsqueezed<S, AXIS>: ReplaceAxis<AXIS, A>` | [`S: NewAxis<AXIS, A>`](crate::joins::NewAxis) |
//! | `S: TakeIndices<AXIS, X>` | [`S: TakeAxis<AXIS, I>`](crate::indexing::TakeAxis) for indices of shape `I` |
//! | `S: Reshape<Target>` | [`S: ReshapeTo<Target>`](crate::reshape::ReshapeTo) |
//! | `(T,): SameElement<T, U>` | the same element type on both sides |
//! | `T: FloatResult<O>` | [`T: Float`](crate::Float) |
//! | `T: BoolElement` | `T = bool` |
//!
//! Both traits of a row exist because a bound on the second alone gives longer messages, or two errors for one mistake, with
//! the trait solver of Rust 1.95 or with the next one.
//!
//! Traits that users neither write nor implement are not in the documentation.

pub use crate::shape::axis::{NoAxis, NoLastAxis};
pub use crate::shape::matmul_shape::{
    Contracts, ContractsMatrix, ContractsVector, Dot, DotOf, DotOutput, Matmul, MatmulOf,
    MatmulOutput, MatrixOrVector, NonScalar, Outer, OuterOf, OuterOutput, ProductError,
};
pub use crate::shape::rearrange::{
    AllOfAxis, AxisOfOne, AxisToSplit, IsOne, MergedAxis, MergedParts, NothingRemains, PartsOfAxis,
    RestOfAxis, SizeOfPart, SizeToMerge, SizeToSplit, StaticPart,
};
pub use crate::shape::tensordot::{
    ContractedPairs, ContractsWith, Tensordot, TensordotOutput, Unpaired,
};
pub use crate::shape::{KnownSizes, SizeInTypes};
pub use crate::tensor::concat_tuple::{ShapesBehind, TensorTuple, TensorsBehind};
pub use crate::tensor::dynamic::DynOperand;
pub use crate::tensor::einsum::named::{
    NamedAxes, NamedLastAxes, SameName, StretchedName, UntypedAs,
};
pub use crate::tensor::operand::closures::{IsTensor, TensorOperand};
pub use crate::tensor::operand::selection::{Choice, ChoiceOf, IsMask};
pub use crate::tensor::operand::{ElementWith, NoElement, SameElement};
pub use crate::tensor::operations::operator_rhs::{OperatorRhs, ScalarLhs, ScalarWith};
pub use crate::tensor::{
    ArgumentOfEq, ArgumentOfGe, ArgumentOfGt, ArgumentOfLe, ArgumentOfLt, ArgumentOfNe,
    ArrayLength, ElementIndex, EqualTo, HasLength, HasSizes, HoldsRange, IndexTensor, IsLength,
    OneElement, OrderedWith, PartTensors, SecondPart, SplitTensors, SquareShape, TakeIndices,
};
pub use tensor_kernels::element::FloatResult;
#[doc(inline)]
pub use tensor_kernels::element::{number::BoolElement, scalar::Scalar};
