//! Trait bounds that types satisfy, as constants and as rows of a table.

#![allow(dead_code, reason = "each test uses its part")]

use std::marker::PhantomData;
use std::ops::{AddAssign, MulAssign};

use tensor_core::arithmetic::{HasMagnitude, Magnitude, PartTable, SizePart};
use tensor_core::bounds::{Dot, DotOutput, Matmul};
use tensor_core::broadcast::{AssignTo, Broadcast, ExpandTo};
use tensor_core::indexing::AlongAxis;
use tensor_core::joins::NewAxis;
use tensor_core::reshape::{ConcatAxis, FlattenAxes, ReshapeTo};
use tensor_core::slicing::Diagonal;
use tensor_core::splitting::SplitParts;
use tensor_core::views::{Permute, Squeeze};
use tensor_core::windows::{Convolve, Pool, StepNumber};
use tensor_core::{HasAxis, One, Shape, StaticAxis, StaticShape, Tensor};

/// The default, `false`, where the types below do not define the constant.
pub trait Refused {
    /// Whether the compiler finds an impl.
    const HOLDS: bool = false;
}

impl<T> Refused for T {}

/// Declares `Name<A, B>`, whose constant `HOLDS` is `true` where `A: Trait<B>`.
///
/// `Name::<A, B>::HOLDS` is the inherent constant where its bound holds, else that of [`Refused`]:
/// so one table can say of many types that they have no impl, without a compiler run for each.
macro_rules! relation {
    (
        $(#[$doc:meta])*
        $name:ident<$a:ident $(: $A:ident)?, $b:ident $(: $B:ident)?>: $($bound:tt)+
    ) => {
        $(#[$doc])*
        pub struct $name<A, B>(PhantomData<(A, B)>);

        impl<$a $(: $A)?, $b $(: $B)?> $name<$a, $b>
        where
            $($bound)+
        {
            /// Whether the compiler finds an impl.
            pub const HOLDS: bool = true;
        }
    };
}

relation! {
    /// `A ⊕ B` is a shape.
    Broadcasts<A, B>: A: Broadcast<B>
}

relation! {
    /// `A` can be written into a tensor of shape `B`.
    Assigns<A, B>: A: AssignTo<B>
}

relation! {
    /// `A` stretches to `B`.
    Expands<A, B>: A: ExpandTo<B>
}

relation! {
    /// A tensor of shape `A` can be added to one of shape `B` in place.
    AddAssigns<A: Shape, B: Shape>:
        for<'a> Tensor<B>: AddAssign<&'a Tensor<A>> + AddAssign<Tensor<A>>
}

relation! {
    /// `b *= a`
    MulAssigns<A, B>: B: MulAssign<A>
}

relation! {
    /// `matmul` multiplies `A` by `B`.
    Matmuls<A, B>: A: Matmul<B>
}

relation! {
    /// `dot` contracts `A` with `B`.
    Dots<A, B>: A: Dot<B>
}

relation! {
    /// The elements of `A` can be seen in shape `B`.
    Reshapes<A, B: Shape>: A: ReshapeTo<B>
}

relation! {
    /// The axes of `A` can be put into the order `B`.
    Permutes<A, B>: A: Permute<B>
}

/// The shape of `A.dot(B)`.
pub type Product<A, B> = DotOutput<A, B>;

/// `A ⊕ B ⊕ C` is a shape.
pub struct Selects<A, B, C>(PhantomData<(A, B, C)>);

impl<A: Broadcast<B, Output: Broadcast<C>>, B, C> Selects<A, B, C> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` has an axis `I`.
pub struct HasAxisAt<A, const I: isize>(PhantomData<A>);

impl<A: HasAxis<I>, const I: isize> HasAxisAt<A, I> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` has an axis `I` of size 1.
pub struct Squeezes<A, const I: isize>(PhantomData<A>);

impl<A: Squeeze<I>, const I: isize> Squeezes<A, I> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// The axes of `A` from `START` to `END` can become one.
pub struct Flattens<A, const START: isize, const END: isize>(PhantomData<A>);

impl<A: FlattenAxes<START, END>, const START: isize, const END: isize> Flattens<A, START, END> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` has a diagonal along axes `I` and `J`.
pub struct HasDiagonal<A, const I: isize, const J: isize>(PhantomData<A>);

impl<A: Diagonal<I, J>, const I: isize, const J: isize> HasDiagonal<A, I, J> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// Axis `I` of `A` can be split into parts of these sizes.
pub struct Splits<A, const I: isize, Sizes>(PhantomData<(A, Sizes)>);

impl<A: SplitParts<I, Sizes>, const I: isize, Sizes> Splits<A, I, Sizes> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` and `B` can be concatenated along axis `I`.
pub struct Concats<A, const I: isize, B>(PhantomData<(A, B)>);

impl<A: ConcatAxis<I, B>, const I: isize, B> Concats<A, I, B> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` and `B` can be stacked along a new axis `I`: they are equal, and the result has the axis.
pub struct Stacks<A, const I: isize, B>(PhantomData<(A, B)>);

impl<A: NewAxis<I, One>, const I: isize> Stacks<A, I, A> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// `A` can be convolved with weights of shape `W` by options of type `O`.
pub struct Convolves<A, W, O>(PhantomData<(A, W, O)>);

impl<A: Convolve<W, O>, W, O> Convolves<A, W, O> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// Indices of shape `B` choose elements of `A` along axis `I`.
pub struct ChoosesAlong<A, const I: isize, B>(PhantomData<(A, B)>);

impl<A: AlongAxis<I, B>, const I: isize, B> ChoosesAlong<A, I, B> {
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

relation! {
    /// `A` can be pooled by options of type `B`.
    Pools<A, B>: A: Pool<B>
}

/// `N` is a stride, a dilation, the size of a window or a number of groups.
pub struct Steps<const N: usize>;

impl<const N: usize> Steps<N>
where
    PartTable: SizePart<N, Part: HasMagnitude>,
    (Magnitude<N>,): StepNumber<N>,
{
    /// Whether the compiler finds an impl.
    pub const HOLDS: bool = true;
}

/// The sizes of a shape type, in a constant: nothing is left of it but the numbers.
pub trait Listed: StaticShape {
    /// The sizes, then room for more.
    const PADDED: [usize; 64];
    /// The sizes, first axis first.
    const SIZES: &'static [usize];
}

impl Listed for () {
    const PADDED: [usize; 64] = [1; 64];
    const SIZES: &'static [usize] = &[];
}

impl<L: Listed, A: StaticAxis> Listed for (L, A) {
    const PADDED: [usize; 64] = {
        let mut sizes = L::PADDED;
        sizes[L::RANK] = A::SIZE.unwrap();
        sizes
    };
    const SIZES: &'static [usize] = Self::PADDED.split_at(Self::RANK).0;
}

/// The sizes of a shape type, first axis first.
pub const fn sizes<S: Listed>() -> &'static [usize] {
    S::SIZES
}

/// The sizes of two types that are the same: `same` gives a value of one for one of the other.
pub const fn the_same<L: Listed, R: Listed>(_same: fn(L) -> R) -> &'static [usize] {
    sizes::<R>()
}
