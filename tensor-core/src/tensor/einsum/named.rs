//! What [`einsum!`](crate::einsum!) expands to.
//!
//! The macro takes the axes of the operands apart, compares those of one name, and puts the shape of
//! the result together, all by patterns and tuples: the types of this module say what is wrong, and
//! nothing in it computes with sizes. What runs knows axes by numbers, in
//! [`contraction`](super::contraction).

use super::typed;
use crate::array::dynamic::DynTensor;
use crate::array::dynamic::einsum::contraction::{Labels, sum_of_products};
use crate::element::{Element, Number};
use crate::shape::Shape;
use crate::shape::axis::{Axis, NoAxis};
use crate::shape::broadcast::{After, Broadcast, BroadcastAxis, Broadcasted};
use crate::tensor::Tensor;
use crate::tensor::operand::SameElement;
use crate::tensor::operations::dispatch::unwrap_or_panic;

/// A tensor behind any number of references.
#[doc(hidden)]
pub fn operand<S: Shape, T: Element>(tensor: &Tensor<S, T>) -> &Tensor<S, T> {
    tensor
}

/// The same tensor, whose shape is a value.
#[doc(hidden)]
pub fn untyped<S: Shape, T: Element>(tensor: &Tensor<S, T>) -> DynTensor<T> {
    tensor.clone().into()
}

/// A tensor whose elements have the type of those of the first operand.
///
/// The macro calls the methods of the traits here by their path: for functions with bounds, rustc would
/// add where they are declared.
#[cfg_attr(doc, doc(hidden))]
pub trait UntypedAs<R, T: Element> {
    /// The same tensor, whose shape is a value.
    fn untyped_as(self, first: &Tensor<R, T>) -> DynTensor<T>
    where
        R: Shape;
}

/// For every type, so that rustc does not list the types that have it.
impl<X: TensorRef, R, T: Element> UntypedAs<R, T> for X
where
    // Once `T` is known: it is that of the first operand, and not inferred from this one.
    After<T, (T,)>: SameElement<T, X::Element>,
{
    fn untyped_as(self, _: &Tensor<R, T>) -> DynTensor<T>
    where
        R: Shape,
    {
        <(T,)>::same_tensor(self.tensor().clone()).into()
    }
}

/// A borrowed tensor.
#[cfg_attr(doc, doc(hidden))]
pub trait TensorRef {
    /// Its shape.
    type Shape: Shape;
    /// The type of its elements.
    type Element: Element;

    /// The tensor.
    fn tensor(&self) -> &Tensor<Self::Shape, Self::Element>;
}

impl<S: Shape, T: Element> TensorRef for &Tensor<S, T> {
    type Shape = S;
    type Element = T;

    fn tensor(&self) -> &Tensor<S, T> {
        self
    }
}

/// A shape with as many axes as an operand of `einsum!` has names.
///
/// Nothing decides the parameter where that is not so, so the compiler proposes no bound.
#[diagnostic::on_unimplemented(
    message = "expected a name for each axis of shape `{Self}`, found {N}",
    label = "this names {N}",
    note = "write a name for every axis, and a space between two names; `..` in front stands for any leading axes [T304]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamedAxes<const N: usize, Axes> {
    /// The shape as a list of its axes.
    fn axes(self) -> Axes;
}

/// A shape with at least as many axes as an operand of `einsum!` has names behind `..`.
#[diagnostic::on_unimplemented(
    message = "expected a name for each of the last axes of shape `{Self}`, found {N}",
    label = "the axes with these names are not known",
    note = "`..` stands for any leading axes, the names for the last ones; generic code names them, as in `shape![Lead.., A, B]` [T304]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamedLastAxes<const N: usize, Axes> {
    /// The shape as a list of its leading axes and these.
    fn last_axes(self) -> Axes;
}

/// `(((lead, a), b), c)` from `lead a b c`.
macro_rules! list {
    ($lead:ty;) => { $lead };
    ($lead:ty; $next:ident $($rest:ident)*) => { list!(($lead, $next); $($rest)*) };
}

/// Stamps out the traits for shapes with these axes, and for those with one more each.
macro_rules! named_axes {
    ($N:literal [$($A:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($A: Axis),*> NamedAxes<$N, Self> for list!((); $($A)*) {
            fn axes(self) -> Self {
                self
            }
        }

        named_axes!(@last $N [$($A)*]);
    };
    (@last $N:literal []) => {};
    (@last $N:literal [$($A:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<Lead: Shape, $($A: Axis),*> NamedLastAxes<$N, Self> for list!(Lead; $($A)*) {
            fn last_axes(self) -> Self {
                self
            }
        }
    };
    ($N:literal [$($A:ident)*] $M:literal $B:ident $($rest:tt)*) => {
        named_axes!($N [$($A)*]);
        named_axes!($M [$($A)* $B] $($rest)*);
    };
}

named_axes! {
    0 [] 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7 8 A8 9 A9 10 A10 11 A11 12 A12 13 A13 14 A14 15 A15 16 A16
}

/// An axis that broadcasts with those of the same name in operands before. `Self` is a one-element tuple, because
/// for a type that the user declared rustc would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "an axis of this name is `{First}` before, and `{Axis}` here",
    label = "`{First}` and `{Axis}` differ",
    note = "all axes of one name have one size, and only `One` stretches: name this axis otherwise, or transpose or reshape its operand [T305]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait StretchedName<First, Axis, Is> {
    /// The axis of the products.
    ///
    /// # Panics
    ///
    /// If sizes that are known at run time differ.
    fn stretched(self, again: Axis, first: First) -> Is;
}

#[diagnostic::do_not_recommend]
impl<F: Axis + BroadcastAxis<A, Output = Is>, A: Axis, Is> StretchedName<F, A, Is> for (A,) {
    #[track_caller]
    fn stretched(self, again: A, first: F) -> Is {
        match first.broadcast_axis(again) {
            Ok(axis) => axis,
            Err(_) => sizes_differ(first.size(), again.size()),
        }
    }
}

#[cold]
#[track_caller]
fn sizes_differ(left: usize, right: usize) -> ! {
    panic!("axes of one name have sizes {left} and {right} in `einsum!`")
}

/// An axis that is the same as one of the same name in the same operand, whose diagonal is taken. `Self` is a
/// one-element tuple, as that of [`StretchedName`].
#[diagnostic::on_unimplemented(
    message = "an axis of this name is `{First}` before, and `{Axis}` here",
    label = "`{First}` and `{Axis}` differ",
    note = "axes of one operand with one name are its diagonal and have one size, also where it is `One`: name this axis otherwise [T305]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameName<First, Axis, Is> {
    /// The axis.
    ///
    /// # Panics
    ///
    /// If sizes that are known at run time differ.
    fn same(self, again: Axis, first: First) -> Is;
}

#[diagnostic::do_not_recommend]
impl<A: Axis> SameName<A, A, A> for (A,) {
    #[track_caller]
    fn same(self, again: A, first: A) -> A {
        match (first.size(), again.size()) {
            (left, right) if left == right => first,
            (left, right) => sizes_differ(left, right),
        }
    }
}

/// A second impl, so that rustc does not take the first one for the only one.
#[diagnostic::do_not_recommend]
impl<A> SameName<NoAxis, A, A> for (A,) {
    fn same(self, _: A, first: NoAxis) -> A {
        match first {}
    }
}

/// A shape, resolved after an axis: where the axis was refused, nothing more is said of the result.
#[doc(hidden)]
pub fn after<A, S>(_: A, shape: S) -> After<A, S> {
    shape
}

/// The broadcast of leading axes.
///
/// # Panics
///
/// If a named axis has different sizes.
#[doc(hidden)]
#[track_caller]
pub fn leading<L, R>(left: L, right: R) -> Broadcasted<L, R>
where
    L: Shape + Broadcast<R>,
    R: Shape,
{
    unwrap_or_panic(left.broadcast(right))
}

/// The sum of products of the operands, whose axes have these numbers.
///
/// # Panics
///
/// If the result does not fit into memory.
#[doc(hidden)]
#[track_caller]
pub fn einsum<S: Shape, T: Number, const N: usize>(
    operands: [DynTensor<T>; N],
    labels: [&[usize]; N],
    result: &[usize],
    shape: S,
) -> Tensor<S, T> {
    let labels = labels.map(Labels::from_slice);
    typed(unwrap_or_panic(sum_of_products(operands.into(), labels.into(), result)), shape)
}
