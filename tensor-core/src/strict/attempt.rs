//! Tests whether operands satisfy a rule, by method resolution through a `Deref` chain.
//!
//! Operands may be of any type, and the shapes of generic code are known by their where clauses. No bound
//! can test whether another bound holds, but a method call can: rustc takes the first type in a `Deref`
//! chain that has the method in an `impl` whose where clauses hold. So each rule is a chain of types,
//! which are attempts to prove that the rule is satisfied or broken. The last one accepts everything: an
//! operand that is not a tensor, or shapes that do not broadcast, which the operation itself reports.
//!
//! Each attempt is its own type, not a const parameter of one, because rustc considers all methods of a
//! type at every step of the chain.

use core::marker::PhantomData;
use core::ops::Deref;

use super::operand::{Extent, HasShape};
use super::{
    AllFourStretch, AllThreeStretch, AssignTo, BothStretch, Broadcast, Broadcasted, Broadcasted3,
    Broadcasted4, EitherStretches, FourRanks, FourShapes, Kept, ThreeRanks, ThreeShapes, TwoRanks,
    TwoShapes, UnknownRanks,
};
use crate::shape::Shape;
use crate::shape::axis_index::{Axes, Ranked};
use crate::shape::broadcast::ExpandTo;

/// A shape of known rank.
pub trait KnownRank {}

impl KnownRank for () {}

impl<Lead: KnownRank, A> KnownRank for (Lead, A) {}

/// An operand that does not stretch to `Target`: it has that shape, or it is a scalar. For lists without
/// sizes, an operand of the same rank.
pub trait SameAs<Target> {}

impl<S> SameAs<S> for S {}

impl<L, A> SameAs<(L, A)> for () {}

/// An operand with the rank of `Target`, or a scalar.
pub trait RankOf<Target> {}

impl<S, Target> RankOf<Target> for S
where
    S: Shape<AnySizes: SameAs<Target::AnySizes>>,
    Target: Shape,
{
}

/// Declares a rule by its attempts, each with the next one and the bounds under which the rule is
/// satisfied, or broken and rejected by a trait.
macro_rules! rule {
    ($rule:ident [$($S:ident)+] $Operands:tt: $First:ident $($attempt:tt)+) => {
        /// Tests whether these operands satisfy the rule.
        #[doc(hidden)]
        pub fn $rule<$($S),+>(
            $(_: rule!(@operand $S $Operands)),+
        ) -> $rule::$First<$($S),+> {
            $rule::$First(PhantomData)
        }

        #[doc(hidden)]
        pub mod $rule {
            use super::*;

            rule!(@attempts [$($S)+] $First $($attempt)+);
        }
    };

    // Two operands are tested by their types, more by their shapes; scalars have a shape too.
    (@operand $S:ident types) => { &$S };
    (@operand $S:ident shapes) => { Extent<$S> };

    (@attempts [$($S:ident)+] $Last:ident) => {
        pub struct $Last<$($S),+>(pub PhantomData<($($S,)+)>);

        impl<$($S),+> $Last<$($S),+> {
            pub fn check(&self) -> Kept {
                Kept
            }
        }
    };
    (@attempts [$($S:ident)+] $Name:ident kept where ($($bounds:tt)+), $Next:ident $($more:tt)*) => {
        rule!(@attempt [$($S)+] $Name, $Next);

        impl<$($S),+> $Name<$($S),+>
        where
            $($bounds)+
        {
            pub fn check(&self) -> Kept {
                Kept
            }
        }

        rule!(@attempts [$($S)+] $Next $($more)*);
    };
    // The rejecting trait is required by a method of the result. If `check` itself required it, rustc
    // would skip to the next attempt, or explain that other attempts have a method of that name.
    (@attempts [$($S:ident)+] $Name:ident refused as $Refused:ident<$($R:ty),+ $(; const $N:ident)*> where ($($bounds:tt)+), $Next:ident $($more:tt)*) => {
        rule!(@attempt [$($S)+] $Name, $Next);

        impl<$($S,)+ $(const $N: usize),*> $Name<$($S),+>
        where
            $($bounds)+
        {
            pub fn check(&self) -> $Refused<$($R,)+ $($N),*> {
                $Refused(PhantomData)
            }
        }

        rule!(@attempts [$($S)+] $Next $($more)*);
    };

    (@attempt [$($S:ident)+] $Name:ident, $Next:ident) => {
        pub struct $Name<$($S),+>(pub PhantomData<($($S,)+)>);

        impl<$($S),+> Deref for $Name<$($S),+> {
            type Target = $Next<$($S),+>;

            fn deref(&self) -> &Self::Target {
                &$Next(PhantomData)
            }
        }
    };
}

// Two operands: by their types.

rule! { one_side2 [L R] types:
    RightFits kept where (L: HasShape, R: HasShape, R::Shape: ExpandTo<L::Shape>),
    LeftFits kept where (L: HasShape, R: HasShape, L::Shape: ExpandTo<R::Shape>),
    BothFit refused as BothStretch<L::Shape, R::Shape, Broadcasted<L::Shape, R::Shape>>
        where (
            L: HasShape,
            R: HasShape,
            L::Shape: Broadcast<R::Shape>,
            Broadcasted<L::Shape, R::Shape>: KnownRank
        ),
    NothingIsProved refused as EitherStretches<L::Shape, R::Shape>
        where (L: HasShape, R: HasShape, L::Shape: Broadcast<R::Shape>),
    Unchecked
}

rule! { rank2 [L R] types:
    RightFits kept where (L: HasShape, R: HasShape, R::Shape: RankOf<L::Shape>),
    LeftFits kept where (L: HasShape, R: HasShape, L::Shape: RankOf<R::Shape>),
    RanksKnown refused as TwoRanks<L::Shape, R::Shape; const M; const N>
        where (
            L: HasShape,
            R: HasShape,
            L::Shape: Broadcast<R::Shape> + Ranked<Rank = Axes<M>>,
            R::Shape: Ranked<Rank = Axes<N>>
        ),
    NothingIsProved refused as UnknownRanks<L::Shape, R::Shape>
        where (L: HasShape, R: HasShape, L::Shape: Broadcast<R::Shape>),
    Unchecked
}

rule! { rank_in_place2 [L R] types:
    RightFits kept where (L: HasShape, R: HasShape, R::Shape: RankOf<L::Shape>),
    RanksKnown refused as TwoRanks<L::Shape, R::Shape; const M; const N>
        where (
            L: HasShape,
            R: HasShape,
            R::Shape: AssignTo<L::Shape> + Ranked<Rank = Axes<N>>,
            L::Shape: Ranked<Rank = Axes<M>>
        ),
    NothingIsProved refused as UnknownRanks<L::Shape, R::Shape>
        where (L: HasShape, R: HasShape, R::Shape: AssignTo<L::Shape>),
    Unchecked
}

rule! { same2 [L R] types:
    Equal kept where (L: HasShape, R: HasShape<Shape = L::Shape>),
    LeftIsNumber kept where (L: HasShape<Shape = ()>, R: HasShape),
    RightIsNumber kept where (L: HasShape, R: HasShape<Shape = ()>),
    OneStretches refused as TwoShapes<L::Shape, R::Shape>
        where (L: HasShape, R: HasShape, L::Shape: Broadcast<R::Shape>),
    Unchecked
}

rule! { same_in_place2 [L R] types:
    Equal kept where (L: HasShape, R: HasShape<Shape = L::Shape>),
    RightIsNumber kept where (L: HasShape, R: HasShape<Shape = ()>),
    RightStretches refused as TwoShapes<L::Shape, R::Shape>
        where (L: HasShape, R: HasShape, R::Shape: AssignTo<L::Shape>),
    Unchecked
}

// More operands: by their shapes.

rule! { one_side3 [A B C] shapes:
    FitA kept where (B: ExpandTo<A>, C: ExpandTo<A>),
    FitB kept where (A: ExpandTo<B>, C: ExpandTo<B>),
    FitC kept where (A: ExpandTo<C>, B: ExpandTo<C>),
    AllStretch refused as AllThreeStretch<A, B, C, Broadcasted3<A, B, C>>
        where (A: Broadcast<B>, Broadcasted<A, B>: Broadcast<C>),
    Unchecked
}

rule! { one_side4 [A B C D] shapes:
    FitA kept where (B: ExpandTo<A>, C: ExpandTo<A>, D: ExpandTo<A>),
    FitB kept where (A: ExpandTo<B>, C: ExpandTo<B>, D: ExpandTo<B>),
    FitC kept where (A: ExpandTo<C>, B: ExpandTo<C>, D: ExpandTo<C>),
    FitD kept where (A: ExpandTo<D>, B: ExpandTo<D>, C: ExpandTo<D>),
    AllStretch refused as AllFourStretch<A, B, C, D, Broadcasted4<A, B, C, D>>
        where (
            A: Broadcast<B>,
            Broadcasted<A, B>: Broadcast<C>,
            Broadcasted3<A, B, C>: Broadcast<D>
        ),
    Unchecked
}

rule! { rank3 [A B C] shapes:
    LikeA kept where (B: RankOf<A>, C: RankOf<A>),
    LikeB kept where (A: RankOf<B>, C: RankOf<B>),
    LikeC kept where (A: RankOf<C>, B: RankOf<C>),
    RanksKnown refused as ThreeRanks<A, B, C>
        where (A: Broadcast<B>, Broadcasted<A, B>: Broadcast<C>),
    Unchecked
}

rule! { rank4 [A B C D] shapes:
    LikeA kept where (B: RankOf<A>, C: RankOf<A>, D: RankOf<A>),
    LikeB kept where (A: RankOf<B>, C: RankOf<B>, D: RankOf<B>),
    LikeC kept where (A: RankOf<C>, B: RankOf<C>, D: RankOf<C>),
    LikeD kept where (A: RankOf<D>, B: RankOf<D>, C: RankOf<D>),
    RanksKnown refused as FourRanks<A, B, C, D>
        where (
            A: Broadcast<B>,
            Broadcasted<A, B>: Broadcast<C>,
            Broadcasted3<A, B, C>: Broadcast<D>
        ),
    Unchecked
}

rule! { same3 [A B C] shapes:
    LikeA kept where (B: SameAs<A>, C: SameAs<A>),
    LikeB kept where (A: SameAs<B>, C: SameAs<B>),
    LikeC kept where (A: SameAs<C>, B: SameAs<C>),
    OneStretches refused as ThreeShapes<A, B, C>
        where (A: Broadcast<B>, Broadcasted<A, B>: Broadcast<C>),
    Unchecked
}

rule! { same4 [A B C D] shapes:
    LikeA kept where (B: SameAs<A>, C: SameAs<A>, D: SameAs<A>),
    LikeB kept where (A: SameAs<B>, C: SameAs<B>, D: SameAs<B>),
    LikeC kept where (A: SameAs<C>, B: SameAs<C>, D: SameAs<C>),
    LikeD kept where (A: SameAs<D>, B: SameAs<D>, C: SameAs<D>),
    OneStretches refused as FourShapes<A, B, C, D>
        where (
            A: Broadcast<B>,
            Broadcasted<A, B>: Broadcast<C>,
            Broadcasted3<A, B, C>: Broadcast<D>
        ),
    Unchecked
}
