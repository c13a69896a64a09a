//! Exponentials, logarithms and functions composed of them, for `f32` and `f64`.

/// A module of functions of one type. Its constants come from `tools/minimax.py`.
macro_rules! functions {
    (
        $(#[$doc:meta])*
        $module:ident: $F:ident, $U:ident, $I:ident;
        largest $largest:literal, smallest $smallest:literal, minus_one $minus_one:literal;
        scale $scale:literal, is_one $is_one:literal;
        tanh_is_near $tanh_is_near:literal, tanh_is_one $tanh_is_one:literal;
        ln_2 $ln_2_head:literal + $ln_2_tail:literal;
        gelu_is_zero $gelu_is_zero:literal, gelu_is_x $gelu_is_x:literal;
        gelu_1 $gelu_1_head:literal + $gelu_1_tail:literal;
        gelu_3 $gelu_3_head:literal + $gelu_3_tail:literal;
        exp $exp:expr;
        exp2 $exp2:expr;
        ln $ln:expr;
        tanh $tanh:expr;
    ) => {
        $(#[$doc])*
        pub(in crate::element) mod $module {
            use core::$F::consts::{LN_2, LOG2_E, SQRT_2};

            use crate::element::Isa;

            const DIGITS: u32 = $F::MANTISSA_DIGITS - 1;
            const BIAS: $I = $F::MAX_EXP as $I - 1;
            const FRACTION: $U = (1 << DIGITS) - 1;

            /// The magic number `1.5 · 2^digits`: adding it rounds to the nearest integer, in the low
            /// bits of the sum.
            const ROUND_MAGIC: $F = 1.5 * (1_u64 << DIGITS) as $F;

            /// `ROUND_MAGIC`, offset so that the low bits of the sum are the integer plus twice the bias.
            const TO_BIASED: $F = ROUND_MAGIC + (2 * BIAS) as $F;

            /// Lower end of the reduced significand, between √½ and √2: so logarithms near 1 do not
            /// cancel with that of the exponent.
            const ROOT: $U = core::$F::consts::FRAC_1_SQRT_2.to_bits();

            /// Keeps the sum of 1 and a power of 2 in the range of normal numbers.
            const SCALE: $F = $F::from_bits((BIAS as $U - $scale) << DIGITS);

            /// `ROUND_MAGIC`, offset so that the low bits of the sum are the exponent of `SCALE · 2^n`.
            const TO_SCALED: $F = ROUND_MAGIC + (BIAS - $scale) as $F;

            const EXP: [$F; $exp.len()] = $exp;
            const EXP2: [$F; $exp2.len()] = $exp2;
            const LN: [$F; $ln.len()] = $ln;
            const TANH: [$F; $tanh.len()] = $tanh;

            /// The smaller number; `x` if it is NaN.
            #[inline(always)]
            fn clamp_max(x: $F, bound: $F) -> $F {
                if x > bound { bound } else { x }
            }

            /// The larger number; `x` if it is NaN.
            #[inline(always)]
            fn clamp_min(x: $F, bound: $F) -> $F {
                if x < bound { bound } else { x }
            }

            #[inline(always)]
            pub(in crate::element::math) fn int_to_float(n: $I) -> $F {
                $F::from_bits((ROUND_MAGIC.to_bits() as $I).wrapping_add(n) as $U) - ROUND_MAGIC
            }

            /// `e^r - 1`, for `|r| ≤ ln 2 / 2`.
            #[inline(always)]
            fn exp_m1_near_0(isa: Isa, r: $F) -> $F {
                isa.mul_add(r * r, polynomial!(isa, r, EXP), r)
            }

            /// `2^n` as two factors, from `n + TO_BIASED`: `2^n` itself may be out of range.
            #[inline(always)]
            fn split_pow2(shifted: $F) -> ($F, $F) {
                let half = shifted.to_bits() >> 1;
                let other = shifted.to_bits() - half;
                ($F::from_bits(half << DIGITS), $F::from_bits(other << DIGITS))
            }

            /// `e^(x + tail) = (1 + m) a b`: `(m, its rounding error, [a, b])`, where `a` and `b`
            /// are powers of two, for small `tail`.
            #[inline(always)]
            pub(in crate::element::math) fn exp_extended(
                isa: Isa,
                x: $F,
                tail: $F,
            ) -> ($F, $F, [$F; 2]) {
                let shifted = isa.mul_add(x, LOG2_E, TO_BIASED);
                let n = shifted - TO_BIASED;
                let rest = isa.mul_add(n, -$ln_2_head, x);
                let tail = isa.mul_add(n, -$ln_2_tail, tail);
                let r = rest + tail;
                let more = r * r * polynomial!(isa, r, EXP);
                let m = r + more;
                let (a, b) = split_pow2(shifted);
                (m, (more - (m - r)) + ((rest - r) + tail), [a, b])
            }

            #[inline(always)]
            pub(in crate::element) fn exp(isa: Isa, x: $F) -> $F {
                let x = clamp_min(clamp_max(x, $largest), $smallest);
                let shifted = isa.mul_add(x, LOG2_E, TO_BIASED);
                let n = shifted - TO_BIASED;
                // The product with the high part of ln 2 is exact.
                let r = isa.mul_add(n, -$ln_2_tail, isa.mul_add(n, -$ln_2_head, x));
                let (power, rest) = split_pow2(shifted);
                isa.mul_add(exp_m1_near_0(isa, r), power, power) * rest
            }

            #[inline(always)]
            pub(in crate::element) fn exp_m1(isa: Isa, x: $F) -> $F {
                let bounded = clamp_min(clamp_max(x, $largest), $minus_one);
                // -0 is the identity of addition.
                let (m, lost, [power, rest]) = exp_extended(isa, bounded, -0.0);
                // The biased exponents of `rest` and its inverse add up to twice the bias.
                let one = ((2 * BIAS) as $U) << DIGITS;
                let inverse = $F::from_bits(one.wrapping_sub(rest.to_bits()));
                let whole = isa.mul_add(lost, power, power - inverse);
                let result = isa.mul_add(m, power, whole) * rest;
                // Zero keeps its sign.
                if x == 0.0 { x } else { result }
            }

            /// `SCALE · (1 + e^x)`, for powers of 2 from `-BIAS / 2` up.
            #[inline(always)]
            fn one_plus_exp(isa: Isa, x: $F) -> $F {
                let shifted = isa.mul_add(x, LOG2_E, TO_SCALED);
                let n = shifted - TO_SCALED;
                // The product with the high part of ln 2 is exact.
                let r = isa.mul_add(n, -$ln_2_tail, isa.mul_add(n, -$ln_2_head, x));
                // SCALE · 2^n: the last bits are those of the exponent.
                let power = $F::from_bits(shifted.to_bits() << DIGITS);
                // FastTwoSum: the sum is inexact only where the magnitudes differ much.
                let sum = power + SCALE;
                let lost = SCALE - (sum - power);
                sum + isa.mul_add(power, exp_m1_near_0(isa, r), lost)
            }

            #[inline(always)]
            pub(in crate::element) fn sigmoid(isa: Isa, x: $F) -> $F {
                SCALE / one_plus_exp(isa, -clamp_max(clamp_min(x, $smallest), $is_one))
            }

            #[inline(always)]
            pub(in crate::element) fn silu(isa: Isa, x: $F) -> $F {
                // Below this bound, e^x · x rounds to 0.
                let x = clamp_min(x, $smallest - 8.0);
                let result = x / one_plus_exp(isa, -x) * SCALE;
                // Above this bound, the power of 2 is out of range.
                if x > $is_one { x } else { result }
            }

            /// `x / (1 + 2^w)`, `w = -2 √(2/π) log₂ e (x + 0.044715 x³) = x (k₁ + k₃ x²)`.
            ///
            /// For negative `x`, the relative error of the result is the absolute error of `w`, which is
            /// large. So each step keeps its rounding error. The head of `k₁` is so short that the sum
            /// with `k₃ x²`, less `k₁`, is exact. A power of 2 needs no product to reduce its argument.
            #[inline(always)]
            pub(in crate::element) fn gelu_tanh(isa: Isa, x: $F) -> $F {
                let is_zero = x < $gelu_is_zero;
                let x = clamp_min(x, $gelu_is_zero);
                let (square, lost) = isa.product(x, x);
                let (slope, lost_of_slope) =
                    isa.two_mul_add(square, $gelu_3_head, $gelu_1_head);
                let small = isa.mul_add(square, $gelu_3_tail, $gelu_1_tail);
                let small = isa.mul_add(lost, $gelu_3_head, small) + lost_of_slope;
                let (w, lost) = isa.product(x, slope);
                let tail = isa.mul_add(x, small, lost);
                let shifted = w + TO_SCALED;
                let r = (w - (shifted - TO_SCALED)) + tail;
                // SCALE · 2^n: the last bits are those of the exponent.
                let power = $F::from_bits(shifted.to_bits() << DIGITS);
                let rest = isa.mul_add(r, polynomial!(isa, r, EXP2), LN_2);
                let result = x / (isa.mul_add(power * r, rest, SCALE) + power) * SCALE;
                // Above this bound, the steps above are out of range.
                let result = if x > $gelu_is_x { x } else { result };
                if is_zero { -0.0 } else { result }
            }

            /// Near 0 `x + x³ TANH(x²)`, else `1 - 2 / (1 + e^2x)`.
            #[inline(always)]
            pub(in crate::element) fn tanh(isa: Isa, x: $F) -> $F {
                const TO_EXPONENT: $F = ROUND_MAGIC + BIAS as $F;
                let size = clamp_max(x.abs(), $tanh_is_one);
                let double = size + size;
                let shifted = isa.mul_add(double, LOG2_E, TO_EXPONENT);
                // The rounding error of ln 2 matters less, the larger x is.
                let r = isa.mul_add(shifted - TO_EXPONENT, -LN_2, double);
                let power = $F::from_bits(shifted.to_bits() << DIGITS);
                let far = 1.0 - 2.0 / isa.mul_add(power, exp_m1_near_0(isa, r), power + 1.0);
                let square = size * size;
                let near = isa.mul_add(size * square, polynomial!(isa, square, TANH), size);
                (if size < $tanh_is_near { near } else { far }).copysign(x)
            }

            /// `k ln 2 + ln(1 + f) + c`, for `√½ ≤ 1 + f ≤ √2` and small `c`: with
            /// `s = f / (2 + f)`, `ln(1 + f) = 2 atanh s = f - f²/2 + s (f²/2 + s² LN(s²))`.
            #[inline(always)]
            fn ln_reduced(isa: Isa, k: $F, f: $F, c: $F) -> $F {
                let s = f / (2.0 + f);
                let z = s * s;
                let half = 0.5 * f * f;
                let small = isa.mul_add(k, $ln_2_tail, c);
                let rest = isa.mul_add(s, isa.mul_add(z, polynomial!(isa, z, LN), half), small);
                // The product with the high part of ln 2 is exact.
                isa.mul_add(k, $ln_2_head, f - (half - rest))
            }

            /// `x = (1 + f) · 2^k`: `(f, k)`, for normal `x`.
            #[inline(always)]
            fn significand(x: $F) -> ($F, $I) {
                let bits = x.to_bits().wrapping_sub(ROOT);
                let k = (bits as $I) >> DIGITS;
                let f = $F::from_bits((bits & FRACTION) + ROOT) - 1.0;
                (f, k)
            }

            /// `result` for positive finite `x`, else the special values of a logarithm.
            #[inline(always)]
            fn ln_or_special(x: $F, result: $F) -> $F {
                let special = if x == 0.0 {
                    $F::NEG_INFINITY
                } else if x > 0.0 {
                    x
                } else {
                    $F::NAN
                };
                if x > 0.0 && x < $F::INFINITY { result } else { special }
            }

            #[inline(always)]
            pub(in crate::element) fn ln(isa: Isa, x: $F) -> $F {
                const UP: $I = DIGITS as $I + 2;
                const SCALE: $F = (1_u64 << UP) as $F;
                let subnormal = x < $F::MIN_POSITIVE;
                let (f, k) = significand(if subnormal { x * SCALE } else { x });
                let k = if subnormal { k.wrapping_sub(UP) } else { k };
                ln_or_special(x, ln_reduced(isa, int_to_float(k), f, 0.0))
            }

            #[inline(always)]
            pub(in crate::element) fn ln_1p(isa: Isa, x: $F) -> $F {
                // -0 is the identity of addition.
                ln_1p_of_sum(isa, x, -0.0)
            }

            /// `ln(1 + x + tail)`, for a `tail` that is at most a rounding error of `x`.
            #[inline(always)]
            pub(in crate::element::math) fn ln_1p_of_sum(isa: Isa, x: $F, tail: $F) -> $F {
                let sum = 1.0 + x;
                let near = x > -0.29 && x < 0.41;
                let (f, k) = significand(sum);
                // The rounding error of `sum`.
                let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
                let result = ln_reduced(
                    isa,
                    if near { 0.0 } else { int_to_float(k) },
                    if near { x } else { f },
                    (if near { tail } else { lost + tail }) / sum,
                );
                if x == 0.0 { x } else { ln_or_special(sum, result) }
            }

            /// `power`, which is `|x|^y`, or the special values of C's `pow`.
            #[inline(always)]
            pub(in crate::element::math) fn power_or_special(x: $F, y: $F, power: $F) -> $F {
                // 1 to any power, -1 to an infinite one.
                let power = if x.abs() == 1.0 && !y.is_nan() { 1.0 } else { power };

                // Whether y is an integer, and odd: from this number to twice as much, the last bit of
                // a float is the ones' bit.
                const ONES: $F = (1_u64 << DIGITS) as $F;
                let y_size = y.abs();
                let large = y_size >= ONES;
                let ones = if large { y_size } else { y_size + ONES };
                let whole = large || ones - ONES == y_size;
                let odd = whole && ones < 2.0 * ONES && ones.to_bits() & 1 == 1;
                let power = if odd { power.copysign(x) } else { power };
                let root_of_negative = x < 0.0 && x > $F::NEG_INFINITY && !whole;
                let power = if root_of_negative { $F::NAN } else { power };
                if x == 1.0 || y == 0.0 { 1.0 } else { power }
            }

            /// `max(x, 0) + ln(1 + e)`, `e = e^-|x|`, where `1 + e = 2 (1 + (e - 1) / 2)`.
            #[inline(always)]
            pub(in crate::element) fn softplus(isa: Isa, x: $F) -> $F {
                let e = exp(isa, -x.abs());
                let above_root = e > SQRT_2 - 1.0;
                let f = if above_root { 0.5 * e - 0.5 } else { e };
                let k = if above_root { 1.0 } else { 0.0 };
                (if x > 0.0 { x } else { 0.0 }) + ln_reduced(isa, k, f, 0.0)
            }
        }
    };
}

functions! {
    /// `f32`.
    single_precision: f32, u32, i32;
    largest 89.0, smallest -104.0, minus_one -18.0;
    scale 48, is_one 40.0;
    tanh_is_near 0.55, tanh_is_one 9.1;
    ln_2 0.693145752 + 1.42860677e-6;
    gelu_is_zero -10.100637, gelu_is_x 7.0;
    gelu_1 -2.30220795 + -2.51366981e-7;
    gelu_3 -0.102943242 + 2.01619854e-9;
    exp [0.49999994, 0.166665152, 0.041668456, 8.36941879e-3, 1.38131529e-3];
    exp2 [0.240226477, 0.055503618, 9.61852912e-3, 1.33903883e-3, 1.53208355e-4];
    ln [0.666666687, 0.400001258, 0.285503983, 0.233419433];
    tanh [-0.333329558, 0.133208856, -0.0526804179, 0.0164514035];
}

functions! {
    /// `f64`.
    double_precision: f64, u64, i64;
    largest 710.0, smallest -746.0, minus_one -38.0;
    scale 200, is_one 80.0;
    tanh_is_near 0.55, tanh_is_one 20.0;
    ln_2 0.69314718055989033 + 5.4979230187083712e-14;
    gelu_is_zero -22.0, gelu_is_x 10.0;
    gelu_1 -2.3022081981443279 + 2.9772962085427412e-15;
    gelu_3 -0.10294323958002349 + 5.978177400718744e-18;
    exp [
        0.50000000000000122,
        0.16666666666666385,
        0.041666666666519157,
        8.3333333335076608e-3,
        1.3888888946918432e-3,
        1.984126948615369e-4,
        2.4801489353730838e-5,
        2.7557597196123883e-6,
        2.7631686875045695e-7,
        2.4998989666597086e-8,
    ];
    exp2 [
        0.24022650695910122,
        0.055504108664820716,
        9.6181291075964938e-3,
        1.3333558146690198e-3,
        1.5403530454777845e-4,
        1.5252733543808672e-5,
        1.3215436216381168e-6,
        1.0178185441178225e-7,
        7.0736524375375102e-9,
        4.4362654434802897e-10,
    ];
    ln [
        0.66666666666666696,
        0.39999999999893221,
        0.28571428628810996,
        0.22222210674238516,
        0.18182922513515942,
        0.15330617306743305,
        0.14630031364122861,
    ];
    tanh [
        -0.33333333333332338,
        0.13333333333171524,
        -0.053968253877274261,
        0.021869485999519229,
        -8.8631947914304243e-3,
        3.5917216996371941e-3,
        -1.4532252725937913e-3,
        5.79158597715236e-4,
        -2.1033220277096626e-4,
        5.1038635236565005e-5,
    ];
}
