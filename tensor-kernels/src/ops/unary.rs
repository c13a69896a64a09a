//! Operations on one operand, `[..s] → [..s]`.

use super::UnaryKernel;
use super::row::impl_rows;

/// Defines what this layer makes of the rows of a group: the zero-sized types, and the trait through
/// which generic code gets at the kernels.
macro_rules! define_unary {
    ([$(#[$doc:meta])* $Kernels:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $($row:tt)*
        }
    )+})+) => {
        $(#[$doc])*
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "each constant has the name of its operation")]
        pub trait $Kernels {$($(
            #[doc = concat!("`", stringify!($name), "`")]
            const $Op: &'static UnaryKernel;
        )+)+}

        $($(
            #[doc = concat!("`", stringify!($name), "`")]
            pub struct $Op;
        )+)+

        impl_rows!($Kernels $($($Op = stringify!($name), $bits;)+)+);
    };
}

/// Operations on numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! number_unary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Absolute value, sign and square" {
                /// Element-wise absolute values, `[..s] → [..s]`. The smallest integer of a type stays as it
                /// is.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![-1.5, 2.0].abs(), tensor![1.5, 2.0]);
                /// ```
                #[doc(alias = "absolute")]
                method abs: Abs -> T {
                    cheap own "abs" "abs" { abs(x) }
                    |_isa, x| Number::abs(x)
                }
                /// Element-wise signs, -1, 0 or 1, `[..s] → [..s]`. NaN for NaN, as NumPy.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![-7, 0, 3].sign(), tensor![-1, 0, 1]);
                /// ```
                #[doc(alias = "signum")]
                method sign: Sign -> T {
                    cheap own "sign" "sign" { sign(x) }
                    |_isa, x| Number::sign(x)
                }
                /// Element-wise squares, `x · x`, `[..s] → [..s]`. Integers wrap around on overflow.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![3, -4].square(), tensor![9, 16]);
                /// ```
                method square: Square -> T {
                    cheap wraps "square" "square" { multiply(x, x) }
                    |_isa, x| x.mul(x)
                }
            }
            topic "Tests of elements" {
                /// Which elements are NaN, `[..s] → [..s]`; none of integers.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.0, f64::NAN].is_nan(), tensor![false, true]);
                /// ```
                #[doc(alias = "isnan")]
                method is_nan: IsNan -> bool {
                    cheap wraps "isnan" "isnan" { ne(x, x) }
                    |_isa, x| Number::is_nan(x)
                }
                /// Which elements are neither NaN nor infinite, `[..s] → [..s]`; all integers.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.0, f64::INFINITY].is_finite(), tensor![true, false]);
                /// ```
                #[doc(alias = "isfinite")]
                method is_finite: IsFinite -> bool {
                    cheap wraps "isfinite" "isfinite" { is_finite(x) }
                    |_isa, x| Number::is_finite(x)
                }
            }
        }
    };
}

/// Operations on numbers that can be negative.
#[doc(hidden)]
#[macro_export]
macro_rules! signed_unary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Negation" {
                /// Element-wise negation, as unary minus, `[..s] → [..s]`. The smallest integer of a type
                /// stays as it is.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, -2].neg(), tensor![-1, 2]);
                /// ```
                #[doc(alias = "negative")]
                method neg: Negate -> T {
                    cheap own "negative" "neg" { negate(x) }
                    |_isa, x| Signed::neg(x)
                }
            }
        }
    };
}

/// Operations on bits.
#[doc(hidden)]
#[macro_export]
macro_rules! bits_unary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Bits" {
                /// Element-wise complement, as the operator `!`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![true, false].not(), tensor![false, true]);
                /// ```
                #[doc(alias = "logical_not")]
                #[doc(alias = "bitwise_not")]
                #[doc(alias = "invert")]
                method not: Not -> T {
                    cheap wraps "bitwise_not" "bitwise_not" { not(x) }
                    |_isa, x| Bits::not(x)
                }
            }
        }
    };
}

/// Operations on floats.
#[doc(hidden)]
#[macro_export]
macro_rules! float_unary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Exponentials and logarithms" {
                /// Element-wise `e^x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0, f64::NEG_INFINITY].exp(), tensor![1.0, 0.0]);
                /// ```
                method exp: Exp -> T {
                    costly own "exp" "exp" { exponential(x) }
                    |isa, x| x.exp_isa(isa)
                }
                /// Element-wise `e^x - 1`, exact near 0, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1e-20].exp_m1(), tensor![1e-20]);
                /// ```
                #[doc(alias = "expm1")]
                method exp_m1: ExpM1 -> T {
                    costly own "expm1" "expm1" { exponential_minus_one(x) }
                    |isa, x| x.exp_m1_isa(isa)
                }
                /// Element-wise natural logarithm, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.0, 0.0].ln(), tensor![0.0, f64::NEG_INFINITY]);
                /// ```
                #[doc(alias = "log")]
                method ln: Ln -> T {
                    costly own "log" "log" { log(x) }
                    |isa, x| x.ln_isa(isa)
                }
                /// Element-wise `ln(1 + x)`, exact near 0, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1e-20].ln_1p(), tensor![1e-20]);
                /// ```
                #[doc(alias = "log1p")]
                method ln_1p: Ln1p -> T {
                    costly own "log1p" "log1p" { log_plus_one(x) }
                    |isa, x| x.ln_1p_isa(isa)
                }
                /// Element-wise `2^x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![3.0, -1.0].exp2(), tensor![8.0, 0.5]);
                /// ```
                method exp2: Exp2 -> T {
                    scalar own "exp2" "exp2" { exponential(multiply(x, LN_2)) }
                    |_isa, x| T::from_f64(x.to_f64().exp2())
                }
                /// Element-wise logarithm to base 2, `[..s] → [..s]`; exact for powers of 2.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![8.0, 0.5].log2(), tensor![3.0, -1.0]);
                /// ```
                method log2: Log2 -> T {
                    scalar own "log2" "log2" { divide(log(x), LN_2) }
                    |_isa, x| T::from_f64(x.to_f64().log2())
                }
                /// Element-wise logarithm to base 10, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1000.0, 1.0].log10(), tensor![3.0, 0.0]);
                /// ```
                method log10: Log10 -> T {
                    scalar own "log10" "log10" { divide(log(x), LN_10) }
                    |_isa, x| T::from_f64(x.to_f64().log10())
                }
            }
            topic "Roots and powers" {
                /// Element-wise square roots, `[..s] → [..s]`; NaN for negative elements.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![4.0, 9.0].sqrt(), tensor![2.0, 3.0]);
                /// ```
                method sqrt: Sqrt -> T {
                    cheap own "sqrt" "sqrt" { sqrt(x) }
                    |_isa, x| x.sqrt()
                }
                /// Element-wise `1 / √x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![4.0, 16.0].rsqrt(), tensor![0.5, 0.25]);
                /// ```
                method rsqrt: Rsqrt -> T {
                    cheap own "" "rsqrt" { rsqrt(x) }
                    |_isa, x| x.rsqrt()
                }
                /// Element-wise `1 / x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![4.0, -2.0].reciprocal(), tensor![0.25, -0.5]);
                /// ```
                #[doc(alias = "recip")]
                method reciprocal: Reciprocal -> T {
                    cheap own "reciprocal" "reciprocal" { divide(1, x) }
                    |_isa, x| x.reciprocal()
                }
            }
            topic "Trigonometric functions" {
                /// Element-wise sine of angles in radians, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].sin(), tensor![0.0]);
                /// ```
                method sin: Sin -> T {
                    costly own "sin" "sin" { sine(x) }
                    |isa, x| x.sin_isa(isa)
                }
                /// Element-wise cosine of angles in radians, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].cos(), tensor![1.0]);
                /// ```
                method cos: Cos -> T {
                    costly own "cos" "cos" { cosine(x) }
                    |isa, x| x.cos_isa(isa)
                }
                /// Element-wise tangent of angles in radians, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].tan(), tensor![0.0]);
                /// ```
                method tan: Tan -> T {
                    scalar own "tan" "tan" { divide(sine(x), cosine(x)) }
                    |_isa, x| x.tan()
                }
                /// Element-wise inverse sine in radians, `[..s] → [..s]`; NaN outside -1 to 1.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].asin(), tensor![0.0]);
                /// ```
                #[doc(alias = "arcsin")]
                method asin: Asin -> T {
                    scalar own "asin" "asin" { multiply(2, atan2(x, add(1, sqrt(multiply(subtract(1, x), add(1, x)))))) }
                    |_isa, x| x.asin()
                }
                /// Element-wise inverse cosine in radians, `[..s] → [..s]`; NaN outside -1 to 1.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.0].acos(), tensor![0.0]);
                /// ```
                #[doc(alias = "arccos")]
                method acos: Acos -> T {
                    scalar own "acos" "acos" { multiply(2, atan2(sqrt(subtract(1, x)), sqrt(add(1, x)))) }
                    |_isa, x| x.acos()
                }
                /// Element-wise inverse tangent in radians, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].atan(), tensor![0.0]);
                /// ```
                #[doc(alias = "arctan")]
                method atan: Atan -> T {
                    scalar own "atan" "atan" { atan2(x, 1) }
                    |_isa, x| x.atan()
                }
            }
            topic "Hyperbolic functions" {
                /// Element-wise hyperbolic sine, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].sinh(), tensor![0.0]);
                /// ```
                method sinh: Sinh -> T {
                    scalar own "sinh" "sinh" { let a = abs(x); let m = exponential_minus_one(a); let s = multiply(0.5, add(m, divide(m, add(m, 1)))); multiply(sign(x), select(gt(a, 20), exponential(subtract(a, LN_2)), s)) }
                    |_isa, x| x.sinh()
                }
                /// Element-wise hyperbolic cosine, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].cosh(), tensor![1.0]);
                /// ```
                method cosh: Cosh -> T {
                    scalar own "cosh" "cosh" { let e = exponential(subtract(abs(x), LN_2)); add(e, divide(0.25, e)) }
                    |_isa, x| x.cosh()
                }
                /// Element-wise hyperbolic tangent, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0, f64::INFINITY].tanh(), tensor![0.0, 1.0]);
                /// ```
                method tanh: Tanh -> T {
                    costly own "tanh" "tanh" { tanh(x) }
                    |isa, x| x.tanh_isa(isa)
                }
                /// Element-wise inverse hyperbolic sine, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].asinh(), tensor![0.0]);
                /// ```
                #[doc(alias = "arcsinh")]
                method asinh: Asinh -> T {
                    scalar own "asinh" "asinh" { let a = abs(x); let s = log_plus_one(add(a, divide(multiply(a, a), add(1, sqrt(add(multiply(a, a), 1)))))); multiply(sign(x), select(gt(a, 1e18), add(log(a), LN_2), s)) }
                    |_isa, x| x.asinh()
                }
                /// Element-wise inverse hyperbolic cosine, `[..s] → [..s]`; NaN below 1.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.0].acosh(), tensor![0.0]);
                /// ```
                #[doc(alias = "arccosh")]
                method acosh: Acosh -> T {
                    scalar own "acosh" "acosh" { let s = log(add(x, multiply(sqrt(subtract(x, 1)), sqrt(add(x, 1))))); select(gt(x, 1e18), add(log(x), LN_2), s) }
                    |_isa, x| x.acosh()
                }
                /// Element-wise inverse hyperbolic tangent, `[..s] → [..s]`; NaN outside -1 to 1.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].atanh(), tensor![0.0]);
                /// ```
                #[doc(alias = "arctanh")]
                method atanh: Atanh -> T {
                    scalar own "atanh" "atanh" { multiply(0.5, subtract(log_plus_one(x), log_plus_one(negate(x)))) }
                    |_isa, x| x.atanh()
                }
            }
            topic "Activation functions" {
                /// Element-wise error function, `2/√π ∫₀ˣ e^(-t²) dt`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0, f64::INFINITY].erf(), tensor![0.0, 1.0]);
                /// ```
                method erf: Erf -> T {
                    costly own "" "erf" { erf(x) }
                    |isa, x| x.erf_isa(isa)
                }
                /// Element-wise logistic function, `1 / (1 + e^-x)`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].sigmoid(), tensor![0.5]);
                /// ```
                #[doc(alias = "expit")]
                #[doc(alias = "logistic")]
                method sigmoid: Sigmoid -> T {
                    costly own "" "sigmoid" { logistic(x) }
                    |isa, x| x.sigmoid_isa(isa)
                }
                /// Element-wise `max(x, 0)`, `[..s] → [..s]`; NaN for NaN.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![-1.0, 2.0].relu(), tensor![0.0, 2.0]);
                /// ```
                method relu: Relu -> T {
                    cheap own "" "relu" { maximum(x, 0) }
                    |_isa, x| x.relu()
                }
                /// Element-wise `x · Φ(x)` with the normal distribution function Φ, `[..s] → [..s]`
                /// ([Hendrycks and Gimpel, 2016](https://arxiv.org/abs/1606.08415)). Its
                /// approximation by tanh is [`gelu_tanh`](Self::gelu_tanh).
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert!(tensor![1.0].gelu().all_close(&tensor![0.8413447460685429], 1e-12, 0.0));
                /// ```
                method gelu: Gelu -> T {
                    costly own "" "nn.functional.gelu" { let a = maximum(x, -1e18); multiply(multiply(0.5, a), add(1, erf(multiply(a, FRAC_1_SQRT_2)))) }
                    |isa, x| x.gelu_isa(isa)
                }
                /// Element-wise `x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))`, `[..s] → [..s]`: the
                /// approximation of [`gelu`](Self::gelu) from the same paper.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert!(tensor![1.0].gelu_tanh().all_close(&tensor![0.8411919906082768], 1e-12, 0.0));
                /// ```
                method gelu_tanh: GeluTanh -> T {
                    costly own "" "nn.functional.gelu" { let a = maximum(x, -1e18); multiply(a, logistic(multiply(multiply(a, add(multiply(multiply(a, a), 0.044715), 1)), 1.5957691216057308))) }
                    |isa, x| x.gelu_tanh_isa(isa)
                }
                /// Element-wise `x · sigmoid(x)`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].silu(), tensor![0.0]);
                /// ```
                #[doc(alias = "swish")]
                method silu: Silu -> T {
                    costly own "" "nn.functional.silu" { let a = maximum(x, -1e18); multiply(a, logistic(a)) }
                    |isa, x| x.silu_isa(isa)
                }
                /// Element-wise `ln(1 + e^x)` without overflow, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1000.0].softplus(), tensor![1000.0]);
                /// ```
                method softplus: Softplus -> T {
                    costly own "" "nn.functional.softplus" { add(maximum(x, 0), log_plus_one(exponential(negate(abs(x))))) }
                    |isa, x| x.softplus_isa(isa)
                }
            }
            topic "Rounding" {
                /// Element-wise largest integer not above `x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.5, -1.5].floor(), tensor![1.0, -2.0]);
                /// ```
                method floor: Floor -> T {
                    cheap own "floor" "floor" { floor(x) }
                    |_isa, x| x.floor()
                }
                /// Element-wise smallest integer not below `x`, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.5, -1.5].ceil(), tensor![2.0, -1.0]);
                /// ```
                method ceil: Ceil -> T {
                    cheap own "ceil" "ceil" { ceil(x) }
                    |_isa, x| x.ceil()
                }
                /// Element-wise nearest integer, ties to even as NumPy and PyTorch,
                /// `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.5, 1.5, -1.6].round(), tensor![0.0, 2.0, -2.0]);
                /// ```
                #[doc(alias = "rint")]
                method round: Round -> T {
                    cheap own "round" "round" { round_nearest_even(x) }
                    |_isa, x| x.round()
                }
                /// Element-wise integer toward zero, `[..s] → [..s]`.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1.5, -1.5].trunc(), tensor![1.0, -1.0]);
                /// ```
                #[doc(alias = "fix")]
                method trunc: Trunc -> T {
                    cheap own "trunc" "trunc" { multiply(sign(x), floor(abs(x))) }
                    |_isa, x| x.trunc()
                }
            }
        }
    };
}

pub use {bits_unary, float_unary, number_unary, signed_unary};

number_unary!(define_unary! [
    /// The kernels of operations on one operand of numbers.
    NumberUnary
]);
signed_unary!(define_unary! [
    /// The kernels of operations on one operand of numbers that can be negative.
    SignedUnary
]);
bits_unary!(define_unary! [
    /// The kernels of operations on one operand of bits.
    BitsUnary
]);
float_unary!(define_unary! [
    /// The kernels of operations on one operand of floats.
    FloatUnary
]);
