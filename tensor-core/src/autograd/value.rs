//! Tensors as rules write them: operations that cannot fail, because the shapes are known to fit.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::array::history::{AnyArray, Array};
use crate::element::{Element, Float};
use crate::shape::error::ShapeError;
use crate::tensor::DynTensor;

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
    pub(super) fn new(array: &Array<T>) -> Self {
        Self(array.clone().into())
    }

    pub(super) fn into_any(self) -> AnyArray {
        AnyArray::new(self.0.into_array())
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

    /// The elements where those of another are positive, 0 elsewhere.
    #[inline(never)]
    pub(super) fn keep_where_positive(&self, other: &Self) -> Self {
        match self.0.keep_where_positive(&other.0) {
            Some(kept) => Self(kept),
            None => self.keep(&other.greater(0.0)),
        }
    }

    /// Which elements are greater than those of another.
    #[inline(never)]
    pub(super) fn greater(&self, other: f64) -> DynTensor<bool> {
        fits(self.0.greater(&DynTensor::full(&[], T::from_f64(other))))
    }

    /// What `minimum(self, other)` owes to `self`: 1 where it is less, a half where both are equal.
    #[inline(never)]
    pub(super) fn share_below(&self, other: &Self) -> Self {
        let (one, half) = (Self::full(&[], 1.0), Self::full(&[], 0.5));
        let less = fits(self.0.less(&other.0));
        let tie = half.keep(&fits(self.0.equal(&other.0)));
        Self(fits(less.select(&one.0, &tie.0)))
    }

    /// `b · a^(b - 1)`, and 0 where `b` is 0.
    #[inline(never)]
    pub(super) fn pow_slope(&self, exponent: &Self) -> Self {
        let zero = fits(exponent.0.equal(&DynTensor::full(&[], T::from_f64(0.0))));
        let slope = exponent * Self(fits(self.0.pow(&(exponent - 1.0).0)));
        slope.keep(&zero.not())
    }

    /// `ln a`, and 0 where `a` is 0 and the exponent not negative.
    #[inline(never)]
    pub(super) fn ln_of_base(&self, exponent: &Self) -> Self {
        let zero = DynTensor::full(&[], T::from_f64(0.0));
        let flat = fits(self.0.equal(&zero));
        let flat = fits(flat.select(&fits(exponent.0.greater_equal(&zero)), &flat));
        self.ln().keep(&flat.not())
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

functions! { cos cosh erf exp floor ln rsqrt sigmoid sign sin sinh square trunc }

/// The operators, each compiled once for a type of elements.
macro_rules! operators {
    ($($name:ident $with_number:ident: $Op:ident $op:ident;)+) => {
        impl<T: Float> Value<T> {$(
            #[inline(never)]
            fn $name(&self, right: &Self) -> Self {
                Self(fits($Op::$op(&self.0, &right.0)))
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
    plus plus_number: Add add;
    minus minus_number: Sub sub;
    times times_number: Mul mul;
    over over_number: Div div;
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
