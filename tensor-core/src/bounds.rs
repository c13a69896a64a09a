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
pub use crate::tensor::operand::{OperandOf, SameElement};
pub use crate::tensor::{
    ArrayLength, HasLength, HasSizes, IsLength, OneElement, SecondPart, SquareShape, ThenLength,
};

use crate::shape::axis_index::HasRank;

/// Stamps out trait aliases: another trait and nothing else.
macro_rules! alias_bound {
    ($($(#[$doc:meta])* $Asked:ident = $Rule:path;)*) => {$(
        $(#[$doc])*
        pub trait $Asked: $Rule {}

        impl<S: $Rule> $Asked for S {}
    )*};
}

alias_bound! {
    /// A shape that has an identity: [`SquareShape`].
    HasIdentity = SquareShape;
    /// A shape of one axis: [`HasRank<1>`](HasRank).
    OneAxis = HasRank<1>;
}
