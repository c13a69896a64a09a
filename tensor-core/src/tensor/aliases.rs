//! Trait aliases: [`bounds`](crate::bounds) says what they are for.

use super::{HoldsRange, SquareShape};
use crate::element::Integer;
use crate::shape::Shape;
use crate::shape::axis_index::HasRank;

/// Stamps out trait aliases: another trait and nothing else.
macro_rules! alias_bound {
    ($($(#[$doc:meta])* $Asked:ident = $Rule:path;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Asked: $Rule {}

        impl<S: $Rule> $Asked for S {}
    )*};
}

alias_bound! {
    /// A shape that has an identity: [`SquareShape`].
    HasIdentity = SquareShape;
    /// A shape of one axis: [`HasRank<1>`](HasRank).
    OneAxis = HasRank<1>;
    /// A type of indices: [`Integer`].
    IndexElement = Integer;
    /// The shape of a result: [`Shape`](crate::Shape).
    ResultShape = Shape;
}

/// A type of elements that holds a range of shape `S`: [`HoldsRange`].
#[cfg_attr(doc, doc(hidden))]
pub trait CountsRange<S>: HoldsRange<S> {}

impl<T: HoldsRange<S>, S> CountsRange<S> for T {}
