//! The bounds of methods and the types of their results, as compiler messages name them.
//!
//! See also [`broadcast`](crate::broadcast), [`axis_index`](crate::axis_index),
//! [`views`](crate::views) and [`reshape`](crate::shape::reshape).
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
    Contracts, ContractsMatrix, ContractsVector, Dot, DotOutput, DotRhs, Matmul, MatmulOutput,
    MatmulRhs, MatrixOrVector, NonScalar, Outer, OuterOutput, OuterRhs, ProductError,
};
pub use crate::shape::{KnownSize, KnownSizes};
pub use crate::tensor::aliases::{HasIdentity, OneAxis};
pub use crate::tensor::operand::{OperandOf, SameElement};
pub use crate::tensor::{
    ArrayLength, HasLength, HasSizes, IsLength, OneElement, SecondPart, SquareShape, ThenLength,
};
