//! Operations on two operands that broadcast, `[..l], [..r] → [..(l ⊕ r)]`.

use super::BinaryKernel;
use super::row::impl_rows;

/// Defines what this layer makes of the rows of a group: the zero-sized types, and the trait through
/// which generic code gets at the kernels.
macro_rules! define_binary {
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
            const $Op: &'static BinaryKernel;
        )+)+}

        $($(
            #[doc = concat!("`", stringify!($name), "`")]
            pub struct $Op;
        )+)+

        impl_rows!($Kernels $($($Op = stringify!($name), $bits;)+)+);
    };
}

pub(super) use define_binary;

/// Comparisons, of all elements.
#[doc(hidden)]
#[macro_export]
macro_rules! element_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Comparisons" {
                /// Where both are equal, with a tensor or a scalar; NaN equals nothing.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// let mask = tensor![[1, 2], [3, 4]].equal(&tensor![1, 4]);
                /// assert_eq!(mask, tensor![[true, false], [false, true]]);
                /// ```
                #[doc(alias = "eq")]
                method equal: Equal -> bool {
                    cheap wraps "equal" "eq" { eq(x, y) }
                    |_isa, x, y| x == y
                }
                /// Where they differ, with a tensor or a scalar; NaN differs from everything.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 2].not_equal(1), tensor![false, true]);
                /// ```
                #[doc(alias = "ne")]
                method not_equal: NotEqual -> bool {
                    cheap wraps "not_equal" "ne" { ne(x, y) }
                    |_isa, x, y| x != y
                }
                /// Where `self < other`, with a tensor or a scalar; `false` with NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 2].less(2), tensor![true, false]);
                /// ```
                #[doc(alias = "lt")]
                method less: Less -> bool {
                    cheap own "less" "lt" { lt(x, y) }
                    |_isa, x, y| x < y
                }
                /// Where `self <= other`, with a tensor or a scalar; `false` with NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 2].less_equal(1), tensor![true, false]);
                /// ```
                #[doc(alias = "le")]
                method less_equal: LessEqual -> bool {
                    cheap own "less_equal" "le" { le(x, y) }
                    |_isa, x, y| x <= y
                }
                /// Where `self > other`, with a tensor or a scalar; `false` with NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 2].greater(1), tensor![false, true]);
                /// ```
                #[doc(alias = "gt")]
                method greater: Greater -> bool {
                    cheap own "greater" "gt" { gt(x, y) }
                    |_isa, x, y| x > y
                }
                /// Where `self >= other`, with a tensor or a scalar; `false` with NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 2].greater_equal(2), tensor![false, true]);
                /// ```
                #[doc(alias = "ge")]
                method greater_equal: GreaterEqual -> bool {
                    cheap own "greater_equal" "ge" { ge(x, y) }
                    |_isa, x, y| x >= y
                }
            }
        }
    };
}

/// Operations on numbers. The operators have the names of the traits in `core::ops`.
#[doc(hidden)]
#[macro_export]
macro_rules! number_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Arithmetic" {
                /// `self + other`
                operator add: Add -> T {
                    cheap wraps "add" "add" { add(x, y) }
                    |_isa, x, y| x.add(y)
                }
                /// `self - other`
                operator sub: Sub -> T {
                    cheap wraps "subtract" "sub" { subtract(x, y) }
                    |_isa, x, y| x.sub(y)
                }
                /// `self * other`
                operator mul: Mul -> T {
                    cheap wraps "multiply" "mul" { multiply(x, y) }
                    |_isa, x, y| x.mul(y)
                }
                /// `self / other`; integers round toward zero.
                operator div: Div -> T {
                    cheap divides "divide" "div" { divide(x, y) }
                    |_isa, x, y| x.div(y)
                }
                /// The remainder of `self / other` rounded toward zero.
                operator rem: Rem -> T {
                    scalar divides "fmod" "fmod" { remainder(x, y) }
                    |_isa, x, y| x.rem(y)
                }
                /// The quotients rounded toward minus infinity, with a tensor or a scalar, as NumPy's and
                /// PyTorch's `floor_divide`.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If an integer is divided by zero, or a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![7, -7].floor_divide(2), tensor![3, -4]);
                /// ```
                #[doc(alias = "div_euclid")]
                method floor_divide: FloorDivide -> T {
                    scalar divides "floor_divide" "floor_divide"
                    { let r = remainder(x, y); let q = subtract(divide(subtract(x, r), y), like(and(ne(r, 0), ne(lt(r, 0), lt(y, 0))))); let w = floor(q); select(eq(y, 0), divide(x, y), select(eq(q, 0), multiply(0, divide(x, y)), select(gt(subtract(q, w), 0.5), add(w, 1), w))) }
                    |_isa, x, y| x.floor_divide(y)
                }
                /// The remainders of [`floor_divide`](Self::floor_divide), with the sign of the divisor, as
                /// NumPy's and PyTorch's `remainder`. The operator `%` has the sign of the dividend, as in
                /// Rust.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If an integer is divided by zero, or a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![7, -7].remainder(3), tensor![1, 2]);
                /// assert_eq!(tensor![7, -7] % 3, tensor![1, -1]);
                /// ```
                #[doc(alias = "mod")]
                #[doc(alias = "rem_euclid")]
                method remainder: Remainder -> T {
                    scalar divides "remainder" "remainder"
                    { let r = remainder(x, y); select(eq(r, 0), select(lt(y, 0), -0.0, 0), select(ne(lt(r, 0), lt(y, 0)), add(r, y), r)) }
                    |_isa, x, y| x.remainder(y)
                }
            }
            topic "Minimum and maximum of two" {
                /// The smaller elements, with a tensor or a scalar; NaN if either is NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![1, 5].minimum(&tensor![[2], [7]]), tensor![[1, 2], [1, 5]]);
                /// ```
                method minimum: Minimum -> T {
                    cheap own "minimum" "minimum" { minimum(x, y) }
                    |_isa, x, y| x.minimum(y)
                }
                /// The larger elements, with a tensor or a scalar; NaN if either is NaN.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![-1.0, 5.0].maximum(0.0), tensor![0.0, 5.0]);
                /// ```
                method maximum: Maximum -> T {
                    cheap own "maximum" "maximum" { maximum(x, y) }
                    |_isa, x, y| x.maximum(y)
                }
            }
        }
    };
}

/// Operations on bits.
#[doc(hidden)]
#[macro_export]
macro_rules! bits_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Bits" {
                /// `self & other`
                operator bitand: BitAnd -> T {
                    cheap wraps "bitwise_and" "bitwise_and" { and(x, y) }
                    |_isa, x, y| x.and(y)
                }
                /// `self | other`
                operator bitor: BitOr -> T {
                    cheap wraps "bitwise_or" "bitwise_or" { or(x, y) }
                    |_isa, x, y| x.or(y)
                }
                /// `self ^ other`
                operator bitxor: BitXor -> T {
                    cheap wraps "bitwise_xor" "bitwise_xor" { xor(x, y) }
                    |_isa, x, y| x.xor(y)
                }
            }
        }
    };
}

/// Operations on integers.
#[doc(hidden)]
#[macro_export]
macro_rules! integer_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Bits" {
                /// `self << other`; 0 where `other` is negative or at least the number of bits.
                operator shl: Shl -> T {
                    cheap own "left_shift" "bitwise_left_shift" { shift_left(x, y) }
                    |_isa, x, y| x.shift_left(y)
                }
                /// `self >> other`, keeping the sign.
                operator shr: Shr -> T {
                    cheap own "right_shift" "bitwise_right_shift" { shift_right(x, y) }
                    |_isa, x, y| x.shift_right(y)
                }
            }
        }
    };
}

/// Operations on floats.
#[doc(hidden)]
#[macro_export]
macro_rules! float_binary {
    ($then:ident! $with:tt) => {
        $then! { $with
            topic "Powers and angles" {
                /// `self` raised to the power `other`, a tensor or a scalar.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![2.0, 3.0].pow(&tensor![[1.0], [2.0]]), tensor![[2.0, 3.0], [4.0, 9.0]]);
                /// ```
                #[doc(alias = "powf")]
                #[doc(alias = "power")]
                method pow: Pow -> T {
                    costly own "power" "pow" { power(x, y) }
                    |isa, x, y| x.pow_isa(y, isa)
                }
                /// The angle of the point (`other`, `self`) in radians, from -π to π.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![0.0].atan2(1.0), tensor![0.0]);
                /// ```
                #[doc(alias = "arctan2")]
                method atan2: Atan2 -> T {
                    scalar own "atan2" "atan2" { atan2(x, y) }
                    |_isa, x, y| x.atan2(y)
                }
                /// `√(x² + y²)` without overflow on the way, of `self` and `other`, a tensor or a scalar.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// Infinite where one side is, even if the other is NaN, as in C and NumPy.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// assert_eq!(tensor![3.0, 5.0].hypot(&tensor![4.0, 12.0]), tensor![5.0, 13.0]);
                /// ```
                method hypot: Hypot -> T {
                    scalar own "hypot" "hypot" { let a = maximum(abs(x), abs(y)); let b = minimum(abs(x), abs(y)); let r = divide(b, a); let h = select(eq(a, 0), a, multiply(a, sqrt(add(1, multiply(r, r))))); select(or(eq(abs(x), INFINITY), eq(abs(y), INFINITY)), INFINITY, h) }
                    |_isa, x, y| T::from_f64(x.to_f64().hypot(y.to_f64()))
                }
                /// `ln(e^x + e^y)` without overflow on the way, of `self` and `other`, a tensor or a scalar:
                /// the sum of two probabilities that are given by their logarithms.
                /// `[..l], [..r] → [..(l ⊕ r)]`.
                ///
                /// # Panics
                ///
                /// If a named axis has different sizes on the two sides.
                ///
                /// ```
                /// # use tensor_core::tensor;
                /// let halves = tensor![0.5, 0.0].ln().logaddexp(&tensor![0.5, 0.25].ln());
                /// assert!(halves.all_close(&tensor![1.0, 0.25].ln(), 1e-12, 1e-12));
                /// ```
                method logaddexp: LogAddExp -> T {
                    costly own "logaddexp" "logaddexp" { let apart = select(eq(x, y), 0, abs(subtract(x, y))); add(maximum(x, y), log_plus_one(exponential(negate(apart)))) }
                    |isa, x, y| {
                        // Infinities that are equal have no difference.
                        let apart = if x == y { T::ZERO } else { x.sub(y).abs() };
                        let ratio = T::ZERO.sub(apart).exp_isa(isa);
                        x.maximum(y).add(ratio.ln_1p_isa(isa))
                    }
                }
            }
        }
    };
}

pub use {bits_binary, element_binary, float_binary, integer_binary, number_binary};

element_binary!(define_binary! [
    /// The kernels of operations on two operands of any elements.
    ElementBinary
]);
number_binary!(define_binary! [
    /// The kernels of operations on two operands of numbers.
    NumberBinary
]);
bits_binary!(define_binary! [
    /// The kernels of operations on two operands of bits.
    BitsBinary
]);
integer_binary!(define_binary! [
    /// The kernels of operations on two operands of integers.
    IntegerBinary
]);
float_binary!(define_binary! [
    /// The kernels of operations on two operands of floats.
    FloatBinary
]);
