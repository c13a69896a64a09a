//! The shapes of results, for the signatures of methods: where a call leaves out the index of an axis, the compiler says so
//! once, `x.sum_axis::<AXIS>()`.
//!
//! The index is a parameter of the associated type itself. rustc reports such a parameter before what depends on it, and then
//! reports nothing else. In bounds of generic code, the aliases of [`axis_index`](crate::axis_index) and
//! [`views`](crate::views) are written, as rustc does not normalise these there. Documentation shows those, too.

use crate::shape::Shape;
use crate::shape::axis_index::{HasAxis, Unsqueeze};
use crate::shape::views::Squeeze;

#[cfg(doc)]
pub(crate) use crate::shape::axis_index::{KeepDims, WithoutAxis};
#[cfg(doc)]
pub(crate) use crate::shape::views::{Squeezed, Unsqueezed};

/// The shapes of results.
#[cfg_attr(doc, doc(hidden))]
#[tensor_array_macros::bounds_without_source]
pub trait Results {
    /// The shape without axis `I`.
    type WithoutAxis<const I: isize>: Shape
    where
        Self: HasAxis<I>;
    /// The shape with axis `I` of size `One`.
    type KeepDims<const I: isize>: Shape
    where
        Self: HasAxis<I>;
    /// The shape with a new axis `I`.
    type Unsqueezed<const I: isize>: Shape
    where
        Self: Unsqueeze<I>;
    /// The shape without axis `I`, which has size `One`.
    type Squeezed<const I: isize>: Shape
    where
        Self: Squeeze<I>;
}

impl<S> Results for S {
    type WithoutAxis<const I: isize>
        = <S as HasAxis<I>>::WithoutAxis
    where
        S: HasAxis<I>;
    type KeepDims<const I: isize>
        = <S as HasAxis<I>>::KeepDims
    where
        S: HasAxis<I>;
    type Unsqueezed<const I: isize>
        = <S as Unsqueeze<I>>::Output
    where
        S: Unsqueeze<I>;
    type Squeezed<const I: isize>
        = <S as Squeeze<I>>::Output
    where
        S: Squeeze<I>;
}

#[cfg(not(doc))]
pub(crate) type WithoutAxis<S, const I: isize> = <S as Results>::WithoutAxis<I>;
#[cfg(not(doc))]
pub(crate) type KeepDims<S, const I: isize> = <S as Results>::KeepDims<I>;
#[cfg(not(doc))]
pub(crate) type Unsqueezed<S, const I: isize> = <S as Results>::Unsqueezed<I>;
#[cfg(not(doc))]
pub(crate) type Squeezed<S, const I: isize> = <S as Results>::Squeezed<I>;
