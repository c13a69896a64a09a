//! The bounds of methods and the types of their results, as compiler messages name them.
//!
//! See also [`broadcast`](crate::broadcast), [`axis_index`](crate::axis_index),
//! [`views`](crate::views), [`reshape`](crate::reshape), [`joins`](crate::joins) and
//! [`run_time_axes`](crate::run_time_axes).
//!
//! # What to write in generic code
//!
//! Signatures have bounds that are worded for messages. Each says the same as a trait that generic code
//! writes, or is met by its side:
//!
//! | in a signature | write |
//! | --- | --- |
//! | `R: ElementWiseRhs<L>`, `L: ElementWise<R>` | [`L: Broadcast<R>`](crate::Broadcast) |
//! | `A: ElementWise3<B, C>`, `ElementWise4<B, C, D>` | [`Broadcast`](crate::Broadcast) from left to right: `(A ⊕ B) ⊕ C` |
//! | `S: Expand<Target>`, `Target: ExpandedFrom<S>` | [`S: ExpandTo<Target>`](crate::broadcast::ExpandTo) |
//! | `S: InPlace<Target>` | [`S: AssignTo<Target>`](crate::broadcast::AssignTo) |
//! | `R: MatmulRhs<L>`, `DotRhs<L>`, `OuterRhs<L>` | [`L: Matmul<R>`](Matmul), [`Dot<R>`](Dot), [`Outer<R>`](Outer) |
//! | `R: TensordotRhs<L, P, Q>` | [`L: Tensordot<P, R, Q>`](Tensordot) |
//! | `R: ConcatRhs<S, AXIS>` | [`S: ConcatAxis<AXIS, R>`](crate::reshape::ConcatAxis) |
//! | `Unsqueezed<S, AXIS>: ReplaceAxis<AXIS, A>` | [`S: NewAxis<AXIS, A>`](crate::joins::NewAxis) |
//! | `Target: ReshapedFrom<S>` | [`S: ReshapeTo<Target>`](crate::reshape::ReshapeTo) |
//! | `W: WeightsOf<S, O>`, `TransposedWeightsOf<S, O>` | [`S: Convolve<W, O>`](crate::windows::Convolve), [`ConvolveTransposed`](crate::windows::ConvolveTransposed) |
//! | `S: PooledBy<O>`, `S: ResizedTo<Target>` | [`S: Pool<O>`](crate::windows::Pool), [`S: Resize<Target>`](crate::windows::Resize) |
//! | `S: HasIdentity` | [`SquareShape`] |
//! | `T: CountsRange<S>` | [`HoldsRange<S>`](HoldsRange) |
//! | `S: OneAxis` | [`HasRank<1>`](crate::HasRank) |
//! | `Target: ResultShape` | [`Shape`](crate::Shape) |
//! | `I: IndexElement` | [`I: Integer`](crate::element::Integer) |
//! | `X: OperandOf<T>` | [`Operand<T>`](crate::Operand) |
//! | `(T,): SameElement<T, U>` | the same element type on both sides |
//! | `(FloatOf<T>,): FloatTensor<FloatOf<T>>` | [`T: Float`](crate::Float) |
//! | `T: BoolElement` | `T = bool` |
//!
//! Traits that users neither write nor implement are not in the documentation, and neither are the
//! `…: Sized` of the next section.
//!
//! # How bounds are written
//!
//! Where a bound is not met, rustc reports the first obligation that fails. If that is the bound, it
//! adds seven lines of our source; if it is a projection that the method names, it shows the user's
//! call alone. So methods name an output of the trait before the bound, as in
//! `<S as SquareShape>::Checked: Sized, S: HasIdentity`. Where both would be checked in the same step,
//! the bound is on an alias of the trait: `HasIdentity` is `SquareShape` and nothing else. In generic
//! code, write the trait itself.

pub use crate::element::number::BoolElement;
pub use crate::shape::axis::NoAxis;
pub use crate::shape::matmul_shape::{
    AxesBeforeLast, Contracts, ContractsMatrix, ContractsVector, Dot, DotOutput, DotRhs,
    DottedWith, KnownRightAxes, KnownSides, KnownSidesOf, Matmul, MatmulOutput, MatmulRhs,
    MatrixOrVector, MultipliedBy, NonScalar, Outer, OuterOutput, OuterRhs, ProductError,
    RightSideOfDot, SidesOfMatmul, VectorOrMore,
};
pub use crate::shape::rearrange::{
    AllOfAxis, AxisOfOne, AxisToSplit, IsOne, MergedAxis, MergedParts, NothingRemains, PartsOfAxis,
    RestOfAxis, SizeOfPart, SizeToMerge, SizeToSplit, StaticPart,
};
pub use crate::shape::tensordot::{
    ContractedPairs, ContractsWith, Tensordot, TensordotOutput, TensordotRhs, Unpaired,
};
pub use crate::shape::{KnownSize, KnownSizes, SizeInTypes, SizeIsKnown};
pub use crate::tensor::aliases::{CountsRange, HasIdentity, IndexElement, OneAxis, ResultShape};
pub use crate::tensor::concat_tuple::TensorsBehind;
pub use crate::tensor::dynamic::operators::DynOperand;
pub use crate::tensor::einsum::named::{
    NamedAxes, NamedLastAxes, SameName, StretchedName, UntypedAs,
};
pub use crate::tensor::operand::closures::{IsTensor, TensorOperand};
pub use crate::tensor::operand::floats::{FloatAlong, FloatAlongAxes, FloatOf, FloatTensor};
pub use crate::tensor::operand::selection::{Choice, ChoiceOf, IsMask, MaskOf};
pub use crate::tensor::operand::{ElementWith, OperandOf, SameElement};
pub use crate::tensor::operations::operator_rhs::{OperatorRhs, Scalar, ScalarLhs, ScalarWith};
pub use crate::tensor::{
    ArrayLength, EqualTo, HasLength, HasSizes, HoldsRange, IndexTensor, Indices, IsLength,
    OneElement, OrderedWith, PartTensors, SecondPart, SquareShape,
};
