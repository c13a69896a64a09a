//! Axes as types: [`One`], [`Dim`], and the named axes of [`axis!`](crate::axis!).

use core::fmt::{self, Debug};

use crate::shape::arithmetic::CanonicalSize;
use crate::shape::broadcast::{AssignAxis, AxisMismatch, BroadcastAxis, ExpandAxis};

/// One axis of a shape: a size or a name, as a type.
///
/// | type | size |
/// | --- | --- |
/// | [`One`] | exactly 1: the size that stretches |
/// | [`Dim<768>`](Dim) | 768 |
/// | `Batch`, declared by [`axis!(Batch)`](crate::axis!) | a run-time size |
/// | `Hidden`, declared by [`axis!(Hidden = 768)`](crate::axis!) | 768, and different from every other axis of that size |
///
/// The laws of broadcasting are supertraits, so that generic code needs no bounds for them:
/// `A ⊕ A = A` and `A ⊕ 1 = A`.
///
/// An axis type of your own need not come from `axis!`. No unsafe code relies on its methods: an axis
/// whose size changes makes operations panic, or gives tensors of other sizes.
///
/// ```
/// use tensor_core::{Axis, Tensor, shape, tensor};
///
/// fn shifted<A: Axis>(x: &Tensor<shape![2, A]>, by: &Tensor<shape![A]>) -> Tensor<shape![2, A]> {
///     x + by
/// }
///
/// let x = shifted(&tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], &tensor![1.0, 0.0, -1.0]);
/// assert_eq!(x, tensor![[2.0, 2.0, 2.0], [5.0, 5.0, 5.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of an axis",
    label = "expected `One`, a `Dim<…>` or an axis declared by `axis!`",
    note = "write sizes with `shape![2, 3]` or `dim!(768)`, a constant in braces, `shape![2, {{N}}]`, and a run-time size as a named axis, `axis!(N)` and `shape![2, N(n)]`; in generic code, add the bound `{Self}: Axis` [T701]"
)]
pub trait Axis:
    Copy
    + PartialEq
    + Debug
    + Send
    + Sync
    + 'static
    + BroadcastAxis<Self, BroadcastedAxis = Self>
    + BroadcastAxis<One, BroadcastedAxis = Self>
    + AssignAxis<Self>
{
    /// The size, if static.
    const SIZE: Option<usize>;

    /// The name, if declared by [`axis!`](crate::axis!).
    const NAME: Option<&'static str>;

    /// A number for the order of elements that the type states, such as that of fused rows; 0 for none.
    /// [`rename_axis`](crate::Tensor::rename_axis) states the layout of an axis that has none, and changes no other.
    /// What takes a part of an axis, or several of it, such as [`slice_axis`](crate::Tensor::slice_axis) and
    /// [`flatten_axes_as`](crate::Tensor::flatten_axes_as), may give an axis without a layout as well, and one chunk of
    /// several the layout of chunks.
    const LAYOUT: u64 = 0;

    /// The [`LAYOUT`](Self::LAYOUT) of a part of this axis: of one chunk, if it consists of several.
    #[doc(hidden)]
    const LAYOUT_OF_PART: u64 = Self::LAYOUT;

    /// The only value of this type, if it is [`One`] or a [`Dim`].
    #[doc(hidden)]
    const CONSTANT: Option<Self> = None;

    /// The size.
    fn size(self) -> usize;

    /// The axis of this type with size `size`; `None` if the type has another size.
    fn from_size(size: usize) -> Option<Self>;
}

/// An axis with a static size: all but those of `axis!(Name)`.
///
/// ```
/// use tensor_core::{StaticAxis, Tensor, dim, shape, tensor};
///
/// fn ones<A: StaticAxis>() -> Tensor<shape![A]> {
///     Tensor::ones()
/// }
///
/// assert_eq!(ones::<dim!(3)>(), tensor![1.0, 1.0, 1.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the size of axis `{Self}` is not known at compile time",
    label = "this needs the size of every axis in the types",
    note = "`{Self}` has a run-time size: use the form that takes a shape value, such as `shape![{Self}(32), 3]`, or an operation that leaves this axis alone [T403]"
)]
pub trait StaticAxis: Axis {
    /// The only value of this type.
    const VALUE: Self;

    /// The same size without a name: [`One`] or a [`Dim`].
    type Size: StaticAxis;
}

/// An axis of size exactly 1, which stretches to any size.
///
/// ```
/// use tensor_core::{One, broadcast::BroadcastAxis, dim};
///
/// let stretched: dim!(3) = One.broadcast_axis(<dim!(3)>::default()).unwrap();
/// # let _ = stretched;
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct One;

/// An axis of static size: a number below 10,000, or a sum of parts for larger sizes.
///
/// `Dim<768>` is 768 and `Dim<2048>` is 2048. A larger size is split into millions, thousands and units:
/// `Dim<50000, 257>` is 50,257, `Dim<1000000, 2000, 48>` is 1,002,048. Zero parts are left out and size
/// 1 is [`One`], so that every size has one canonical type; [`dim!`](crate::dim!) and
/// [`shape!`](crate::shape!) write it.
///
/// ```
/// use tensor_core::{Axis, Dim, dim};
///
/// let hidden: dim!(2048) = Dim::<2048>;
/// let words: dim!(50_257) = Dim::<50_000, 257>;
/// assert_eq!((hidden.size(), words.size()), (2048, 50_257));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Dim<const A: usize, const B: usize = 0, const C: usize = 0>;

/// `1`
impl Debug for One {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&1, f)
    }
}

/// The size.
impl<const A: usize, const B: usize, const C: usize> Debug for Dim<A, B, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&A.saturating_add(B).saturating_add(C), f)
    }
}

#[diagnostic::do_not_recommend]
impl Axis for One {
    const SIZE: Option<usize> = Some(1);
    const NAME: Option<&'static str> = None;
    const CONSTANT: Option<Self> = Some(One);

    fn size(self) -> usize {
        1
    }

    fn from_size(size: usize) -> Option<Self> {
        (size == 1).then_some(One)
    }
}

#[diagnostic::do_not_recommend]
impl StaticAxis for One {
    const VALUE: Self = One;
    type Size = One;
}

#[rustfmt::skip] // The compiler shows the header if a type is not an axis.
impl<const A: usize, const B: usize, const C: usize> Axis for Dim<A, B, C> where Self: CanonicalSize {
    const SIZE: Option<usize> = Some(A + B + C);
    const NAME: Option<&'static str> = None;
    const CONSTANT: Option<Self> = Some(Dim);

    fn size(self) -> usize {
        A + B + C
    }

    fn from_size(size: usize) -> Option<Self> {
        (size == A + B + C).then_some(Dim)
    }
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> StaticAxis for Dim<A, B, C>
where
    Dim<A, B, C>: CanonicalSize,
{
    const VALUE: Self = Dim;
    type Size = Self;
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> BroadcastAxis<Self> for Dim<A, B, C>
where
    Dim<A, B, C>: CanonicalSize,
{
    type BroadcastedAxis = Self;

    fn broadcast_axis(self, _: Self) -> Result<Self, AxisMismatch> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> BroadcastAxis<One> for Dim<A, B, C>
where
    Dim<A, B, C>: CanonicalSize,
{
    type BroadcastedAxis = Self;
    const RIGHT_STRETCHES: bool = true;

    fn broadcast_axis(self, _: One) -> Result<Self, AxisMismatch> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> ExpandAxis<Self> for Dim<A, B, C> {
    type Matched = Self;

    fn expand_axis(self, _: Self) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> AssignAxis<Self> for Dim<A, B, C> {}

/// An uninhabited type that is not an axis, for the second impl of a relation.
///
/// If a trait has a single impl for a type, rustc explains that impl in seven lines; with two, it prints
/// our message alone. And if a trait relates every type only to itself, rustc infers the second type
/// from the first and reports a mismatch of associated types.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub enum NoAxis {}

/// The last axis of a shape without axes, for messages. There is no value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(doc, doc(hidden))]
pub enum NoLastAxis {}

#[diagnostic::do_not_recommend]
impl Axis for NoLastAxis {
    const SIZE: Option<usize> = None;
    const NAME: Option<&'static str> = None;

    fn size(self) -> usize {
        match self {}
    }

    fn from_size(_: usize) -> Option<Self> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<A: Axis> BroadcastAxis<A> for NoLastAxis {
    type BroadcastedAxis = Self;

    fn broadcast_axis(self, _: A) -> Result<Self, AxisMismatch> {
        match self {}
    }
}

#[diagnostic::do_not_recommend]
impl<A: Axis> ExpandAxis<A> for NoLastAxis {
    type Matched = Self;

    fn expand_axis(self, _: A) -> Result<(), AxisMismatch> {
        match self {}
    }
}

#[diagnostic::do_not_recommend]
impl<A: Axis> AssignAxis<A> for NoLastAxis {}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> ExpandAxis<NoAxis> for Dim<A, B, C> {
    type Matched = NoAxis;

    fn expand_axis(self, target: NoAxis) -> Result<(), AxisMismatch> {
        match target {}
    }
}

#[diagnostic::do_not_recommend]
impl<const A: usize, const B: usize, const C: usize> AssignAxis<NoAxis> for Dim<A, B, C> {}

/// Implements the traits of an axis for a type that [`axis!`](crate::axis!) declared.
///
/// Without `#[diagnostic::do_not_recommend]`: in a module with `#[no_implicit_prelude]` the compiler
/// does not know that attribute. Bounds of shapes are on axes as one-element tuples, so that messages do
/// not mention these impls.
#[doc(hidden)]
#[macro_export]
macro_rules! __named_axis {
    ($name:ident, $size:expr, |$axis:ident| $value:expr, |$given:ident| $from:expr) => {
        impl $crate::Axis for $name {
            const SIZE: ::core::option::Option<usize> = $size;
            const NAME: ::core::option::Option<&'static str> =
                ::core::option::Option::Some(::core::stringify!($name));

            fn size(self) -> usize {
                let $axis = self;
                $value
            }

            fn from_size($given: usize) -> ::core::option::Option<Self> {
                $from
            }
        }

        impl $crate::broadcast::BroadcastAxis<Self> for $name {
            type BroadcastedAxis = Self;

            fn broadcast_axis(
                self,
                right: Self,
            ) -> ::core::result::Result<Self, $crate::broadcast::AxisMismatch> {
                $crate::broadcast::AxisMismatch::unless_equal(self, right)
            }
        }

        impl $crate::broadcast::BroadcastAxis<$crate::One> for $name {
            type BroadcastedAxis = Self;
            const RIGHT_STRETCHES: bool = true;

            fn broadcast_axis(
                self,
                _: $crate::One,
            ) -> ::core::result::Result<Self, $crate::broadcast::AxisMismatch> {
                ::core::result::Result::Ok(self)
            }
        }

        impl $crate::broadcast::ExpandAxis<Self> for $name {
            type Matched = Self;

            fn expand_axis(
                self,
                target: Self,
            ) -> ::core::result::Result<(), $crate::broadcast::AxisMismatch> {
                $crate::broadcast::AxisMismatch::unless_equal(self, target).map(|_| ())
            }
        }

        impl $crate::broadcast::ExpandAxis<$crate::bounds::NoAxis> for $name {
            type Matched = $crate::bounds::NoAxis;

            fn expand_axis(
                self,
                target: $crate::bounds::NoAxis,
            ) -> ::core::result::Result<(), $crate::broadcast::AxisMismatch> {
                match target {}
            }
        }

        impl $crate::broadcast::AssignAxis<Self> for $name {}

        impl $crate::broadcast::AssignAxis<$crate::bounds::NoAxis> for $name {}
    };
}

/// The layout of an axis, and that of its parts.
pub(crate) type Layouts = [u64; 2];

pub(crate) const fn layouts<A: Axis>() -> Layouts {
    [A::LAYOUT, A::LAYOUT_OF_PART]
}

/// Checks that an axis that is a part of another one, or several of it, states no other layout.
///
/// # Panics
///
/// If it does.
pub(crate) const fn check_layout([old, old_part]: Layouts, [new, new_part]: Layouts) {
    assert!(
        old == 0 || new == 0 || new == old || new == old_part || new_part == old,
        "the new axis states another layout than the axis that its elements come from: another one needs a conversion, \
         such as `Halves::of`"
    );
}
