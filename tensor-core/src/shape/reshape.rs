//! The shapes of `reshape`, `flatten`, `unflatten` and concatenation.
//!
//! The compiler counts the elements, so the axes that change must have static sizes; the others may be
//! named, or any leading axes.

use crate::shape::arithmetic::{AddSizes, CountElements, SizesToCount};
use crate::shape::axis::{Axis, NoAxis, One, StaticAxis};
use crate::shape::axis_index::index_left_out;
use crate::shape::axis_index::{AxisFromEnd, FromEnd, HasAxis};
use crate::shape::broadcast::After;
use crate::shape::error::ShapeError;
use crate::shape::{Shape, SizeInTypes, StaticShape};

/// `S` with all axes merged into one: `[..s] → [n]`.
pub type Flattened<S> = <S as FlattenAll>::Flattened;

/// `S` with axes `START` to `END`, both included, merged into one: `[..a, ..s, ..b] → [..a, n, ..b]`.
pub type FlattenedAxes<S, const START: isize, const END: isize> =
    <S as FlattenAxes<START, END>>::Output;

/// `S` with axis `I` split into the axes of `Sizes`: `[..a, n, ..b] → [..a, ..s, ..b]`.
pub type Unflattened<S, const I: isize, Sizes> = <S as Unflatten<I, Sizes>>::Output;

/// `S` and `R` concatenated along axis `I`: `[..l, a, ..r], [..l, b, ..r] → [..l, a + b, ..r]`.
pub type Concatenated<S, const I: isize, R> = <S as ConcatAxis<I, R>>::Output;

/// `S`, resolved if all its sizes are known.
type Known<S> = After<<S as SizesToCount>::Known, S>;

/// `Target`, if `S` has the same number of elements: `[..s] → [..t]`.
pub type Reshaped<S, Target> = <S as Reshape<Target>>::Output;

/// The number of elements of `S`, as an axis.
type NumElements<S> = <Known<S> as CountElements>::Count;

/// A shape with the same number of elements as `Target`: the bound of `reshape`.
///
/// ```
/// use tensor_core::{Tensor, reshape::ReshapeTo, shape, tensor};
///
/// fn rows<S: ReshapeTo<shape![2, 3]>>(x: &Tensor<S>) -> Tensor<shape![2, 3]> {
///     x.reshape()
/// }
///
/// let x = rows(&tensor![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// assert_eq!(x, tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`reshape` needs to know the number of elements of shape `{Self}` and of shape `{Target}`",
    note = "in generic code, add the bound `{Self}: ReshapeTo<{Target}>` [T401]"
)]
pub trait ReshapeTo<Target: Shape>: Shape {
    /// A type that the compiler knows only if the numbers of elements are the same: [`After`] uses it.
    #[doc(hidden)]
    type SameNumElements;

    /// The target, as a value.
    fn reshape(self) -> Target;
}

/// `[..s] → [..t]`, if `s` and `t` have the same product.
impl<S, T> ReshapeTo<T> for S
where
    S: Shape,
    T: Shape,
    S: CountedAs<After<T::Checked, S>, T>,
{
    type SameNumElements = <S as CountedAs<After<T::Checked, S>, T>>::Checked;

    fn reshape(self) -> T {
        <S as CountedAs<S, T>>::TARGET
    }
}

/// A shape, which is also `X`, with the number of elements of `T`.
#[cfg_attr(doc, doc(hidden))]
pub trait CountedAs<X, T> {
    /// A type that the compiler knows only if the numbers are the same, or while the target is not known.
    type Checked;

    /// The target, as a value.
    const TARGET: T;
}

impl<S, X, T> CountedAs<X, T> for S
where
    (X,): ListedForReshape<S, T>,
    S: HasNumElements<Counted<X, S, T>, T, Wanted<X, S, T>>,
{
    type Checked = <S as HasNumElements<Counted<X, S, T>, T, Wanted<X, S, T>>>::Checked;
    const TARGET: T = <S as HasNumElements<Counted<X, S, T>, T, Wanted<X, S, T>>>::TARGET;
}

/// The number of elements of `X`, as an axis.
type Counted<X, S, T> = <(X,) as ListedForReshape<S, T>>::Count;

/// `T`, resolved if the number of elements of `X` is known.
type Wanted<X, S, T> = After<Counted<X, S, T>, T>;

/// Requires that the target `T`, which is also `Y`, has `N` elements.
#[cfg_attr(doc, doc(hidden))]
pub trait HasNumElements<N, T, Y> {
    /// A type that the compiler knows only if the numbers are the same, or while the target is not known.
    type Checked;

    /// The target, as a value.
    const TARGET: Y;
}

impl<S, N, T, Y> HasNumElements<N, T, Y> for S
where
    Y: HasCount,
    (N,): SameNumElementsReshape<N, Y::Count, S, T>,
{
    type Checked = <(N,) as SameNumElementsReshape<N, Y::Count, S, T>>::Checked;
    const TARGET: Y = Y::KNOWN;
}

/// Requires that a shape of `reshape` is a list of axes, as a one-element tuple.
#[diagnostic::on_unimplemented(
    message = "`reshape` needs to know the number of elements of shape `{S}` and of shape `{T}`",
    label = "the compiler cannot count the elements",
    note = "in generic code, add the bound `{S}: ReshapeTo<{T}>` [T401]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ListedForReshape<S, T> {
    /// The number of elements, as an axis.
    type Count: StaticAxis;
}

#[diagnostic::do_not_recommend]
impl<S, T> ListedForReshape<S, T> for ((),) {
    type Count = One;
}

impl<L, A, S, T> ListedForReshape<S, T> for ((L, A),)
where
    (L, A): SizesToCount,
    (Known<(L, A)>,): CountedForReshape<S, T>,
{
    type Count = <(Known<(L, A)>,) as CountedForReshape<S, T>>::Count;
}

/// Requires that the elements of a shape of `reshape` can be counted, as a one-element tuple.
#[diagnostic::on_unimplemented(
    message = "`reshape` needs to know the number of elements of shape `{S}` and of shape `{T}`",
    label = "the compiler cannot count the elements",
    note = "in generic code, add the bound `{S}: ReshapeTo<{T}>` [T401]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait CountedForReshape<S, T> {
    /// The number of elements, as an axis.
    type Count: StaticAxis;
}

#[diagnostic::do_not_recommend]
impl<X: CountElements, S, T> CountedForReshape<S, T> for (X,) {
    type Count = X::Count;
}

/// See [`Never`].
#[diagnostic::do_not_recommend]
impl<X, S, T> CountedForReshape<S, T> for (X,)
where
    (X,): Never,
{
    type Count = One;
}

/// [`ReshapeTo`] with its result: the bound of `reshape`.
#[cfg_attr(doc, doc(hidden))]
pub trait Reshape<Target> {
    /// `Target`. Unknown to the compiler if it is rejected.
    type Output: Shape;

    /// The target, as a value.
    fn reshaped(self) -> Self::Output;
}

impl<S: ReshapeTo<Target>, Target: Shape> Reshape<Target> for S {
    type Output = After<S::SameNumElements, Target>;

    fn reshaped(self) -> Target {
        self.reshape()
    }
}

/// Requires that a number of elements is the same in the target of `reshape`.
#[diagnostic::on_unimplemented(
    message = "`reshape` keeps the number of elements: `{N}` is not `{Target}`",
    label = "shape `{S}` has `{N}` elements, shape `{T}` has `{Target}`",
    note = "the number of elements of a shape is the product of its sizes; in generic code, the bound is `S: ReshapeTo<Target>` [T401]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameNumElementsReshape<N, Target, S, T> {
    /// A type that the compiler knows only if they are the same.
    type Checked;
}

#[diagnostic::do_not_recommend]
impl<N, M, S, T> SameNumElementsReshape<N, M, S, T> for (N,)
where
    (M,): NumElementsReshape<N, M, S, T>,
{
    type Checked = ();
}

/// See [`Never`].
#[diagnostic::do_not_recommend]
impl<N, M, S, T> SameNumElementsReshape<N, M, S, T> for (N,)
where
    (M,): Never,
{
    type Checked = ();
}

/// A trait that no type implements: the bound of a second impl for any type.
///
/// A single impl is selected at once, and its bounds are reported; with two, the compiler first finds
/// out which of them holds. So it reports the trait itself, a rejected shape has no result, and while a
/// type is not known, neither impl is selected.
#[cfg_attr(doc, doc(hidden))]
pub trait Never {}

/// Requires that a target has `N` elements, like the shape: [`SameNumElementsReshape`] from the other side.
#[diagnostic::on_unimplemented(
    message = "`reshape` keeps the number of elements: `{N}` is not `{Target}`",
    label = "shape `{S}` has `{N}` elements, shape `{T}` has `{Target}`",
    note = "the number of elements of a shape is the product of its sizes; in generic code, the bound is `S: ReshapeTo<Target>` [T401]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NumElementsReshape<N, Target, S, T> {}

#[diagnostic::do_not_recommend]
impl<N: StaticAxis, S, T> NumElementsReshape<N, N, S, T> for (N,) {}

#[diagnostic::do_not_recommend]
impl<N, S, T> NumElementsReshape<N, NoAxis, S, T> for (NoAxis,) {}

/// A shape whose axes can be merged into one: all sizes are static.
///
/// ```
/// use tensor_core::{Tensor, reshape::{FlattenAll, Flattened}, tensor};
///
/// fn flat<S: FlattenAll>(x: &Tensor<S>) -> Tensor<Flattened<S>> {
///     x.flatten()
/// }
///
/// assert_eq!(flat(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![1.0, 2.0, 3.0, 4.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the number of elements of shape `{Self}` is not known here",
    label = "the compiler cannot count the elements: the compiler counts static sizes, up to 999,999,999 elements [T404]; in generic code, add the bound `{Self}: CountElements`, with `Count = N` in it where the result has an axis `N`; for `reshape` alone, `{Self}: ReshapeTo<Target>`, and for heads of attention, `(H, C): HeadsFill<D>` [T403]"
)]
pub trait FlattenAll: Shape {
    /// The shape with one axis.
    type Flattened: StaticShape;
}

/// `[..s] → [n]`, where `n` is the product of `s`; `[] → [1]`.
impl<S: Shape + HasCount> FlattenAll for S {
    type Flattened = ((), S::Count);
}

/// A shape whose elements can be counted: [`CountElements`], which reports run-time axes separately.
#[cfg_attr(doc, doc(hidden))]
pub trait HasCount: SizesToCount {
    /// The number of elements, as an axis.
    #[doc(hidden)]
    type Count: StaticAxis;
}

impl<S> HasCount for S
where
    S: SizesToCount,
    Known<S>: CountElements,
{
    type Count = NumElements<S>;
}

/// A shape whose axes `START` to `END`, both included, can be merged into one.
///
/// The other axes may be named, or any leading axes where both indices count from the end.
///
/// ```
/// use tensor_core::{Tensor, reshape::{FlattenAxes, FlattenedAxes}, tensor};
///
/// fn merged<S: FlattenAxes<0, 1>>(x: &Tensor<S>) -> Tensor<FlattenedAxes<S, 0, 1>> {
///     x.flatten_axes::<0, 1>()
/// }
///
/// assert_eq!(merged(&tensor![[[1.0], [2.0]]]), tensor![[1.0], [2.0]]);
/// ```
pub trait FlattenAxes<const START: isize, const END: isize>: AxesInOrder<START, END> {
    /// The shape with one axis in place of those.
    type Output: Shape;

    /// The shape with one axis in place of those, as a value.
    fn flatten_axes(self) -> <Self as FlattenAxes<START, END>>::Output;
}

index_left_out! { $N
    impl<L: Shape, A: Axis> FlattenAxes<$N, $N> for (L, A) {
        type Output = ();

        fn flatten_axes(self) {}
    }
}

/// `[..a, ..s, ..b] → [..a, n, ..b]`, where `n` is the product of `s`.
impl<S, const START: isize, const END: isize> FlattenAxes<START, END> for S
where
    S: AxesInOrder<START, END> + FlattenInOrder<START, END>,
{
    type Output = <S as FlattenInOrder<START, END>>::Output;

    fn flatten_axes(self) -> <Self as FlattenAxes<START, END>>::Output {
        self.flatten_in_order()
    }
}

/// [`FlattenAxes`], once the indices are known to be in order.
#[cfg_attr(doc, doc(hidden))]
pub trait FlattenInOrder<const START: isize, const END: isize> {
    /// The shape with one axis in place of those.
    type Output: Shape;

    /// The shape with one axis in place of those, as a value.
    fn flatten_in_order(self) -> Self::Output;
}

impl<S, const START: isize, const END: isize, First, Last, A, B, Lead, Rest, UpTo, Trail, N>
    FlattenInOrder<START, END> for S
where
    S: HasAxis<START, FromTheEnd = First, Axis = A>,
    After<A, S>: HasAxis<END, FromTheEnd = Last, Axis = B>,
    After<B, S>: SplitAtAxis<First, START, END, Leading = Lead, From = Rest>,
    Lead: Shape,
    Rest: SplitAtAxis<Last, START, END, UpTo = UpTo, Trailing = Trail>,
    UpTo: SizesToCount,
    Known<UpTo>: CountElements<Count = N>,
    N: StaticAxis,
    (Lead, N): Append<Trail, Output: Shape>,
{
    // Resolved once the sizes are known, so that a rejected call has no result type.
    type Output = After<Known<UpTo>, <(Lead, N) as Append<Trail>>::Output>;

    fn flatten_in_order(self) -> Self::Output {
        let (before, rest) = self.split_before();
        (before, N::VALUE).append(rest.split_behind().1)
    }
}

/// A shape in which axis `START` does not come after axis `END`: the bound of [`FlattenAxes`] on the
/// indices, separate from the sizes, so that error messages are about the call alone.
#[cfg_attr(doc, doc(hidden))]
pub trait AxesInOrder<const START: isize, const END: isize>: Shape {}

index_left_out! { $N
    impl<L: Shape, A: Axis> AxesInOrder<$N, $N> for (L, A) {}
}

impl<S, const START: isize, const END: isize, const K: usize, Last, A, B, Rest>
    AxesInOrder<START, END> for S
where
    S: HasAxis<START, FromTheEnd = FromEnd<K>, Axis = A>,
    After<A, S>: HasAxis<END, FromTheEnd = Last, Axis = B>,
    After<B, S>: SplitAtAxis<FromEnd<K>, START, END, From = Rest>,
    Rest: SplitAtAxis<Last, START, END>,
{
}

/// A shape whose axis `I` can be split into the axes of `Sizes`: the inverse of [`FlattenAxes`].
///
/// ```
/// use tensor_core::{Tensor, reshape::{Unflatten, Unflattened}, shape, tensor};
///
/// type Heads = shape![2, 2];
///
/// fn split<S: Unflatten<-1, Heads>>(x: &Tensor<S>) -> Tensor<Unflattened<S, -1, Heads>> {
///     x.unflatten::<-1, Heads>()
/// }
///
/// assert_eq!(split(&tensor![1.0, 2.0, 3.0, 4.0]), tensor![[1.0, 2.0], [3.0, 4.0]]);
/// ```
pub trait Unflatten<const I: isize, Sizes>: SameNumElements<I, Sizes> {
    /// The shape with those axes in place of one.
    type Output: Shape;

    /// The shape with those axes in place of one, as a value.
    fn unflatten(self) -> <Self as Unflatten<I, Sizes>>::Output;
}

index_left_out! { $N
    impl<L: Shape, A: Axis, Sizes> Unflatten<$N, Sizes> for (L, A) {
        type Output = ();

        fn unflatten(self) {}
    }
}

/// `[..a, n, ..b] → [..a, ..s, ..b]`, where `n` is the product of `s`.
impl<S, const I: isize, const K: usize, Sizes, A, Before, Lead, Behind> Unflatten<I, Sizes> for S
where
    S: SameNumElements<I, Sizes>,
    Sizes: StaticShape,
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    After<A, S>: SplitAtAxis<FromEnd<K>, I, I, Leading = Before, Trailing = Behind>,
    Before: Append<Sizes, Output = Lead>,
    Lead: Append<Behind, Output: Shape>,
{
    type Output =
        After<<S as SameNumElements<I, Sizes>>::Matched, <Lead as Append<Behind>>::Output>;

    fn unflatten(self) -> <Self as Unflatten<I, Sizes>>::Output {
        let (before, behind) = (self.split_before().0, self.split_behind().1);
        before.append(Sizes::VALUE).append(behind)
    }
}

/// A shape whose axis `I` has the number of elements of `Sizes`: the bound of [`Unflatten`] on the sizes,
/// separate so that error messages are about the call alone.
#[cfg_attr(doc, doc(hidden))]
pub trait SameNumElements<const I: isize, Sizes>: Shape {
    /// A type that the compiler knows only if the numbers match: [`After`] uses it.
    #[doc(hidden)]
    type Matched;
}

index_left_out! { $N
    impl<L: Shape, A: Axis, Sizes> SameNumElements<$N, Sizes> for (L, A) {
        type Matched = ();
    }
}

impl<S, const I: isize, const K: usize, Sizes, A, Z, N> SameNumElements<I, Sizes> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    Sizes: SizesToCount,
    Known<Sizes>: CountElements<Count = N>,
    N: StaticAxis,
    After<N, (A,)>: SizeInTypes<A, Size = Z>,
    Z: SameNumElementsUnflatten<N::Size, I, Sizes, A>,
{
    type Matched = Z::Matched;
}

/// A size that is the number of elements of `Sizes`.
#[diagnostic::on_unimplemented(
    message = "`unflatten` keeps the number of elements: `{Self}` is not `{Count}`",
    label = "axis {I} has `{Self}` elements, shape `{Sizes}` has `{Count}`",
    note = "the number of elements of a shape is the product of its sizes; in generic code, the bound is `shape![H, D]: CountElements<Count = M>` [T401]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameNumElementsUnflatten<Count, const I: isize, Sizes, A> {
    /// A type that the compiler knows only if the numbers match: [`After`] uses it.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<N: StaticAxis, const I: isize, Sizes, A> SameNumElementsUnflatten<N, I, Sizes, A> for N {
    type Matched = N;
}

#[diagnostic::do_not_recommend]
impl<N, const I: isize, Sizes, A> SameNumElementsUnflatten<NoAxis, I, Sizes, A> for N {
    type Matched = NoAxis;
}

/// Two shapes that can be concatenated along axis `I`: their other axes are equal.
///
/// ```
/// use tensor_core::{reshape::ConcatAxis, shape};
///
/// let rows: shape![6, 3] = ConcatAxis::<0, _>::concat_axis(shape![2, 3], shape![4, 3])?;
/// # let _ = rows;
/// # Ok::<(), tensor_core::ShapeError>(())
/// ```
pub trait ConcatAxis<const I: isize, R>: HasAxis<I> {
    /// The shape of the concatenation.
    type Output: Shape;

    /// The index of the axis, counted from 0 at the front.
    const AXIS_INDEX: usize;

    /// The shape of the concatenation, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    fn concat_axis(self, right: R) -> Result<<Self as ConcatAxis<I, R>>::Output, ShapeError>;
}

/// `[..l, a, ..r] and [..l, b, ..r] → [..l, a + b, ..r]`
impl<S, R, A, B, M, N, O, const I: isize, const K: usize> ConcatAxis<I, R> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    After<A, R>: HasAxis<I, Axis = B>,
    (A,): JoinedAxis<A, I, Size = M>,
    After<M, (B,)>: JoinedAxis<B, I, Size = N>,
    <S as HasAxis<I>>::WithoutAxis: EqualExceptAxis<<R as HasAxis<I>>::WithoutAxis, I>,
    After<N, A>: AddSizes<B, Output = O>,
    S: AxisFromEnd<K, With<O>: Shape>,
    R: HasAxis<I>,
{
    // Resolved once the other axes are equal, so that a rejected concatenation has no shape.
    type Output =
        After<
            <<S as HasAxis<I>>::WithoutAxis as EqualExceptAxis<
                <R as HasAxis<I>>::WithoutAxis,
                I,
            >>::Checked,
            <S as AxisFromEnd<K>>::With<O>,
        >;
    const AXIS_INDEX: usize = S::INDEX;

    fn concat_axis(self, right: R) -> Result<<Self as ConcatAxis<I, R>>::Output, ShapeError> {
        let mut sizes = self.sizes();
        sizes[S::INDEX] += right.sizes()[S::INDEX];
        HasAxis::<I>::remove(self).same(HasAxis::<I>::remove(right)).map_err(
            |error| match error {
                ShapeError::Sizes { left, right, axis, name } if axis >= S::INDEX => {
                    ShapeError::Sizes { left, right, axis: axis + 1, name }
                }
                error => error,
            },
        )?;
        Shape::from_sizes(&sizes)
    }
}

/// Requires that an axis along which shapes are concatenated has a static size. `Self` is a one-element
/// tuple, because for a type that the user declared rustc would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "the size of axis `{A}` is not known at compile time, and neither is that of two of them",
    label = "axis {I} is `{A}`: `Tensor::concat_all::<{I}, Rows>([&a, &b])` gives the result a named axis, declared by `axis!(Rows)`; in generic code, add the bound `{A}: StaticAxis` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait JoinedAxis<A, const I: isize> {
    /// The size without a name.
    type Size;
}

#[diagnostic::do_not_recommend]
impl<A: StaticAxis, const I: isize> JoinedAxis<A, I> for (A,) {
    type Size = A::Size;
}

/// Requires that the other axes of a shape in a concatenation equal those of the other shape.
#[diagnostic::on_unimplemented(
    message = "to concatenate along axis {I}, all other axes must be equal: `{Self}` is not `{Other}`",
    label = "without axis {I}, these are `{Self}` and `{Other}`",
    note = "concatenation makes one axis longer and keeps the others [T402]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait EqualExceptAxis<Other, const I: isize> {
    /// A type that the compiler knows only if the axes are equal: [`After`] uses it.
    type Checked;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides; axes are counted without axis `I`.
    fn same(self, other: Other) -> Result<(), ShapeError>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, const I: isize> EqualExceptAxis<S, I> for S {
    type Checked = S;

    fn same(self, other: S) -> Result<(), ShapeError> {
        self.broadcast(other).map(drop)
    }
}

#[diagnostic::do_not_recommend]
impl<S, const I: isize> EqualExceptAxis<NoAxis, I> for S {
    type Checked = NoAxis;

    fn same(self, other: NoAxis) -> Result<(), ShapeError> {
        match other {}
    }
}

/// Concatenation of lists of axes.
#[cfg_attr(doc, doc(hidden))]
pub trait Append<Tail> {
    /// The longer list.
    type Output;

    /// The longer list, as a value.
    fn append(self, tail: Tail) -> Self::Output;
}

/// `[..s] and [] → [..s]`
impl<S> Append<()> for S {
    type Output = S;

    fn append(self, (): ()) -> S {
        self
    }
}

/// `[..s] and [..t, a] → [..s, ..t, a]`
impl<S: Append<T>, T, A> Append<(T, A)> for S {
    type Output = (S::Output, A);

    fn append(self, (lead, axis): (T, A)) -> Self::Output {
        (self.append(lead), axis)
    }
}

/// A list of axes, split before and after the axis `Place`, which is [`FromEnd<K>`](FromEnd).
#[diagnostic::on_unimplemented(
    message = "axis {START} comes after axis {END}: there is nothing to flatten",
    label = "write the axis that comes first as the first number",
    note = "axes count from 0 at the front and from -1 at the end; both numbers are included [T206]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SplitAtAxis<Place, const START: isize, const END: isize>: Sized {
    /// The axes before it.
    type Leading;
    /// The axis and those after it.
    type From;
    /// The axes before it, and the axis.
    type UpTo;
    /// The axes after it.
    type Trailing;

    /// The list, split before the axis.
    fn split_before(self) -> (Self::Leading, Self::From);
    /// The list, split after the axis.
    fn split_behind(self) -> (Self::UpTo, Self::Trailing);
}

/// Generates impls for indices that no axis has: with them, the compiler resolves the indices of a call
/// before it rejects the shape.
macro_rules! no_position {
    ($($position:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S, const START: isize, const END: isize> SplitAtAxis<FromEnd<$position>, START, END> for S {
            type Leading = ();
            type From = S;
            type UpTo = S;
            type Trailing = ();

            fn split_before(self) -> ((), S) {
                ((), self)
            }

            fn split_behind(self) -> (S, ()) {
                (self, ())
            }
        }
    )*};
}

no_position!(2_000_000_000 2_000_000_001);

/// `(((lead, a), b), c)` from `lead a b c`, as a type, a pattern or an expression.
macro_rules! list {
    ($lead:tt) => { $lead };
    ($lead:tt $next:ident $($rest:ident)*) => { list!(($lead, $next) $($rest)*) };
}

/// Generates [`SplitAtAxis`] for axis `-$k`, followed by the axes `$behind`, and for the axes before it.
macro_rules! split_at_axis {
    ([$($behind:ident)*]) => {};
    ([$($behind:ident)*] $k:literal $next:ident $($more:tt)*) => {
        #[diagnostic::do_not_recommend]
        impl<const START: isize, const END: isize, L, A, $($behind),*> SplitAtAxis<FromEnd<$k>, START, END>
            for list!((L, A) $($behind)*)
        {
            type Leading = L;
            type From = list!(((), A) $($behind)*);
            type UpTo = (L, A);
            type Trailing = list!(() $($behind)*);

            #[allow(non_snake_case)]
            fn split_before(self) -> (Self::Leading, Self::From) {
                let list!((lead, axis) $($behind)*) = self;
                (lead, list!(((), axis) $($behind)*))
            }

            #[allow(non_snake_case)]
            fn split_behind(self) -> (Self::UpTo, Self::Trailing) {
                let list!(up_to $($behind)*) = self;
                (up_to, list!(() $($behind)*))
            }
        }

        split_at_axis! { [$($behind)* $next] $($more)* }
    };
}

split_at_axis! { [] 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7 8 A8 }

/// Generates the same for axis `-$k` from axis `-$below` of the list without its last entry.
macro_rules! split_longer_lists {
    ($($below:literal => $k:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const START: isize, const END: isize, L, X> SplitAtAxis<FromEnd<$k>, START, END> for (L, X)
        where
            L: SplitAtAxis<FromEnd<$below>, START, END>,
        {
            type Leading = L::Leading;
            type From = (L::From, X);
            type UpTo = L::UpTo;
            type Trailing = (L::Trailing, X);

            fn split_before(self) -> (Self::Leading, Self::From) {
                let (leading, from) = self.0.split_before();
                (leading, (from, self.1))
            }

            fn split_behind(self) -> (Self::UpTo, Self::Trailing) {
                let (up_to, trailing) = self.0.split_behind();
                (up_to, (trailing, self.1))
            }
        }
    )*};
}

split_longer_lists! {
    8 => 9, 9 => 10, 10 => 11, 11 => 12, 12 => 13, 13 => 14, 14 => 15, 15 => 16, 16 => 17, 17 => 18,
    18 => 19, 19 => 20, 20 => 21, 21 => 22, 22 => 23, 23 => 24, 24 => 25, 25 => 26, 26 => 27, 27 => 28,
    28 => 29, 29 => 30, 30 => 31, 31 => 32
}
