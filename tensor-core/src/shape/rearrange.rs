//! The sizes of `rearrange!`: axes that are split into parts, and parts that become one axis.
//!
//! The macro calls the methods of these traits by their path, with the span of the name that they are
//! about. Each has one impl, whose bound is a leaf trait with the message: rustc then knows the axis,
//! and if the leaf rejects it, what follows stays unresolved, so that one mistake is one error.

use tensor_kernels::sizes::count::checked_num_elements;
use tensor_kernels::sizes::inferred::infer_left_out;

use crate::shape::arithmetic::{CountElements, DivSizes, SizesToCount};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::broadcast::After;
use crate::shape::error::ShapeError;
use crate::shape::{Shape, SizeInTypes};

/// Generates a trait for axes with static sizes, whose one method returns the axis, and its leaf trait.
macro_rules! static_axis {
    ($(#[$doc:meta])* $Leaf:ident, $Trait:ident, $method:ident) => {
        $(#[$doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Leaf<A, Is> {
            /// The axis.
            fn known(axis: A) -> Is;
        }

        #[diagnostic::do_not_recommend]
        impl<A: StaticAxis> $Leaf<A, A> for (A,) {
            fn known(axis: A) -> A {
                axis
            }
        }

        /// A second impl, so that an axis without the first one has no `Is`.
        #[diagnostic::do_not_recommend]
        impl<A: NeverAnAxis> $Leaf<A, NoAxis> for (A,) {
            fn known(axis: A) -> NoAxis {
                axis.never()
            }
        }

        /// The trait that the macro calls, for an axis in two tuples: rustc reports the leaf, which is
        /// about another type, and lists no impls.
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Trait<Is> {
            /// The axis.
            fn $method(self) -> Is;
        }

        impl<X, A, Is> $Trait<Is> for X
        where
            X: InTuples<Axis = A>,
            (A,): $Leaf<A, Is>,
        {
            fn $method(self) -> Is {
                <(A,)>::known(self.axis())
            }
        }
    };
}

/// An axis in two tuples.
#[cfg_attr(doc, doc(hidden))]
pub trait InTuples {
    /// The axis.
    type Axis;

    /// The axis.
    fn axis(self) -> Self::Axis;
}

impl<A> InTuples for ((A,),) {
    type Axis = A;

    fn axis(self) -> A {
        self.0.0
    }
}

/// A trait that no type implements.
#[cfg_attr(doc, doc(hidden))]
pub trait NeverAnAxis {
    /// Never called, as no type implements the trait.
    fn never(self) -> NoAxis;
}

static_axis! {
    /// An axis that is split into parts. `Self` is a one-element tuple, because for a type that the user
    /// declared rustc would also show its declaration.
    #[diagnostic::on_unimplemented(
        message = "the size of axis `{A}` is not known at compile time, and neither is what its parts leave",
        label = "the axis that these names share is `{A}`",
        note = "name the other axis after the operand, as `seq = Seq(_)`, where `axis!(Seq)` declares it; in generic code, add the bound `{A}: StaticAxis` [T307]"
    )]
    SizeToSplit, AxisToSplit, split
}

static_axis! {
    /// A part of an axis with a given size.
    #[diagnostic::on_unimplemented(
        message = "the size of axis `{A}` is not known at compile time, and neither is what it leaves",
        label = "this axis is `{A}`",
        note = "write the axis with its size, as `batch = Batch(32)`, and name the other one, as `seq = Seq(_)`; in generic code, add the bound `{A}: StaticAxis` [T307]"
    )]
    SizeOfPart, StaticPart, part
}

static_axis! {
    /// An axis that is merged with others.
    #[diagnostic::on_unimplemented(
        message = "the size of axis `{A}` is not known at compile time, and neither is that of the merged axis",
        label = "this axis is `{A}`",
        note = "give the merged axis a name: `(batch seq as Tokens)`, where `axis!(Tokens)` declares it; in generic code, add the bound `{A}: StaticAxis` [T307]"
    )]
    SizeToMerge, MergedAxis, part
}

/// The axis of a `1` in a pattern.
#[diagnostic::on_unimplemented(
    message = "`1` matches an axis of size `One`, and this axis is `{A}`",
    label = "this axis is `{A}`",
    note = "write a name for the axis, in the result too [T307]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsOne<A, Is> {}

#[diagnostic::do_not_recommend]
impl IsOne<One, One> for (One,) {}

/// A second impl, so that rustc does not take the first one for the only one.
#[diagnostic::do_not_recommend]
impl IsOne<NoAxis, NoAxis> for (NoAxis,) {}

/// The trait that the macro calls: see the leaf.
#[cfg_attr(doc, doc(hidden))]
pub trait AxisOfOne<Is> {
    /// The axis, which the shape of the result depends on: see [`After`].
    fn check(self) -> Is;
}

impl<A, Is: StaticAxis> AxisOfOne<Is> for A
where
    (A,): IsOne<A, Is>,
{
    fn check(self) -> Is {
        Is::VALUE
    }
}

/// An axis of which `Parts` are all parts but one, which is computed: `n → n / parts`.
#[cfg_attr(doc, doc(hidden))]
pub trait RestOfAxis<Parts, Rest> {
    /// The part that is left.
    fn rest(self, parts: Parts) -> Rest;
}

/// `n / (a · b · …)`, if the remainder is 0
impl<A, Parts, K, Z, N, Q, R, Is> RestOfAxis<Parts, Is> for A
where
    (A,): SizeInTypes<A, Size = Z>,
    Parts: SizesToCount<Known = K>,
    After<K, Parts>: CountElements<Count = N>,
    Z: DivSizes<N, Output = Q, Remainder = R>,
    (R,): NothingRemains<A, N, Q, Is>,
    Is: StaticAxis,
{
    fn rest(self, _: Parts) -> Is {
        Is::VALUE
    }
}

/// The remainder of an axis divided by its parts, which must be 0. If it is not, `Is`, the part that is
/// left out, does not resolve.
#[diagnostic::on_unimplemented(
    message = "`rearrange!` keeps every element: `{A}` is not a multiple of `{N}`",
    label = "this axis has size `{A}`, and the sizes given multiply to `{N}`",
    note = "names in parentheses are the parts of one axis: their sizes multiply to its size [T307]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NothingRemains<A, N, Q, Is> {}

#[diagnostic::do_not_recommend]
impl<A, N, Q> NothingRemains<A, N, Q, Q> for (Dim<0>,) {}

#[diagnostic::do_not_recommend]
impl<A, N, Q> NothingRemains<A, N, Q, NoAxis> for (NoAxis,) {}

/// An axis of which `Parts` are all parts: `n = a · b · …`.
#[cfg_attr(doc, doc(hidden))]
pub trait AllOfAxis<Parts, Is> {
    /// The size of the axis, which the shape of the result depends on: see [`After`].
    fn check(self, parts: Parts) -> Is;
}

/// `n = a · b · …`
impl<A, Parts, K, Z, N, Is> AllOfAxis<Parts, Is> for A
where
    (A,): SizeInTypes<A, Size = Z>,
    Parts: SizesToCount<Known = K>,
    After<K, Parts>: CountElements<Count = N>,
    N: StaticAxis,
    (Z,): PartsOfAxis<N::Size, A, Is>,
    Is: StaticAxis,
{
    fn check(self, _: Parts) -> Is {
        Is::VALUE
    }
}

/// The size of an axis, which must be the product of its parts.
#[diagnostic::on_unimplemented(
    message = "`rearrange!` keeps every element: `{A}` is not `{N}`",
    label = "this axis has size `{A}`, and the sizes of its parts multiply to `{N}`",
    note = "one size of the names in parentheses may be left out; in generic code, the bound is `shape![H, D]: CountElements<Count = M>` [T307]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PartsOfAxis<N, A, Is> {}

#[diagnostic::do_not_recommend]
impl<N: StaticAxis, A> PartsOfAxis<N, A, N> for (N,) {}

#[diagnostic::do_not_recommend]
impl<N, A> PartsOfAxis<NoAxis, A, N> for (N,) {}

/// Parts that are merged into the axis `N`: `Self` is the list in a tuple, so that rustc reports the
/// bound that the list does not satisfy.
#[cfg_attr(doc, doc(hidden))]
pub trait MergedParts<N> {
    /// The axis.
    fn merged(self) -> N;
}

/// `a · b · …`
impl<X, S, K, N> MergedParts<N> for X
where
    X: ListOfParts<Parts = S>,
    S: SizesToCount<Known = K>,
    After<K, S>: CountElements<Count = N>,
    N: StaticAxis,
{
    fn merged(self) -> N {
        N::VALUE
    }
}

/// A list in a tuple.
#[cfg_attr(doc, doc(hidden))]
pub trait ListOfParts {
    /// The list.
    type Parts;
}

impl<S> ListOfParts for (S,) {
    type Parts = S;
}

/// The axis `A` that these parts merge into.
///
/// # Errors
///
/// If it is static and has another size; if the product is too large.
pub(crate) fn merged_as<A: Axis, S: Shape>(parts: S) -> Result<A, ShapeError> {
    let sizes = parts.sizes();
    let too_large = || ShapeError::TooLarge { sizes: sizes.to_vec() };
    axis_of(checked_num_elements(&sizes).ok_or_else(too_large)?)
}

/// The size of the part of an axis that is left out: the whole divided by the other parts.
///
/// # Errors
///
/// If no size gives the parts all elements, or if `A` is static and has another size.
pub(crate) fn left_out<A: Axis, S: Shape>(size: usize, parts: S) -> Result<A, ShapeError> {
    let mut sizes: Vec<Option<usize>> = parts.sizes().iter().copied().map(Some).collect();
    sizes.push(None);
    let name = |axis: usize| match sizes[axis] {
        Some(size) => size.to_string(),
        None => format!("{}(_)", A::NAME.unwrap_or_default()),
    };
    let inferred = infer_left_out(&sizes, size, &name)?;
    axis_of(inferred[inferred.len() - 1])
}

/// # Errors
///
/// If the parts do not multiply to the size.
pub(crate) fn check_parts<S: Shape>(size: usize, parts: S) -> Result<(), ShapeError> {
    let sizes = parts.sizes();
    match checked_num_elements(&sizes) {
        Some(count) if count == size => Ok(()),
        count => Err(ShapeError::Length {
            expected: count.unwrap_or(usize::MAX),
            found: size,
            sizes: sizes.to_vec(),
        }),
    }
}

/// # Errors
///
/// If the axis is static and has another size.
fn axis_of<A: Axis>(size: usize) -> Result<A, ShapeError> {
    <((), A)>::from_sizes(&[size]).map(|((), axis)| axis)
}
