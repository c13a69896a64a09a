//! What the compiler knows about types, as constants and as rows of a table.

#![allow(dead_code, reason = "each test uses its part")]

use std::marker::PhantomData;
use std::ops::{AddAssign, MulAssign};

use tensor_core::broadcast::{AssignTo, Broadcast, ExpandTo};
use tensor_core::{Shape, StaticAxis, StaticShape, Tensor};

/// `false` for what the types below do not have a constant of their own for.
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
    ($(#[$doc:meta])* $name:ident<$a:ident $(: $A:ident)?, $b:ident $(: $B:ident)?>: $($bound:tt)+) => {
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
    AddAssigns<A: Shape, B: Shape>: for<'a> Tensor<B>: AddAssign<&'a Tensor<A>> + AddAssign<Tensor<A>>
}

relation! {
    /// `b *= a`
    MulAssigns<A, B>: B: MulAssign<A>
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
    const SIZES: &'static [usize] = (&Self::PADDED).split_at(Self::RANK).0;
}

/// The sizes of a shape type, first axis first.
pub const fn sizes<S: Listed>() -> &'static [usize] {
    S::SIZES
}
