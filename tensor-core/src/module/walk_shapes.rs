//! A walk of the compiler over the shapes of the tensors of a module.

use std::collections::BTreeMap;

use tensor_kernels::element::Element;

use super::Frozen;
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// A module over whose shapes the compiler walks: `V: VisitShape<S, …>` for the shape `S` of each tensor, which takes
/// a state as a type and gives the next one. Without a fitting impl for a shape, the call does not compile.
///
/// `#[derive(Module)]` implements it too. A field type that occurs twice is visited once, and a tensor without a shape
/// in its type, a [`DynTensor`], not at all.
///
/// ```
/// use tensor_core::module::{Module, VisitShape, WalkShapes};
/// use tensor_core::{Tensor, shape};
///
/// /// Accepts vectors.
/// struct Vectors;
///
/// impl<A> VisitShape<((), A), ()> for Vectors {
///     type Out = ();
/// }
///
/// #[derive(Module)]
/// struct Norm {
///     weight: Tensor<shape![64]>,
///     bias: Tensor<shape![64]>,
/// }
///
/// fn takes_vectors(_: &impl WalkShapes<Vectors, ()>) {}
///
/// takes_vectors(&[Norm { weight: Tensor::ones(), bias: Tensor::zeros() }]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the shapes of the tensors of `{Self}` are not known here",
    label = "expected a module whose tensors the compiler can list",
    note = "write `#[derive(Module)]` above its declaration; for a module that is written by hand, implement `WalkShapes`; in generic code, add the bound of the call [X107]"
)]
pub trait WalkShapes<V, In> {
    /// The state after the walk.
    type Out;
}

/// A visitor of shapes, for [`WalkShapes`].
///
/// ```
/// use tensor_core::module::VisitShape;
///
/// /// Accepts scalars.
/// struct Scalars;
///
/// impl VisitShape<(), ()> for Scalars {
///     type Out = ();
/// }
/// ```
pub trait VisitShape<S, In> {
    /// The next state.
    type Out;
}

impl<S: Shape, T: Element, V: VisitShape<S, In>, In> WalkShapes<V, In> for Tensor<S, T> {
    type Out = V::Out;
}

#[diagnostic::do_not_recommend]
impl<T: Element, V, In> WalkShapes<V, In> for DynTensor<T> {
    type Out = In;
}

/// Implements it for containers.
macro_rules! containers {
    ($($T:ty)*) => {$(
        impl<V, In, M: WalkShapes<V, In>> WalkShapes<V, In> for $T {
            type Out = M::Out;
        }
    )*};
}

containers! { Vec<M> Option<M> Box<M> Frozen<M> BTreeMap<String, M> }

impl<V, In, M: WalkShapes<V, In>, const N: usize> WalkShapes<V, In> for [M; N] {
    type Out = M::Out;
}

/// The state after each element of a tuple is passed to the next one.
macro_rules! tuples {
    ($(($($M:ident: $In:ident => $Out:ident),+; $Last:ident))*) => {$(
        impl<V, In, $($M, $Out),+> WalkShapes<V, In> for ($($M,)+)
        where
            $($M: WalkShapes<V, $In, Out = $Out>),+
        {
            type Out = $Last;
        }
    )*};
    // Tuples of these types and of fewer.
    (@shorter [$($before:tt)*] $Last:ident;) => {};
    (@shorter [$($before:tt)*] $Before:ident; $M:ident $Out:ident $($rest:tt)*) => {
        tuples! { ($($before)* $M: $Before => $Out; $Out) }
        tuples! { @shorter [$($before)* $M: $Before => $Out,] $Out; $($rest)* }
    };
}

tuples! { @shorter [] In; A A1 B B1 C C1 D D1 E E1 F F1 G G1 H H1 I I1 J J1 K K1 L L1 }
