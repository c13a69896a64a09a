//! Functions of one floating-point number.

use super::math::{f32_fns, f64_fns};
use super::{CastTo, FloatResult, Isa, Signed};
use crate::ops::reductions::FloatReductions;
use crate::ops::windows::FloatWindows;
use crate::ops::{FloatBinary, FloatUnary, GradientBinary};

/// Calls a macro with the vectorised functions of one number: each by its name, and by that of the function for an
/// instruction set, which kernels pass.
macro_rules! vectorised {
    ($of:ident! $($context:tt)*) => { $of! { $($context)*;
        /// `e^self`.
        fn exp, exp_isa;
        /// `e^self - 1`, exact near 0.
        fn exp_m1, exp_m1_isa;
        /// The natural logarithm.
        fn ln, ln_isa;
        /// `ln(1 + self)`, exact near 0.
        fn ln_1p, ln_1p_isa;
        /// The sine, in radians.
        fn sin, sin_isa;
        /// The cosine, in radians.
        fn cos, cos_isa;
        /// The hyperbolic tangent.
        fn tanh, tanh_isa;
        /// The error function, `2/√π ∫₀ˣ e^(-t²) dt`.
        fn erf, erf_isa;
        /// The logistic function, `1 / (1 + e^-x)`.
        fn sigmoid, sigmoid_isa;
        /// `x · Φ(x)`, with the normal distribution function `Φ(x) = (1 + erf(x / √2)) / 2`
        /// ([Hendrycks and Gimpel, 2016](https://arxiv.org/abs/1606.08415)).
        fn gelu, gelu_isa;
        /// [`gelu`](Float::gelu) by its tanh form, `x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))`.
        fn gelu_tanh, gelu_tanh_isa;
        /// `x · sigmoid(x)`, also called swish.
        fn silu, silu_isa;
        /// `ln(1 + e^x)`, computed as `max(x, 0) + ln(1 + e^-|x|)` so that it does not overflow.
        fn softplus, softplus_isa;
    } };
}

/// Declares functions: each computes by the baseline unless it is given an instruction set.
macro_rules! declared {
    (; $($(#[$doc:meta])* fn $name:ident, $of_isa:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self) -> Self {
            self.$of_isa(Isa::BASELINE)
        }

        #[doc(hidden)]
        fn $of_isa(self, isa: Isa) -> Self;
    )*};
}

/// A floating-point number: `f32`, `f64`, and `f16` and `bf16` with the feature `half`.
///
/// The functions serve closures too: `zip_with3(&x, &w, &b, |x, w, b| (x * w + b).gelu())`. The
/// 16-bit types are computed in `f32` and rounded once.
///
/// # Speed
///
/// Loops are compiled for several instruction sets and the best is chosen at run time (AVX-512,
/// AVX2 with FMA, else the baseline of the target). These are vectorised: `exp`, `exp_m1`, `ln`, `ln_1p`,
/// `pow`, `sin`, `cos`, `tanh`, `erf`, `sigmoid`, `silu`, `softplus`, `gelu` and `gelu_tanh` of `f32`
/// and `f64`. The others compute one number at a time: `asinh`, `acosh` and `atanh`, and `std`'s `tan`,
/// `asin`, `acos`, `atan`, `atan2`, `sinh` and `cosh`.
///
/// Closures are vectorised too, with two caveats. `x.exp()` on a plain `f32` is `std`'s own:
/// write `Float::exp(x)`. And a closure of many operations is not inlined, which prevents
/// vectorisation, unless it is marked:
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
/// assert!((y - (&x * &w + &b).gelu_tanh()).abs().max().item() < 1e-6);
/// ```
///
/// A closure does not know the available instruction set: its functions use fused multiply-adds only if the
/// whole build may, as with `-C target-cpu=native` or on ARM. Otherwise they take longer than the
/// methods of tensors and `fuse!`, `gelu_tanh` more than twice as long, and may differ
/// from them in the last bits.
///
/// # Accuracy
///
/// For all numbers, including subnormal ones, the error is at most 2 ulp, for `gelu_tanh` of `f32` 2.05
/// without fused multiply-adds. These have smaller bounds: `exp` 1.1 and `tanh` 1.5; for `f32` `sin`, `cos`,
/// `pow`, `erf`, `gelu`, `asinh`, `acosh` and `atanh` 0.51, `ln` and `ln_1p` 1; for `f64` `sin`, `cos`,
/// `ln`, `ln_1p` and `pow` 0.85, `erf` 1.3. Infinities, NaN and signed zeros give what C's functions give.
///
/// `gelu` and `gelu_tanh` of `f32` are 0 where the result for a negative number is subnormal, below about -13.1 and -10.1:
/// many processors take more than a hundred cycles for a multiply-add with a subnormal number, and a product with the
/// activations of a layer would take several times as long.
///
/// If fused multiply-adds are available, these functions use them, in every instruction set in the
/// same way: the results of AVX-512, AVX2 with FMA and ARM are bit-identical. The baseline of x86-64
/// has none, and its results may differ in the last bits, within the same bounds. The functions of
/// `std` are as accurate as they are on the platform.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` are not floating-point numbers",
    label = "this needs `f32`, `f64`, `f16` or `bf16`: convert with `.cast::<f32>()` first; in generic code, the bound is `Float` [T503]"
)]
pub trait Float:
    Signed
    + FloatResult<Self>
    + FloatUnary
    + FloatBinary
    + FloatReductions
    + FloatWindows
    + GradientBinary
    + CastTo<<Self as Float>::Wide>
{
    /// The type in which statistics, scores and losses are computed: `f32` for the 16-bit floats, the type itself for
    /// the others. `x.cast::<T::Wide>()` copies nothing for these.
    type Wide: Float + CastTo<Self>;

    /// NaN.
    const NAN: Self;
    /// Infinity.
    const INFINITY: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The difference between 1 and the next larger number.
    const EPSILON: Self;

    /// The magnitude of `self` with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// `self^power`.
    #[inline(always)]
    fn pow(self, power: Self) -> Self {
        self.pow_isa(power, Isa::BASELINE)
    }
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
    /// The inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// The inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// The inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// The largest integer not above this number.
    fn floor(self) -> Self;
    /// The smallest integer not below this number.
    fn ceil(self) -> Self;
    /// The nearest integer, the even one of two, as NumPy and PyTorch round.
    fn round(self) -> Self;
    /// The integer part: rounds toward zero.
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

    /// `max(x, 0)`; NaN for NaN.
    #[inline(always)]
    fn relu(self) -> Self {
        self.maximum(Self::ZERO)
    }

    #[doc(hidden)]
    fn pow_isa(self, power: Self, isa: Isa) -> Self;

    vectorised!(declared!);
}

macro_rules! same_names {
    (<Self>: $($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> Self {
            <Self>::$name(self)
        }
    )*};
    ($functions:ident; $($(#[$doc:meta])* fn $name:ident, $of_isa:ident;)*) => {$(
        #[inline(always)]
        fn $of_isa(self, isa: Isa) -> Self {
            $functions::$name(isa, self)
        }
    )*};
}

macro_rules! floats {
    ($($T:ident: $functions:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Float for $T {
            type Wide = Self;

            const NAN: Self = <$T>::NAN;
            const INFINITY: Self = <$T>::INFINITY;
            const MAX: Self = <$T>::MAX;
            const EPSILON: Self = <$T>::EPSILON;

            same_names!(<Self>: sqrt tan asin acos atan sinh cosh floor ceil trunc);
            vectorised!(same_names! $functions);

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$T>::copysign(self, sign)
            }
            #[inline(always)]
            fn pow_isa(self, power: Self, isa: Isa) -> Self {
                $functions::pow(isa, self, power)
            }
            fn atan2(self, x: Self) -> Self {
                <$T>::atan2(self, x)
            }
            fn asinh(self) -> Self {
                $functions::asinh(self)
            }
            fn acosh(self) -> Self {
                $functions::acosh(self)
            }
            fn atanh(self) -> Self {
                $functions::atanh(self)
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.round_ties_even()
            }
        }
    )*};
}

floats! {
    f32: f32_fns;
    f64: f64_fns;
}

#[cfg(feature = "half")]
mod sixteen_bits {
    use super::{Float, Isa};
    use crate::ops::elements::for_each_element;
    use crate::ops::elements::types::*;

    macro_rules! through_f32 {
        ($T:ident: $($name:ident)*) => {$(
            fn $name(self) -> Self {
                $T::from_f32(Float::$name(self.to_f32()))
            }
        )*};
        ($T:ident; $($(#[$doc:meta])* fn $name:ident, $of_isa:ident;)*) => {$(
            #[inline(always)]
            fn $of_isa(self, isa: Isa) -> Self {
                $T::from_f32(Float::$of_isa(self.to_f32(), isa))
            }
        )*};
    }

    macro_rules! floats {
        ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
            $( floats!(@$class $T $Other); )*
        };
        (@half $T:ident $Wide:ident) => {
            #[diagnostic::do_not_recommend]
            impl Float for $T {
                type Wide = $Wide;

                const NAN: Self = $T::NAN;
                const INFINITY: Self = $T::INFINITY;
                const MAX: Self = $T::MAX;
                const EPSILON: Self = $T::EPSILON;

                through_f32!($T: sqrt tan asin acos atan sinh cosh asinh acosh atanh floor ceil
                    round trunc reciprocal rsqrt);
                vectorised!(through_f32! $T);

                fn copysign(self, sign: Self) -> Self {
                    $T::copysign(self, sign)
                }
                fn pow_isa(self, power: Self, isa: Isa) -> Self {
                    $T::from_f32(Float::pow_isa(self.to_f32(), power.to_f32(), isa))
                }
                fn atan2(self, x: Self) -> Self {
                    $T::from_f32(self.to_f32().atan2(x.to_f32()))
                }
            }
        };
        (@$other:ident $T:ident $Other:ident) => {};
    }

    for_each_element!(floats);
}
