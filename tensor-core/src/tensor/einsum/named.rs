//! The items that the expansion of [`einsum!`](crate::einsum!) uses.
//!
//! The macro destructures the shapes of the operands into axes, compares those of the same name, and
//! builds the shape of the result, by patterns and tuples alone. The types of this module carry the
//! error messages, and nothing here computes with sizes. At run time axes are known by their numbers, in
//! [`contraction`](super::contraction).

use tensor_array::array::dynamic::DynTensor;
use tensor_array::array::dynamic::einsum::contraction::{Labels, sum_of_products};
use tensor_kernels::element::{Element, Number};

use super::typed;
use crate::shape::Shape;
use crate::shape::axis::{Axis, NoAxis};
use crate::shape::broadcast::{After, Broadcast, BroadcastAxis, Broadcasted};
use crate::tensor::Tensor;
use crate::tensor::operand::{SameElement, same_tensor};
use crate::tensor::operations::dispatch::unwrap_or_panic;

/// The tensor, dereferenced any number of times.
#[doc(hidden)]
pub fn operand<S: Shape, T: Element>(tensor: &Tensor<S, T>) -> &Tensor<S, T> {
    tensor
}

/// The same tensor, with its shape type erased.
#[doc(hidden)]
pub fn untyped<S: Shape, T: Element>(tensor: &Tensor<S, T>) -> DynTensor<T> {
    tensor.erased()
}

/// A tensor with the same element type as the first operand.
///
/// The macro calls the methods of these traits by their path: for functions with bounds, rustc would
/// also report where they are declared.
#[cfg_attr(doc, doc(hidden))]
pub trait UntypedAs<R, T: Element> {
    /// The same tensor, with its shape type erased.
    fn untyped_as(self, first: &Tensor<R, T>) -> DynTensor<T>
    where
        R: Shape;
}

/// Implemented for every type, so that rustc does not list the types that implement it.
impl<X: TensorRef, R, T: Element> UntypedAs<R, T> for X
where
    // Resolved once `T` is known: it is inferred from the first operand, not from this one.
    After<T, (T,)>: SameElement<T, X::Element>,
{
    fn untyped_as(self, _: &Tensor<R, T>) -> DynTensor<T>
    where
        R: Shape,
    {
        same_tensor::<T, _, _>(self.tensor().clone()).into()
    }
}

/// A reference to a tensor.
#[cfg_attr(doc, doc(hidden))]
pub trait TensorRef {
    /// Its shape.
    type Shape: Shape;
    /// Its element type.
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

/// A shape with one axis for each name of an operand of `einsum!`.
///
/// No impl fixes the parameter where that is not so, so the compiler suggests no bound.
#[diagnostic::on_unimplemented(
    message = "expected a name for each axis of shape `{Self}`, found {N}",
    label = "this names {N}",
    note = "write a name for every axis, and a space between two names; `..` at the start represents any leading axes [T304]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamedAxes<const N: usize, Axes> {
    /// The shape as a list of its axes.
    fn axes(self) -> Axes;
}

/// A shape with at least one axis for each name of an operand of `einsum!` after `..`.
#[diagnostic::on_unimplemented(
    message = "expected a name for each of the last axes of shape `{Self}`, found {N}",
    label = "the axes with these names are not known",
    note = "`..` represents any leading axes, and the names represent the last ones; generic code names them, as in `shape![Lead.., A, B]` [T304]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamedLastAxes<const N: usize, Axes> {
    /// The shape as a list of its leading axes and the named ones.
    fn last_axes(self) -> Axes;
}

/// `(((lead, a), b), c)` from `lead a b c`.
macro_rules! list {
    ($lead:ty;) => { $lead };
    ($lead:ty; $next:ident $($rest:ident)*) => { list!(($lead, $next); $($rest)*) };
}

/// Generates the traits for shapes with these axes, and recursively for those with one more each.
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

/// An axis that broadcasts with the axes of the same name in earlier operands. `Self` is a one-element
/// tuple, because for a type that the user declared rustc would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "an axis of this name is `{First}` before, and `{Axis}` here",
    label = "`{First}` and `{Axis}` differ",
    note = "all axes of one name have one size, and only `One` stretches: name this axis otherwise, or transpose or reshape its operand [T305]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait StretchedName<First, Axis, Is> {
    /// The resulting axis.
    ///
    /// # Panics
    ///
    /// If sizes that are known at run time differ.
    fn stretched(self, again: Axis, first: First) -> Is;
}

#[diagnostic::do_not_recommend]
impl<F: Axis + BroadcastAxis<A, BroadcastedAxis = Is>, A: Axis, Is> StretchedName<F, A, Is>
    for (A,)
{
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

/// An axis that equals another one of the same name in the same operand, whose diagonal is taken. `Self`
/// is a one-element tuple, as in [`StretchedName`].
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

/// A second impl, so that rustc does not assume the first one.
#[diagnostic::do_not_recommend]
impl<A> SameName<NoAxis, A, A> for (A,) {
    fn same(self, _: A, first: NoAxis) -> A {
        match first {}
    }
}

/// The shape, resolved after an axis: if the axis was rejected, the result gives no further error.
#[doc(hidden)]
pub fn after<A, S>(_: A, shape: S) -> After<A, S> {
    shape
}

/// The broadcast of the leading axes.
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

/// The sum of products of the operands, whose axes are given by number.
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
