//! Equality of tensors, exact (`==`) or within tolerances (`all_close`).

use core::cmp::Ordering;

use tensor_kernels::element::{Element, Float};
use tensor_kernels::equality::{all_pairs, is_close};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use crate::shape::axis::NoAxis;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::operand::{NoElement, Operand};
use crate::tensor::typed_view::View;

/// Two tensors are equal if their shapes and all their elements are; a tensor of rank 0 also equals a
/// number of the same value. NaN is not equal to itself.
///
/// For element-wise comparison with broadcasting, see `x.equal(&y)`.
///
/// ```
/// use tensor_core::tensor;
///
/// assert!(tensor![1.0, 2.0] == tensor![1.0, 2.0]);
/// assert!(tensor![f64::NAN] != tensor![f64::NAN]);
/// assert!(tensor![1.0, 2.0].sum() == 3.0);
/// ```
#[expect(clippy::partialeq_ne_impl, reason = "a panic is at the caller's line")]
impl<S: Shape, T: Element, X> PartialEq<X> for Tensor<S, T>
where
    (X,): EqualTo<S, T, X>,
{
    #[track_caller]
    fn eq(&self, other: &X) -> bool {
        self.all_pairs(<(X,)>::operand(other), |a, b| a == b)
    }

    #[track_caller]
    fn ne(&self, other: &X) -> bool {
        !self.eq(other)
    }
}

/// The right side of `==` for a tensor of shape `S`: one of the same shape, or a number if the rank is 0.
///
/// `Self` is a one-element tuple, because where both sides have one type rustc would report `PartialOrd`
/// with its own message.
#[diagnostic::on_unimplemented(
    message = "`==` compares tensors of one shape and element type, not shape `{S}` of `{T}` with `{X}`",
    label = "to compare each element, write `.equal(…)`",
    note = "`x.equal(&y)` and `x.equal(0.0)` broadcast and give a tensor of `bool`, which `.all()` and `.any()` reduce; `cast` converts elements, and in generic code `T::from_f64(1.0)` is a number [T210]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait EqualTo<S: Shape, T: Element, X> {
    /// The elements for reading.
    #[doc(hidden)]
    fn operand(other: &X) -> View<'_, S, T>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> EqualTo<S, T, Tensor<S, T>> for (Tensor<S, T>,) {
    #[inline]
    fn operand(other: &Tensor<S, T>) -> View<'_, S, T> {
        other.as_view()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, S: Shape, T: Element> EqualTo<S, T, &'a Tensor<S, T>> for (&'a Tensor<S, T>,) {
    #[inline]
    fn operand<'b>(other: &'b &'a Tensor<S, T>) -> View<'b, S, T> {
        Tensor::as_view(other)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> EqualTo<(), T, T> for (T,) {
    #[inline]
    fn operand(other: &T) -> View<'_, (), T> {
        Operand::as_view(other)
    }
}

/// Compares a tensor of rank 0 with a number or another tensor of rank 0: `loss < 1e-6`.
///
/// For element-wise comparison with broadcasting, see `x.less(&y)`, `x.greater(0.0)` and the like.
///
/// ```
/// use tensor_core::tensor;
///
/// let loss = tensor![0.5, 0.25].mean();
/// assert!(loss < 0.5 && loss >= tensor![0.25, 0.5].min());
/// ```
impl<S: Shape, T: Element, X> PartialOrd<X> for Tensor<S, T>
where
    (X,): OrderedWith<S, T, X>,
{
    #[track_caller]
    fn partial_cmp(&self, other: &X) -> Option<Ordering> {
        let (a, b) = (self.as_view(), <(X,)>::operand(other));
        a.elements()[a.offset()].partial_cmp(&b.elements()[b.offset()])
    }

    // So that a panic is at the caller's line.
    #[track_caller]
    fn lt(&self, other: &X) -> bool {
        self.partial_cmp(other).is_some_and(Ordering::is_lt)
    }

    #[track_caller]
    fn le(&self, other: &X) -> bool {
        self.partial_cmp(other).is_some_and(Ordering::is_le)
    }

    #[track_caller]
    fn gt(&self, other: &X) -> bool {
        self.partial_cmp(other).is_some_and(Ordering::is_gt)
    }

    #[track_caller]
    fn ge(&self, other: &X) -> bool {
        self.partial_cmp(other).is_some_and(Ordering::is_ge)
    }
}

/// The right side of `<` for a tensor of shape `S`: a number, or a tensor of rank 0 like the left side.
#[diagnostic::on_unimplemented(
    message = "`<` and `>` compare two numbers of one type, not shape `{S}` of `{T}` with `{X}`",
    label = "a number is compared with a `{T}`; to compare each element, write `.less(…)` or `.greater(…)`",
    note = "`x.less(&y)` and `x.greater(0.0)` broadcast and give a tensor of `bool`, which `.all()` and `.any()` reduce; `cast` converts elements, and in generic code `T::from_f64(1.0)` is a number [T210]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OrderedWith<S: Shape, T: Element, X>: EqualTo<S, T, X> {}

#[diagnostic::do_not_recommend]
impl<T: Element> OrderedWith<(), T, Tensor<(), T>> for (Tensor<(), T>,) {}

#[diagnostic::do_not_recommend]
impl<'a, T: Element> OrderedWith<(), T, &'a Tensor<(), T>> for (&'a Tensor<(), T>,) {}

#[diagnostic::do_not_recommend]
impl<T: Element> OrderedWith<(), T, T> for (T,) {}

/// Impls for an uninhabited type. With two of them, rustc resolves the right side before it rejects the
/// left one, and the message is that of [`OrderedWith`].
macro_rules! ordered_with_nothing {
    ($($X:ty, $other:ident => $never:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element> EqualTo<S, T, $X> for ($X,) {
            fn operand<'b>($other: &'b $X) -> View<'b, S, T> {
                match $never {}
            }
        }

        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element> OrderedWith<S, T, $X> for ($X,) {}
    )*};
}

ordered_with_nothing! {
    NoAxis, nothing => *nothing;
    NoElement<()>, nothing => nothing.1;
}

/// Generates the comparison of a reference to a tensor of rank 0 with a number, so that `&x > 0.0` has the message of
/// `x > 0.0`. For each element type, because the standard library compares references with references.
macro_rules! compared_by_reference {
    ($($(#[$feature:meta])* $T:ident: $class:ident $shared:ident;)*) => {$(
        $(#[$feature])*
        #[allow(clippy::partialeq_ne_impl, reason = "a panic is at the caller's line")]
        impl<S: Shape> PartialEq<$T> for &Tensor<S, $T>
        where
            ($T,): EqualTo<S, $T, $T>,
        {
            #[track_caller]
            fn eq(&self, other: &$T) -> bool {
                **self == *other
            }

            #[track_caller]
            fn ne(&self, other: &$T) -> bool {
                **self != *other
            }
        }

        $(#[$feature])*
        impl<S: Shape> PartialOrd<$T> for &Tensor<S, $T>
        where
            ($T,): OrderedWith<S, $T, $T>,
        {
            #[track_caller]
            fn partial_cmp(&self, other: &$T) -> Option<Ordering> {
                (**self).partial_cmp(other)
            }
        }
    )*};
}

for_each_element!(compared_by_reference);

/// For an uninhabited type: with this impl, rustc resolves the right side before it rejects the left one, as above.
impl<S: Shape, T: Element> PartialEq<NoAxis> for &Tensor<S, T> {
    fn eq(&self, other: &NoAxis) -> bool {
        match *other {}
    }
}

/// See its `PartialEq`.
impl<S: Shape, T: Element> PartialOrd<NoAxis> for &Tensor<S, T> {
    fn partial_cmp(&self, other: &NoAxis) -> Option<Ordering> {
        match *other {}
    }
}

/// Generates the methods of `PartialOrd` and `PartialEq` once more, as PyTorch's methods of these names compare each
/// element: for an argument that is no reference, the message has the name here.
macro_rules! comparisons {
    ($($Trait:ident::$method:ident $Bound:ident $Argument:ident: $message:tt $label:tt;)*) => {
        $(
            #[doc = concat!("The right side of the method `", stringify!($method), "` of the standard library.")]
            #[diagnostic::on_unimplemented(
                message = $message,
                label = $label,
                note = "the chapter `coming_from` of the guide has more of them [T920]"
            )]
            #[cfg_attr(doc, doc(hidden))]
            pub trait $Argument<S: Shape, T: Element> {
                /// `bool`
                #[doc(hidden)]
                type Answer;

                /// The answer.
                #[doc(hidden)]
                #[track_caller]
                fn compare(self, left: &Tensor<S, T>) -> Self::Answer;
            }

            #[diagnostic::do_not_recommend]
            impl<S: Shape, T: Element, X> $Argument<S, T> for &X
            where
                (X,): $Bound<S, T, X>,
            {
                type Answer = bool;

                #[track_caller]
                fn compare(self, left: &Tensor<S, T>) -> bool {
                    $Trait::$method(left, self)
                }
            }
        )*

        #[tensor_array_macros::bounds_without_source]
        impl<S: Shape, T: Element> Tensor<S, T> {
            $(
                #[doc(hidden)]
                #[track_caller]
                pub fn $method<X>(&self, other: X) -> X::Answer
                where
                    X: $Argument<S, T>,
                {
                    other.compare(self)
                }
            )*
        }
    };
}

comparisons! {
    PartialEq::eq EqualTo ArgumentOfEq: "PyTorch's `eq` is `x.equal(0.0)`" "write `x.equal(0.0)`";
    PartialEq::ne EqualTo ArgumentOfNe: "PyTorch's `ne` is `x.not_equal(0.0)`" "write `x.not_equal(0.0)`";
    PartialOrd::lt OrderedWith ArgumentOfLt: "PyTorch's `lt` is `x.less(0.0)`" "write `x.less(0.0)`";
    PartialOrd::le OrderedWith ArgumentOfLe: "PyTorch's `le` is `x.less_equal(0.0)`" "write `x.less_equal(0.0)`";
    PartialOrd::gt OrderedWith ArgumentOfGt: "PyTorch's `gt` is `x.greater(0.0)`" "write `x.greater(0.0)`";
    PartialOrd::ge OrderedWith ArgumentOfGe: "PyTorch's `ge` is `x.greater_equal(0.0)`" "write `x.greater_equal(0.0)`";
}

/// # Equality within tolerances
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_all_close!()]
    /// An infinity is close only to itself, and NaN to nothing. As in [NumPy's
    /// `allclose`](https://numpy.org/doc/stable/reference/generated/numpy.allclose.html), whose default
    /// tolerances are `1e-5` and `1e-8`.
    /// Panics: If a tensor is part of a program that is being traced.
    /// ```
    /// let x = tensor![0.1, 0.2] + tensor![0.2, 0.1];
    /// assert!(x != tensor![0.3, 0.3]);
    /// assert!(x.all_close(&tensor![0.3, 0.3], 1e-12, 0.0));
    /// ```
    #[doc(alias("allclose", "isclose"))]
    pub fn all_close(&self, other: &Self, relative: f64, absolute: f64) -> bool
    where
        T: Float,
    {
        self.all_pairs(other.as_view(), is_close(relative, absolute))
    }

    /// Whether the shapes are equal and `holds` is true for every pair of elements.
    fn all_pairs(&self, other: View<'_, S, T>, holds: impl Fn(T, T) -> bool) -> bool {
        let (a, b) = (&mut Sizes::new(), &mut Sizes::new());
        self.axes == other.shape && all_pairs(self.as_view().erase(a), other.erase(b), holds)
    }
}
