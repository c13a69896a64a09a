//! The shapes of results, for the signatures of methods: where a call leaves out the index of an axis, the compiler says so
//! once, `x.sum_axis::<AXIS>()`.
//!
//! The index is a parameter of the associated type itself. rustc reports such a parameter before what depends on it, and then
//! reports nothing else. In bounds of generic code, the aliases of [`axis_index`](crate::axis_index) and
//! [`views`](crate::views) are written, as rustc does not normalise these there. Documentation shows those, too.

use crate::shape::Shape;
use crate::shape::axis_index::{HasAxis, ReplaceAxis, Unsqueeze};
use crate::shape::indexing::ChooseAxis;
use crate::shape::join::RepeatAxis;
use crate::shape::reshape::{FlattenAxes, Unflatten};
use crate::shape::slicing::{Diagonal, MoveAxis, SwapAxes};
use crate::shape::splitting::ChunkAxis;
use crate::shape::views::Squeeze;

#[cfg(doc)]
pub(crate) use crate::shape::axis_index::{KeepDims, WithAxis, WithoutAxis};
#[cfg(doc)]
pub(crate) use crate::shape::indexing::Chosen;
#[cfg(doc)]
pub(crate) use crate::shape::join::Repeated;
#[cfg(doc)]
pub(crate) use crate::shape::reshape::{FlattenedAxes, Unflattened};
#[cfg(doc)]
pub(crate) use crate::shape::slicing::{DiagonalShape, MovedAxis, SwappedAxes};
#[cfg(doc)]
pub(crate) use crate::shape::splitting::Chunked;
#[cfg(doc)]
pub(crate) use crate::shape::views::{Squeezed, Unsqueezed};

/// Generates [`Results`] from the name of a shape, its parameters, and the bound and associated type that it is.
macro_rules! results {
    ($($(#[$doc:meta])* $Name:ident<[$($parameters:tt)*] $($Arg:ident),*> = $Bound:ident::$Of:ident;)*) => {
        /// The shapes of results.
        #[cfg_attr(doc, doc(hidden))]
        #[tensor_array_macros::bounds_without_source]
        pub trait Results {
            /// The shape itself, of an operation along axis `I`.
            type Kept<const I: isize>: Shape
            where
                Self: HasAxis<I>;
            $(
                $(#[$doc])*
                type $Name<$($parameters)*>: Shape
                where
                    Self: $Bound<$($Arg),*>;
            )*
        }

        impl<S> Results for S {
            type Kept<const I: isize>
                = S
            where
                S: HasAxis<I>;
            $(
                type $Name<$($parameters)*>
                    = <S as $Bound<$($Arg),*>>::$Of
                where
                    S: $Bound<$($Arg),*>;
            )*
        }

        $(
            #[cfg(not(doc))]
            pub(crate) type $Name<S, $($parameters)*> = <S as Results>::$Name<$($Arg),*>;
        )*
    };
}

results! {
    /// The shape without axis `I`.
    WithoutAxis<[const I: isize] I> = HasAxis::WithoutAxis;
    /// The shape with axis `I` of size `One`.
    KeepDims<[const I: isize] I> = HasAxis::KeepDims;
    /// The shape with `A` as axis `I`.
    WithAxis<[const I: isize, A] I, A> = ReplaceAxis::Output;
    /// The shape with a new axis `I`.
    Unsqueezed<[const I: isize] I> = Unsqueeze::Output;
    /// The shape without axis `I`, which has size `One`.
    Squeezed<[const I: isize] I> = Squeeze::Output;
    /// The shape with axes `I` and `J` exchanged.
    SwappedAxes<[const I: isize, const J: isize] I, J> = SwapAxes::Output;
    /// The shape with axis `I` moved to `J`.
    MovedAxis<[const I: isize, const J: isize] I, J> = MoveAxis::Output;
    /// The shape without axes `I` and `J`, and with the axis of their diagonal.
    DiagonalShape<[const I: isize, const J: isize] I, J> = Diagonal::Output;
    /// The shape with axes `I` to `J` as one.
    FlattenedAxes<[const I: isize, const J: isize] I, J> = FlattenAxes::Output;
    /// The shape with axis `I` as the axes `Sizes`.
    Unflattened<[const I: isize, Sizes] I, Sizes> = Unflatten::Output;
    /// The shape of one of `N` chunks along axis `I`.
    Chunked<[const I: isize, const N: usize] I, N> = ChunkAxis::Output;
    /// The shape with axis `I` of size `K`.
    Chosen<[const I: isize, K] I, K> = ChooseAxis::Chosen;
    /// The shape repeated `N` times along axis `I`.
    Repeated<[const I: isize, const N: usize] I, N> = RepeatAxis::Output;
}

#[cfg(not(doc))]
pub(crate) type Kept<S, const I: isize> = <S as Results>::Kept<I>;
#[cfg(doc)]
pub(crate) type Kept<S, const I: isize> = S;
