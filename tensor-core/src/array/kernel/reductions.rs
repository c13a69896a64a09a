//! What is [folded](Fold): sums of various terms, products, largest and smallest elements.

use core::any::TypeId;

use super::lanes::Fold;
use crate::element::{Element, Float, Instructions, Number};

/// A sum of terms.
pub(crate) trait Terms<T: Number>: Copy + Sync {
    /// The same with what the machine has.
    #[inline(always)]
    fn with(self, _: Instructions) -> Self {
        self
    }

    /// What the term of an element depends on besides the element.
    type About: Copy + Sync;

    /// The term of one element.
    fn term(self, element: T, about: Self::About) -> T::Sum;

    /// What the sum gives.
    type Result: Send;

    /// The result, from the sum of all terms.
    fn total(self, sum: T::Sum, about: Self::About) -> Self::Result;
}

/// The sum of terms as a fold.
#[derive(Clone, Copy)]
pub(crate) struct Sum<F>(pub F);

impl<T: Number, F: Terms<T>> Fold<T> for Sum<F> {
    type About = F::About;
    type Partial = T::Sum;
    type Result = F::Result;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn with(self, instructions: Instructions) -> Self {
        Self(self.0.with(instructions))
    }

    /// -0, so that a sum of nothing but -0 is -0; 0 for integers.
    #[inline(always)]
    fn start(self, _: T) -> T::Sum {
        T::Sum::from_f64(-0.0)
    }

    #[inline(always)]
    fn lift(self, element: T, about: F::About) -> T::Sum {
        self.0.term(element, about)
    }

    #[inline(always)]
    fn join(self, a: T::Sum, b: T::Sum) -> T::Sum {
        a.add(b)
    }

    fn empty(self) -> Option<T::Sum> {
        Some(T::Sum::ZERO)
    }

    #[inline(always)]
    fn finish(self, sum: T::Sum, about: F::About) -> F::Result {
        self.0.total(sum, about)
    }
}

/// `Σ x`
#[derive(Clone, Copy)]
pub(crate) struct Elements;

impl<T: Number> Terms<T> for Elements {
    type About = ();
    type Result = T;

    #[inline(always)]
    fn term(self, element: T, (): ()) -> T::Sum {
        element.widen()
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, (): ()) -> T {
        T::narrow(sum)
    }
}

/// `Σ x / count`
#[derive(Clone, Copy)]
pub(crate) struct Mean {
    pub count: usize,
}

impl<T: Number> Terms<T> for Mean {
    type About = ();
    type Result = T;

    #[inline(always)]
    fn term(self, element: T, (): ()) -> T::Sum {
        element.widen()
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, (): ()) -> T {
        T::narrow(sum.div(T::Sum::from_f64(self.count as f64)))
    }
}

/// `Σ x y`, where `y` is known about each `x`.
#[derive(Clone, Copy)]
pub(crate) struct Products;

impl<T: Number> Terms<T> for Products {
    type About = T;
    type Result = T;

    #[inline(always)]
    fn term(self, element: T, other: T) -> T::Sum {
        element.widen().mul(other.widen())
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, _: T) -> T {
        T::narrow(sum)
    }
}

/// `Π x`
#[derive(Clone, Copy)]
pub(crate) struct Product;

impl<T: Number> Fold<T> for Product {
    type About = ();
    type Partial = T::Sum;
    type Result = T;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn start(self, _: T) -> T::Sum {
        T::Sum::ONE
    }

    #[inline(always)]
    fn lift(self, element: T, (): ()) -> T::Sum {
        element.widen()
    }

    #[inline(always)]
    fn join(self, a: T::Sum, b: T::Sum) -> T::Sum {
        a.mul(b)
    }

    fn empty(self) -> Option<T::Sum> {
        Some(T::Sum::ONE)
    }

    #[inline(always)]
    fn finish(self, product: T::Sum, (): ()) -> T {
        T::narrow(product)
    }
}

/// The largest element; NaN if there is one. Of 0 and -0 either one.
#[derive(Clone, Copy)]
pub(crate) struct Maximum;

/// The smallest element; NaN if there is one. Of 0 and -0 either one.
#[derive(Clone, Copy)]
pub(crate) struct Minimum;

macro_rules! extremes {
    ($($Name:ident: $f:ident;)*) => {$(
        impl<T: Number> Fold<T> for $Name {
            type About = ();
            type Partial = T;
            type Result = T;
            const PAIRWISE: bool = false;

            #[inline(always)]
            fn start(self, first: T) -> T {
                first
            }

            #[inline(always)]
            fn lift(self, element: T, (): ()) -> T {
                element
            }

            #[inline(always)]
            fn join(self, a: T, b: T) -> T {
                a.$f(b)
            }

            fn empty(self) -> Option<T> {
                None
            }

            #[inline(always)]
            fn finish(self, extreme: T, (): ()) -> T {
                extreme
            }
        }
    )*};
}

extremes! {
    Maximum: maximum;
    Minimum: minimum;
}

/// Elements that are `true` or `false`: `bool`.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not `bool`",
    label = "`all` and `any` ask about `bool` elements",
    note = "compare first, as in `x.greater(0.0).all()`; `.cast::<bool>()` makes `true` of every number but 0 [T503]"
)]
pub trait Truth: Element {
    /// What methods name beside this bound, so that a message is about the call alone: see
    /// [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked;

    /// The element itself.
    #[doc(hidden)]
    fn is_true(self) -> bool;
}

#[diagnostic::do_not_recommend]
impl Truth for bool {
    type Checked = Self;

    #[inline(always)]
    fn is_true(self) -> bool {
        self
    }
}

/// Whether all elements are `true`.
#[derive(Clone, Copy)]
pub(crate) struct AllTrue;

/// Whether some element is `true`.
#[derive(Clone, Copy)]
pub(crate) struct AnyTrue;

macro_rules! quantifiers {
    ($($Name:ident: of nothing $nothing:literal, $op:tt;)*) => {$(
        impl<T: Truth> Fold<T> for $Name {
            type About = ();
            type Partial = bool;
            type Result = bool;
            const PAIRWISE: bool = false;

            #[inline(always)]
            fn start(self, _: T) -> bool {
                $nothing
            }

            #[inline(always)]
            fn lift(self, element: T, (): ()) -> bool {
                element.is_true()
            }

            #[inline(always)]
            fn join(self, a: bool, b: bool) -> bool {
                a $op b
            }

            fn empty(self) -> Option<bool> {
                Some($nothing)
            }

            #[inline(always)]
            fn finish(self, result: bool, (): ()) -> bool {
                result
            }
        }
    )*};
}

quantifiers! {
    AllTrue: of nothing true, &;
    AnyTrue: of nothing false, |;
}

/// A function of a float, in the type of the sums of `T`: `f32` or `f64`.
macro_rules! in_sums {
    ($($(#[$doc:meta])* $name:ident = $function:ident$(($instructions:ident))?;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name<T: Float>(x: T::Sum $(, $instructions: Instructions)?) -> T::Sum {
            if TypeId::of::<T::Sum>() == TypeId::of::<f32>() {
                T::Sum::from_f64(f64::from(Float::$function(x.to_f64() as f32 $(, $instructions)?)))
            } else {
                T::Sum::from_f64(Float::$function(x.to_f64() $(, $instructions)?))
            }
        }
    )*};
}

in_sums! {
    /// `e^x`
    exp = exp_with(instructions);
    /// `ln x`
    ln = ln;
    /// `√x`
    sqrt = sqrt;
}

/// `Σ e^(x - largest)`, where the largest `x` is known about each `x`.
#[derive(Clone, Copy)]
pub(crate) struct Exponentials(pub Instructions);

impl<T: Float> Terms<T> for Exponentials {
    type About = T::Sum;
    type Result = T::Sum;

    #[inline(always)]
    fn with(self, instructions: Instructions) -> Self {
        Self(instructions)
    }

    #[inline(always)]
    fn term(self, element: T, largest: T::Sum) -> T::Sum {
        exp::<T>(element.widen().sub(largest), self.0)
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, _: T::Sum) -> T::Sum {
        sum
    }
}

/// `Σ (x - about)`, not rounded to the type of the elements.
#[derive(Clone, Copy)]
pub(crate) struct Deviations;

impl<T: Number> Terms<T> for Deviations {
    type About = T::Sum;
    type Result = T::Sum;

    #[inline(always)]
    fn term(self, element: T, about: T::Sum) -> T::Sum {
        element.widen().sub(about)
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, _: T::Sum) -> T::Sum {
        sum
    }
}

/// `Σ (x - about)²`, not rounded to the type of the elements.
#[derive(Clone, Copy)]
pub(crate) struct Squares;

impl<T: Number> Terms<T> for Squares {
    type About = T::Sum;
    type Result = T::Sum;

    #[inline(always)]
    fn term(self, element: T, about: T::Sum) -> T::Sum {
        let deviation = element.widen().sub(about);
        deviation.mul(deviation)
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, _: T::Sum) -> T::Sum {
        sum
    }
}
