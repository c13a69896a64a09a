//! Tensors as rules write them: operations that cannot fail, because the shapes are known to fit.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::array::dynamic::DynTensor;
use crate::array::history::AnyArray;
use crate::element::{Element, Float};
use crate::ops;
use crate::sizes::error::ShapeError;

/// A tensor in a rule.
#[derive(Clone)]
pub(super) struct Value<T: Element>(pub(super) DynTensor<T>);

/// The value of an operation on shapes that fit.
#[inline]
pub(super) fn fits<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => wrong_rule(&error),
    }
}

#[cold]
#[inline(never)]
fn wrong_rule(error: &ShapeError) -> ! {
    panic!("a rule of a gradient: {error}")
}

impl<T: Element> Value<T> {
    pub(super) fn new(array: &DynTensor<T>) -> Self {
        Self(array.clone())
    }

    pub(super) fn into_any(self) -> AnyArray {
        AnyArray::new(self.0)
    }

    pub(super) fn sizes(&self) -> &[usize] {
        self.0.sizes()
    }

    #[inline(never)]
    pub(super) fn reshape(self, sizes: &[usize]) -> Self {
        if self.sizes() == sizes {
            return self;
        }
        Self(fits(self.0.reshape(sizes)))
    }

    #[inline(never)]
    pub(super) fn broadcast_to(self, sizes: &[usize]) -> Self {
        if self.sizes() == sizes {
            return self;
        }
        Self(fits(self.0.broadcast_to(sizes)))
    }
}

impl<T: Float> Value<T> {
    #[inline(never)]
    pub(super) fn full(sizes: &[usize], element: f64) -> Self {
        Self(DynTensor::full(sizes, T::from_f64(element)))
    }

    /// The same, of the type of elements that another value has.
    pub(super) fn like(self, _other: &Self) -> Self {
        self
    }

    pub(super) fn zeros(sizes: &[usize]) -> Self {
        Self::full(sizes, 0.0)
    }

    /// The sum along the axes that were stretched from these sizes.
    #[inline(never)]
    pub(super) fn sum_to(self, sizes: &[usize]) -> Self {
        if self.sizes() == sizes {
            return self;
        }
        Self(fits(self.0.sum_to(sizes)))
    }

    /// The elements where a mask is true, 0 elsewhere.
    #[inline(never)]
    pub(super) fn keep(&self, mask: &DynTensor<bool>) -> Self {
        let zero = DynTensor::full(&[], T::from_f64(0.0));
        Self(fits(mask.select(&self.0, &zero)))
    }

    /// The elements where those of another are positive or NaN, 0 elsewhere. The other is a constant.
    #[inline(never)]
    pub(super) fn keep_where_positive(&self, other: &Self) -> Self {
        Self(fits(self.0.binary::<ops::KeepWherePositive>(&other.0.detach())))
    }

    /// The elements times the sign of those of another, 0 where that is 0 or NaN. The other is a constant.
    #[inline(never)]
    pub(super) fn with_sign(&self, other: &Self) -> Self {
        Self(fits(self.0.binary::<ops::WithSign>(&other.0.detach())))
    }

    /// `⌊self / other⌋`, also where the quotient is rounded to an integer or to 0.
    #[inline(never)]
    pub(super) fn floor_divide(&self, other: &Self) -> Self {
        Self(fits(self.0.floor_divide(&other.0)))
    }

    /// Which elements differ from a number.
    #[inline(never)]
    pub(super) fn not_equal(&self, other: f64) -> DynTensor<bool> {
        fits(self.0.not_equal(&DynTensor::full(&[], T::from_f64(other))))
    }

    /// Where `lesser < greater` or one of both is NaN all of this gradient, where they are equal half of it, and
    /// 0 elsewhere: what `minimum` passes to the lesser operand and `maximum` to the greater one.
    #[inline(never)]
    pub(super) fn share(&self, lesser: &Self, greater: &Self) -> Self {
        let halves = fits(lesser.0.equal(&greater.0)).select(&(self * 0.5).0, &self.0);
        Self(fits(halves)).keep(&fits(lesser.0.greater(&greater.0)).not())
    }

    /// `b · a^(b - 1)`, 0 where `b` is 0: a gradient product.
    #[inline(never)]
    pub(super) fn pow_slope(&self, exponent: &Self) -> Self {
        exponent * Self(fits(self.0.pow(&(exponent - 1.0).0)))
    }

    /// `√(a² + b²)`
    #[inline(never)]
    pub(super) fn hypot(&self, other: &Self) -> Self {
        Self(fits(self.0.hypot(&other.0)))
    }

    /// `x / h²` without the square, which may over- or underflow, for `|x| ≤ h`; 0 where `h` is 0.
    #[inline(never)]
    pub(super) fn over_square(&self, h: &Self) -> Self {
        (self / h / h).keep_where_positive(h)
    }

    /// The share of `e^a` in `e^a + e^b`; 0 where `a` is -∞, whatever `b` is.
    #[inline(never)]
    pub(super) fn share_of_sum(&self, other: &Self) -> Self {
        (self - other).sigmoid().keep(&self.not_equal(f64::NEG_INFINITY))
    }

    /// `ln a`, and 0 where `a` is 0 and the exponent not negative.
    #[inline(never)]
    pub(super) fn ln_of_base(&self, exponent: &Self) -> Self {
        let negative = fits(exponent.0.less(&DynTensor::full(&[], T::from_f64(0.0))));
        let nonzero = self.not_equal(0.0);
        self.ln().keep(&fits(nonzero.select(&nonzero, &negative)))
    }
}

/// Functions of elements, which are those of tensors.
macro_rules! functions {
    ($($name:ident)+) => {
        impl<T: Float> Value<T> {$(
            #[inline(never)]
            pub(super) fn $name(&self) -> Self {
                Self(self.0.$name())
            }
        )+}
    };
}

functions! { cos cosh erf exp ln rsqrt sigmoid sin sinh square trunc }

/// The operators, each compiled once for an element type. Products and quotients of two values are those of
/// [gradients](crate::ops), where 0 times anything is 0.
macro_rules! operators {
    ($($name:ident $with_number:ident: $Op:ident $op:ident by $Row:ident;)+) => {
        impl<T: Float> Value<T> {$(
            #[inline(never)]
            fn $name(&self, right: &Self) -> Self {
                Self(fits(self.0.binary::<ops::$Row>(&right.0)))
            }

            #[inline(never)]
            fn $with_number(&self, right: f64) -> Self {
                Self($Op::$op(&self.0, T::from_f64(right)))
            }
        )+}

        $(
            operators! { @pair $Op $op $name &'a Value<T>, &'b Value<T> }
            operators! { @pair $Op $op $name Value<T>, &'b Value<T> }
            operators! { @pair $Op $op $name &'a Value<T>, Value<T> }
            operators! { @pair $Op $op $name Value<T>, Value<T> }

            impl<T: Float> $Op<f64> for &Value<T> {
                type Output = Value<T>;

                fn $op(self, right: f64) -> Value<T> {
                    self.$with_number(right)
                }
            }

            impl<T: Float> $Op<f64> for Value<T> {
                type Output = Value<T>;

                fn $op(self, right: f64) -> Value<T> {
                    self.$with_number(right)
                }
            }
        )+
    };
    (@pair $Op:ident $op:ident $name:ident $Left:ty, $Right:ty) => {
        #[allow(unused_lifetimes, reason = "half of the pairs are owned")]
        impl<'a, 'b, T: Float> $Op<$Right> for $Left {
            type Output = Value<T>;

            fn $op(self, right: $Right) -> Value<T> {
                Value::$name(&self, &right)
            }
        }
    };
}

operators! {
    plus plus_number: Add add by Add;
    minus minus_number: Sub sub by Sub;
    times times_number: Mul mul by GradientProduct;
    over over_number: Div div by GradientQuotient;
}

impl<T: Float> Sub<Value<T>> for f64 {
    type Output = Value<T>;

    fn sub(self, right: Value<T>) -> Value<T> {
        -(right - self)
    }
}

impl<T: Float> Sub<&Value<T>> for f64 {
    type Output = Value<T>;

    fn sub(self, right: &Value<T>) -> Value<T> {
        -(right - self)
    }
}

impl<T: Float> Neg for Value<T> {
    type Output = Value<T>;

    fn neg(self) -> Value<T> {
        Value(self.0.neg())
    }
}

impl<T: Float> Neg for &Value<T> {
    type Output = Value<T>;

    fn neg(self) -> Value<T> {
        Value(DynTensor::neg(&self.0))
    }
}
