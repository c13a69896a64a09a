//! What shapes and elements have to do with each other: the bounds of methods, the types of their
//! results, and what messages of the compiler name.
//!
//! Broadcasting has a module of its own, [`broadcast`](crate::broadcast), and so have numbers of
//! axes ([`axis_index`](crate::axis_index)), [`views`](crate::views) and [`reshape`](crate::shape::reshape).
//!
//! # How bounds are written
//!
//! Where a bound is not met, the compiler reports the first obligation that it meets on its way. If
//! that is the bound, it shows our source in seven more lines; if it is a type that the method
//! names, it speaks of the user's call alone. So methods name an output of the trait before the
//! bound, as in `<S as SquareShape>::Checked: Sized, S: HasIdentity`, and where both are found in
//! the same step, the bound is on a trait that asks for the first one: `HasIdentity` is
//! `SquareShape` and nothing else. In generic code, write the simple one.

pub use crate::array::kernel::reduce::ops::Truth;
pub use crate::shape::axis::NoAxis;
pub use crate::shape::matmul_shape::{
    AtLeastOneAxis, Contracts, ContractsMatrix, ContractsVector, Dot, DotOf, Dotted, Matmul,
    MatmulOf, MatrixOrVector, Multiplied, Outer, OuterOf, Outered, ProductError,
};
pub use crate::shape::{KnownSize, KnownSizes};
pub use crate::tensor::operand::OperandOf;
pub use crate::tensor::{
    ArrayLength, HasLength, HasSizes, IsLength, OneElement, SecondPart, SquareShape, ThenLength,
};

use crate::shape::axis_index::HasRank;

/// Stamps out what a method asks for: another trait and nothing else.
macro_rules! asks_for {
    ($($(#[$doc:meta])* $Asked:ident = $Rule:path;)*) => {$(
        $(#[$doc])*
        pub trait $Asked: $Rule {}

        impl<S: $Rule> $Asked for S {}
    )*};
}

asks_for! {
    /// A shape that has an identity: [`SquareShape`].
    HasIdentity = SquareShape;
    /// A shape of one axis: [`HasRank<1>`](HasRank).
    OneAxis = HasRank<1>;
}
