//! The [reductions](Reduction): sums of various terms, products, largest and smallest elements.

use core::any::TypeId;

use super::lanes::Reduction;
use crate::element::{Element, Float, Number};

/// A sum of terms.
pub(crate) trait Terms<T: Number>: Copy {
    /// What the term of an element depends on besides the element.
    type About: Copy;

    /// The term of one element.
    fn term(self, element: T, about: Self::About) -> T::Sum;

    /// What the sum gives.
    type Result;

    /// The result, from the sum of all terms.
    fn total(self, sum: T::Sum, about: Self::About) -> Self::Result;
}

/// The sum of terms as a reduction.
#[derive(Clone, Copy)]
pub(crate) struct Sum<F>(pub F);

impl<T: Number, F: Terms<T>> Reduction<T> for Sum<F> {
    type About = F::About;
    type Partial = T::Sum;
    type Result = F::Result;
    const PAIRWISE: bool = true;

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
        T::narrow(Terms::<T>::total(WideMean { count: self.count }, sum, ()))
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

impl<T: Number> Reduction<T> for Product {
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
        impl<T: Number> Reduction<T> for $Name {
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
    /// [`relations`](crate::relations).
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
        impl<T: Truth> Reduction<T> for $Name {
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

/// A function of a number in the type of its sums.
#[inline(always)]
fn in_sums<T: Float>(x: T::Sum, f: fn(T) -> T, wide: fn(f64) -> f64) -> T::Sum {
    if TypeId::of::<T>() == TypeId::of::<T::Sum>() {
        f(T::narrow(x)).widen()
    } else {
        T::Sum::from_f64(wide(x.to_f64()))
    }
}

/// `e^x`
#[inline(always)]
pub(super) fn exp<T: Float>(x: T::Sum) -> T::Sum {
    in_sums(x, T::exp, f64::exp)
}

/// `ln x`
#[inline(always)]
pub(super) fn ln<T: Float>(x: T::Sum) -> T::Sum {
    in_sums(x, T::ln, f64::ln)
}

/// `ln Σ e^(x - largest) + largest`, where the largest `x` is known about each `x`.
#[derive(Clone, Copy)]
pub(crate) struct Exponentials;

impl<T: Float> Terms<T> for Exponentials {
    type About = T;
    type Result = T;

    #[inline(always)]
    fn term(self, element: T, largest: T) -> T::Sum {
        exp::<T>(element.widen().sub(largest.widen()))
    }

    /// With an infinite element, `inf - inf` has spoilt the sum; the infinity is the answer.
    #[inline(always)]
    fn total(self, sum: T::Sum, largest: T) -> T {
        if largest.is_finite() || largest.is_nan() {
            T::narrow(ln::<T>(sum).add(largest.widen()))
        } else {
            largest
        }
    }
}

/// `Σ x / count`, not rounded to the type of the elements.
#[derive(Clone, Copy)]
pub(crate) struct WideMean {
    pub count: usize,
}

impl<T: Number> Terms<T> for WideMean {
    type About = ();
    type Result = T::Sum;

    #[inline(always)]
    fn term(self, element: T, (): ()) -> T::Sum {
        element.widen()
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, (): ()) -> T::Sum {
        sum.div(T::Sum::from_f64(self.count as f64))
    }
}

/// `Σ (x - mean)² / divisor`, where the mean is known about each `x`; its root, if asked for.
#[derive(Clone, Copy)]
pub(crate) struct Variance {
    pub divisor: usize,
    pub root: bool,
}

impl<T: Float> Terms<T> for Variance {
    type About = T::Sum;
    type Result = T;

    #[inline(always)]
    fn term(self, element: T, mean: T::Sum) -> T::Sum {
        let deviation = element.widen().sub(mean);
        deviation.mul(deviation)
    }

    #[inline(always)]
    fn total(self, sum: T::Sum, _: T::Sum) -> T {
        let variance = sum.div(T::Sum::from_f64(self.divisor as f64));
        T::narrow(if self.root { in_sums(variance, T::sqrt, f64::sqrt) } else { variance })
    }
}
