//! The operations that rules consist of: infallible, because the shapes are known to fit, and compiled
//! once for each element type.

use core::borrow::Borrow;

use tensor_kernels::element::Float;
use tensor_kernels::ops;
use tensor_kernels::sizes::error::ShapeError;

use crate::array::dynamic::DynTensor;

/// Unwraps the result of an operation on shapes that are known to fit.
#[inline]
pub(crate) fn fits<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(result) => result,
        Err(error) => wrong_rule(&error),
    }
}

#[cold]
#[inline(never)]
fn wrong_rule(error: &ShapeError) -> ! {
    panic!("a rule of a gradient: {error}")
}

/// Generates operations on two tensors that broadcast.
macro_rules! of_two_tensors {
    ($($(#[$doc:meta])* $name:ident, $outlined:ident: $Row:ident;)+) => {
        impl<T: Float> DynTensor<T> {$(
            $(#[$doc])*
            #[inline]
            pub(crate) fn $name(&self, other: impl Borrow<Self>) -> Self {
                self.$outlined(other.borrow())
            }

            #[inline(never)]
            fn $outlined(&self, other: &Self) -> Self {
                fits(self.binary::<ops::$Row>(other))
            }
        )+}
    };
}

of_two_tensors! {
    /// `a + b`
    plus, add_tensor: Add;
    /// `a - b`
    minus, subtract_tensor: Sub;
    /// `a · b`, of factors that are not 0 where the other is infinite.
    product, multiply_plainly_by_tensor: Mul;
    /// `a · b`, 0 where a factor is 0: the product of gradients.
    times, multiply_by_tensor: GradientProduct;
    /// `a / b`, 0 where `a` is 0: the quotient of gradients.
    over, divide_by_tensor: GradientQuotient;
}

impl<T: Float> DynTensor<T> {
    /// `a · factor`
    #[inline(never)]
    pub(crate) fn scale(&self, factor: f64) -> Self {
        self.with_scalar::<ops::Mul>(T::from_f64(factor), 1)
    }

    /// `a / divisor`
    #[inline(never)]
    pub(crate) fn divide(&self, divisor: f64) -> Self {
        self.with_scalar::<ops::Div>(T::from_f64(divisor), 1)
    }

    /// `a + number`
    #[inline(never)]
    pub(crate) fn shift(&self, number: f64) -> Self {
        self.with_scalar::<ops::Add>(T::from_f64(number), 1)
    }

    /// `1 - a`
    #[inline(never)]
    pub(crate) fn complement(&self) -> Self {
        self.shift(-1.0).neg()
    }

    /// The same elements with other sizes.
    #[inline(never)]
    pub(crate) fn in_sizes(&self, sizes: &[usize]) -> Self {
        if self.sizes() == sizes { self.clone() } else { fits(self.reshape(sizes)) }
    }

    /// The sum along the axes that were broadcast from these sizes.
    #[inline(never)]
    pub(crate) fn summed_to(&self, sizes: &[usize]) -> Self {
        if self.sizes() == sizes { self.clone() } else { fits(self.sum_to(sizes)) }
    }

    /// The elements where a mask is true, 0 elsewhere.
    #[inline(never)]
    pub(crate) fn keep(&self, mask: &DynTensor<bool>) -> Self {
        fits(mask.select(self, &DynTensor::scalar(T::ZERO)))
    }

    /// The elements where those of `other` are positive or NaN, 0 elsewhere. `other` is a constant.
    #[inline(never)]
    pub(crate) fn keep_where_positive(&self, other: &Self) -> Self {
        fits(self.binary::<ops::KeepWherePositive>(&other.detach()))
    }

    /// The elements times the sign of those of `other`, 0 where that is 0 or NaN. `other` is a constant.
    #[inline(never)]
    pub(crate) fn with_sign(&self, other: &Self) -> Self {
        fits(self.binary::<ops::WithSign>(&other.detach()))
    }

    /// Which elements differ from a number.
    #[inline(never)]
    pub(crate) fn differs_from(&self, other: f64) -> DynTensor<bool> {
        fits(self.not_equal(&DynTensor::scalar(T::from_f64(other))))
    }

    /// The gradient of `minimum` for the lesser operand, and of `maximum` for the greater: all of it where
    /// `lesser < greater` or one is NaN, half of it where they are equal, and 0 elsewhere.
    #[inline(never)]
    pub(crate) fn share(&self, lesser: &Self, greater: &Self) -> Self {
        let halves = fits(fits(lesser.equal(greater)).select(&self.scale(0.5), self));
        halves.keep(&fits(lesser.greater(greater)).not())
    }

    /// `b · a^(b - 1)`, 0 where `b` is 0: a gradient product.
    #[inline(never)]
    pub(crate) fn pow_slope(&self, exponent: &Self) -> Self {
        exponent.times(fits(self.pow(&exponent.shift(-1.0))))
    }

    /// `x / h²` without the square, which may over- or underflow, for `|x| ≤ h = √(x² + y²)`; 0 where `h` is 0.
    #[inline(never)]
    pub(crate) fn over_hypot_squared(&self, y: &Self) -> Self {
        let h = fits(self.hypot(y));
        self.over(&h).over(&h).keep_where_positive(&h)
    }

    /// The share of `e^a` in `e^a + e^b`; 0 where `a` is -∞, whatever `b` is.
    #[inline(never)]
    pub(crate) fn share_of_sum(&self, other: &Self) -> Self {
        self.minus(other).sigmoid().keep(&self.differs_from(f64::NEG_INFINITY))
    }

    /// `ln a`, and 0 where `a` is 0 and the exponent not negative.
    #[inline(never)]
    pub(crate) fn ln_of_base(&self, exponent: &Self) -> Self {
        let negative = fits(exponent.less(&DynTensor::scalar(T::ZERO)));
        let nonzero = self.differs_from(0.0);
        self.ln().keep(&fits(nonzero.select(&nonzero, &negative)))
    }
}
