//! Functions of one floating-point number.

use super::functions::{double, single};
use super::{Instructions, Signed};

/// A floating-point number: `f32`, `f64`, and `f16` and `bf16` with the feature `half`.
///
/// The functions serve closures too: `zip_with3(&x, &w, &b, |x, w, b| (x * w + b).gelu())`. The
/// 16-bit types compute in `f32` and round once.
///
/// # Speed
///
/// Loops are compiled for several instruction sets and the best is chosen at run time (AVX-512,
/// AVX2, else what the target has). These become vectors: `exp`, `exp_m1`, `ln`, `ln_1p`, `pow`, `sin`,
/// `cos`, `tanh`, `erf`, `sigmoid`, `silu`, `softplus`, `gelu` and `gelu_tanh` of `f32` and `f64`. The
/// others (`tan`, `asin` …, `sinh`, `cosh`, `asinh` …, `atan2`) are `std`'s, one number at a time.
///
/// Closures become vectors too, with two things to know. `x.exp()` on a plain `f32` is `std`'s own:
/// write `Float::exp(x)`. And a closure of many operations is a call, which keeps the loop from
/// becoming vectors, unless it is marked:
///
/// ```
/// use tensor_core::{Float, tensor, zip_with3};
///
/// let (x, w, b) = (tensor![1.0_f32, 2.0], tensor![0.5], tensor![-0.5]);
/// let y = zip_with3(
///     &x,
///     &w,
///     &b,
///     #[inline(always)]
///     |x, w, b| (x * w + b).gelu_tanh(),
/// );
/// assert_eq!(y, (&x * &w + &b).gelu_tanh());
/// ```
///
/// # Accuracy
///
/// Over all numbers, those below the normal ones too, results are off by less than 2 ulp, but
/// `gelu_tanh` of `f32` by 2.07. These are off by less: of `f32` `sin`, `cos`, `pow`, `erf` and `gelu`
/// by 0.51, `exp`, `ln` and `ln_1p` by 1.1, `tanh` by 1.4; of `f64` `sin`, `cos`, `ln`, `ln_1p` and
/// `pow` by 0.85, `exp` by 1.1, `tanh` by 1.4, `erf` by 1.6. Infinities, NaN and zeros with their sign
/// give what C's functions give. The results are
/// the same on every instruction set, bit for bit: no fused multiply-adds. The rest is as exact as
/// `std`'s on the platform.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not floating-point numbers",
    label = "this needs `f32`, `f64`, `f16` or `bf16`",
    note = "convert with `.cast::<f32>()` first; in generic code, add the bound `{Self}: Float` [T503]"
)]
pub trait Float: Signed {
    /// What methods name beside this bound, so that a message is about the call alone: see
    /// [`relations`](crate::relations).
    #[doc(hidden)]
    type Checked;

    /// NaN.
    const NAN: Self;
    /// Infinity.
    const INFINITY: Self;
    /// The difference between 1 and the next larger number.
    const EPSILON: Self;

    /// The size of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// `e^self`.
    fn exp(self) -> Self;
    /// `e^self - 1`, exact near 0.
    fn exp_m1(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// `ln(1 + self)`, exact near 0.
    fn ln_1p(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// `self^power`.
    fn pow(self, power: Self) -> Self;
    /// The sine, in radians.
    fn sin(self) -> Self;
    /// The cosine, in radians.
    fn cos(self) -> Self;
    /// The tangent, in radians.
    fn tan(self) -> Self;
    /// The inverse sine, in radians.
    fn asin(self) -> Self;
    /// The inverse cosine, in radians.
    fn acos(self) -> Self;
    /// The inverse tangent, in radians.
    fn atan(self) -> Self;
    /// The angle of the point (`x`, `self`), in radians.
    fn atan2(self, x: Self) -> Self;
    /// The hyperbolic sine.
    fn sinh(self) -> Self;
    /// The hyperbolic cosine.
    fn cosh(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh(self) -> Self;
    /// The inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// The inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// The inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// The error function, `2/√π ∫₀ˣ e^(-t²) dt`.
    fn erf(self) -> Self;
    /// The largest whole number not above this one.
    fn floor(self) -> Self;
    /// The smallest whole number not below this one.
    fn ceil(self) -> Self;
    /// The nearest whole number, the even one of two, as NumPy and PyTorch round.
    fn round(self) -> Self;
    /// The whole number toward zero.
    fn trunc(self) -> Self;

    /// `1 / self`.
    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::ONE.div(self)
    }

    /// `1 / √self`.
    #[inline(always)]
    fn rsqrt(self) -> Self {
        self.sqrt().reciprocal()
    }

    /// The logistic function, `1 / (1 + e^-x)`.
    #[inline(always)]
    fn sigmoid(self) -> Self {
        Self::ONE.add(self.neg().exp()).reciprocal()
    }

    /// `max(x, 0)`; NaN for NaN.
    #[inline(always)]
    fn relu(self) -> Self {
        self.maximum(Self::ZERO)
    }

    /// `x · Φ(x)`, with the normal distribution function `Φ(x) = (1 + erf(x / √2)) / 2`
    /// ([Hendrycks and Gimpel, 2016](https://arxiv.org/abs/1606.08415)).
    #[inline(always)]
    fn gelu(self) -> Self {
        let half = Self::from_f64(0.5);
        let scaled = self.mul(Self::from_f64(core::f64::consts::FRAC_1_SQRT_2));
        half.mul(self).mul(Self::ONE.add(scaled.erf()))
    }

    /// [`gelu`](Float::gelu) by its tanh form, `x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))`.
    #[inline(always)]
    fn gelu_tanh(self) -> Self {
        let half = Self::from_f64(0.5);
        let cube = self.mul(self).mul(self);
        let inner = self.add(Self::from_f64(0.044_715).mul(cube));
        let scale =
            Self::from_f64(core::f64::consts::FRAC_2_SQRT_PI * core::f64::consts::FRAC_1_SQRT_2);
        half.mul(self).mul(Self::ONE.add(scale.mul(inner).tanh()))
    }

    /// `x · sigmoid(x)`, also called swish.
    #[inline(always)]
    fn silu(self) -> Self {
        self.div(Self::ONE.add(self.neg().exp()))
    }

    /// `ln(1 + e^x)`, computed as `max(x, 0) + ln(1 + e^-|x|)` so that it does not overflow.
    #[inline(always)]
    fn softplus(self) -> Self {
        self.maximum(Self::ZERO).add(self.abs().neg().exp().ln_1p())
    }

    // The same with what the processor has, which the kernel knows.

    #[doc(hidden)]
    #[inline(always)]
    fn exp_with(self, _: Instructions) -> Self {
        self.exp()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn exp_m1_with(self, _: Instructions) -> Self {
        self.exp_m1()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn ln_with(self, _: Instructions) -> Self {
        self.ln()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn ln_1p_with(self, _: Instructions) -> Self {
        self.ln_1p()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn sin_with(self, _: Instructions) -> Self {
        self.sin()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn cos_with(self, _: Instructions) -> Self {
        self.cos()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn tanh_with(self, _: Instructions) -> Self {
        self.tanh()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn erf_with(self, _: Instructions) -> Self {
        self.erf()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn sigmoid_with(self, _: Instructions) -> Self {
        self.sigmoid()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn gelu_with(self, _: Instructions) -> Self {
        self.gelu()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn gelu_tanh_with(self, _: Instructions) -> Self {
        self.gelu_tanh()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn silu_with(self, _: Instructions) -> Self {
        self.silu()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn softplus_with(self, _: Instructions) -> Self {
        self.softplus()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn pow_with(self, power: Self, _: Instructions) -> Self {
        self.pow(power)
    }
}

/// `x / y` rounded toward minus infinity, exactly, also where `x / y` itself would round up to a
/// whole number; the sign of a zero is that of `x / y`.
pub(super) fn floor_divide<T: Float>(x: T, y: T) -> T {
    if y == T::ZERO {
        return x.div(y);
    }
    let rest = x.rem(y);
    let quotient = x.sub(rest).div(y);
    let quotient = if rest != T::ZERO && (rest < T::ZERO) != (y < T::ZERO) {
        quotient.sub(T::ONE)
    } else {
        quotient
    };
    if quotient == T::ZERO {
        return T::ZERO.copysign(x.div(y));
    }
    let whole = quotient.floor();
    if quotient.sub(whole) > T::from_f64(0.5) { whole.add(T::ONE) } else { whole }
}

macro_rules! same_names {
    (<Self>: $($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            <Self>::$name(self)
        }
    )*};
    ($functions:ident: $($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            $functions::$name(self)
        }
    )*};
}

macro_rules! floats {
    ($($T:ident: $functions:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Float for $T {
            type Checked = Self;

            const NAN: Self = <$T>::NAN;
            const INFINITY: Self = <$T>::INFINITY;
            const EPSILON: Self = <$T>::EPSILON;

            same_names!(<Self>: sqrt tan asin acos atan sinh cosh asinh acosh atanh floor ceil trunc);
            same_names!($functions: exp exp_m1 ln ln_1p sin cos tanh erf sigmoid gelu gelu_tanh silu
                softplus);

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$T>::copysign(self, sign)
            }
            #[inline(always)]
            fn pow(self, power: Self) -> Self {
                $functions::pow(self, power)
            }
            fn atan2(self, x: Self) -> Self {
                <$T>::atan2(self, x)
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.round_ties_even()
            }
        }
    )*};
}

floats! {
    f32: single;
    f64: double;
}

#[cfg(feature = "half")]
mod sixteen_bits {
    use half::{bf16, f16};

    use super::Float;

    macro_rules! through_f32 {
        ($T:ident: $($name:ident)*) => {$(
            fn $name(self) -> Self {
                $T::from_f32(Float::$name(self.to_f32()))
            }
        )*};
    }

    macro_rules! floats {
        ($($T:ident)*) => {$(
            #[diagnostic::do_not_recommend]
            impl Float for $T {
                type Checked = Self;

                const NAN: Self = $T::NAN;
                const INFINITY: Self = $T::INFINITY;
                const EPSILON: Self = $T::EPSILON;

                through_f32!($T: exp exp_m1 ln ln_1p sqrt sin cos tan asin acos atan sinh cosh tanh
                    asinh acosh atanh erf floor ceil round trunc reciprocal rsqrt sigmoid gelu
                    gelu_tanh silu softplus);

                fn copysign(self, sign: Self) -> Self {
                    $T::copysign(self, sign)
                }
                fn pow(self, power: Self) -> Self {
                    $T::from_f32(self.to_f32().powf(power.to_f32()))
                }
                fn atan2(self, x: Self) -> Self {
                    $T::from_f32(self.to_f32().atan2(x.to_f32()))
                }
            }
        )*};
    }

    floats!(f16 bf16);
}
