//! The shapes of reshapes with sizes known at run time: axes merged into a named one, or an axis split
//! into axes of which one size is inferred.

use core::any::TypeId;

use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::sizes::inferred::infer_left_out;

use crate::shape::axis::{Axis, check_layout, layouts};
use crate::shape::axis_index::{FromEnd, HasAxis};
use crate::shape::broadcast::After;
use crate::shape::reshape::{Append, AxesInOrder, SplitAtAxis};
use crate::shape::{AxisFacts, Shape};

/// `S` with axes `START` to `END`, both included, merged into axis `A`:
/// `[..a, ..s, ..b] → [..a, n, ..b]`.
pub type Merged<S, const START: isize, const END: isize, A> =
    <S as MergeAxes<START, END, A>>::Output;

/// `S` with axis `I` split into the axes of `Parts`: `[..a, n, ..b] → [..a, ..s, ..b]`.
pub type Split<S, const I: isize, Parts> = <S as SplitAxis<I, Parts>>::Output;

/// A shape whose axes `START` to `END`, both included, can be merged into an axis `A`, whose size may be
/// known only at run time: `[..a, ..s, ..b] → [..a, n, ..b]`.
///
/// ```
/// use tensor_core::run_time_axes::{MergeAxes, Merged};
/// use tensor_core::{Tensor, axis, tensor};
///
/// axis!(Tokens);
///
/// fn tokens<S: MergeAxes<0, 1, Tokens>>(x: &Tensor<S>) -> Tensor<Merged<S, 0, 1, Tokens>> {
///     x.flatten_axes_as::<0, 1, Tokens>()
/// }
///
/// assert_eq!(tokens(&tensor![[[1.0], [2.0]]]).len(), 2);
/// ```
pub trait MergeAxes<const START: isize, const END: isize, A>: AxesInOrder<START, END> {
    /// The shape with the axis in place of those.
    type Output: Shape;

    /// The indices of the first and the last of the axes.
    #[doc(hidden)]
    const RANGE: [usize; 2];

    /// Checks the layout that the axis states, where it is used.
    #[doc(hidden)]
    const KEEPS_LAYOUT: ();
}

/// `[..a, ..s, ..b] → [..a, n, ..b]`
impl<S, const START: isize, const END: isize, A> MergeAxes<START, END, A> for S
where
    S: AxesInOrder<START, END> + MergeInOrder<START, END, A>,
{
    type Output = <S as MergeInOrder<START, END, A>>::Output;
    const RANGE: [usize; 2] = <S as MergeInOrder<START, END, A>>::RANGE;
    const KEEPS_LAYOUT: () = <S as MergeInOrder<START, END, A>>::KEEPS_LAYOUT;
}

/// [`MergeAxes`], once the indices are known to be in order.
#[cfg_attr(doc, doc(hidden))]
pub trait MergeInOrder<const START: isize, const END: isize, A> {
    /// The shape with the axis in place of those.
    type Output: Shape;

    /// The indices of the first and the last of the axes.
    const RANGE: [usize; 2];

    /// Checks the layout that the axis states, where it is used.
    const KEEPS_LAYOUT: ();
}

impl<S, const START: isize, const END: isize, First, Last, A, F, B, Lead, Rest, UpTo, Trail>
    MergeInOrder<START, END, A> for S
where
    S: HasAxis<START, FromTheEnd = First, Axis = F>,
    After<F, S>: HasAxis<END, FromTheEnd = Last, Axis = B>,
    After<B, S>: SplitAtAxis<First, START, END, Leading = Lead, From = Rest>,
    Lead: Shape,
    Rest: SplitAtAxis<Last, START, END, UpTo = UpTo, Trailing = Trail>,
    A: Axis,
    (Lead, A): Append<Trail, Output: Shape>,
    B: Axis,
{
    type Output = <(Lead, A) as Append<Trail>>::Output;
    const RANGE: [usize; 2] = [<S as HasAxis<START>>::INDEX, <S as HasAxis<END>>::INDEX];
    const KEEPS_LAYOUT: () = check_layout(layouts::<B>(), layouts::<A>());
}

/// A shape whose axis `I` can be split into the axes of `Parts`, whose sizes may be known at run time:
/// `[..a, n, ..b] → [..a, ..s, ..b]`.
///
/// ```
/// use tensor_core::run_time_axes::{Split, SplitAxis};
/// use tensor_core::{Tensor, axis, shape, tensor};
///
/// axis!(Pairs);
/// type Parts = shape![Pairs, 2];
///
/// fn pairs<S: SplitAxis<0, Parts>>(x: &Tensor<S>) -> Tensor<Split<S, 0, Parts>> {
///     x.unflatten_as::<0, Parts>()
/// }
///
/// assert_eq!(pairs(&tensor![1.0, 2.0, 3.0, 4.0]).shape(), shape![Pairs(2), 2]);
/// ```
pub trait SplitAxis<const I: isize, Parts>: HasAxis<I> {
    /// The shape with those axes in place of one.
    type Output: Shape;
}

/// `[..a, n, ..b] → [..a, ..s, ..b]`
impl<S, const I: isize, const K: usize, Parts, A, Before, Lead, Behind> SplitAxis<I, Parts> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    After<A, S>: SplitAtAxis<FromEnd<K>, I, I, Leading = Before, Trailing = Behind>,
    Before: Append<Parts, Output = Lead>,
    Lead: Append<Behind, Output: Shape>,
{
    type Output = <Lead as Append<Behind>>::Output;
}

/// Infers the sizes of a shape with this number of elements: static sizes, those that `known` has for
/// the types of run-time axes, and for one more axis the quotient.
///
/// # Errors
///
/// If more than one size is omitted, or if the omitted size would not be an integer.
pub(crate) fn infer_sizes(
    axes: &[AxisFacts],
    known: &dyn Fn(TypeId) -> Option<usize>,
    elements: usize,
) -> Result<Sizes, ShapeError> {
    let size = |axis: &AxisFacts| axis.size.or_else(|| known(axis.id));
    let sizes: Vec<Option<usize>> = axes.iter().map(size).collect();
    let name = |axis: usize| match (axes[axis].name, sizes[axis]) {
        (None, Some(size)) => size.to_string(),
        (None, None) => "_".to_owned(),
        (Some(name), Some(size)) => format!("{name}({size})"),
        (Some(name), None) => format!("{name}(_)"),
    };
    infer_left_out(&sizes, elements, &name)
}
