//! Exponentials, logarithms and what is made of them, for `f32` and `f64` alike.

/// A module of functions of one type. Its constants come from `benches/coefficients.py`.
macro_rules! functions {
    (
        $(#[$doc:meta])*
        $module:ident: $F:ident, $U:ident, $I:ident;
        largest $largest:literal, smallest $smallest:literal, minus_one $minus_one:literal;
        tanh_is_one $tanh_is_one:literal, gelu_is_zero $gelu_is_zero:literal;
        ln_2 $ln_2_head:literal + $ln_2_tail:literal;
        gelu_1 $gelu_1_head:literal + $gelu_1_tail:literal;
        gelu_3 $gelu_3_head:literal + $gelu_3_tail:literal;
        gelu_bits $short:literal $long:literal;
        exp $exp:expr;
        ln $ln:expr;
    ) => {
        $(#[$doc])*
        pub(in crate::element) mod $module {
            use core::$F::consts::{LN_2, LOG2_E};

            const DIGITS: u32 = $F::MANTISSA_DIGITS - 1;
            const BIAS: $I = $F::MAX_EXP as $I - 1;
            const FRACTION: $U = (1 << DIGITS) - 1;

            /// Added to a number, it leaves the nearest whole number in the last bits of the sum.
            const TO_WHOLE: $F = 1.5 * (1_u64 << DIGITS) as $F;

            /// Where a significand begins, so that it is between √½ and √2: logarithms near 1 then
            /// lose nothing to the exponent's.
            const ROOT: $U = core::$F::consts::FRAC_1_SQRT_2.to_bits();

            const EXP: [$F; $exp.len()] = $exp;
            const LN: [$F; $ln.len()] = $ln;

            /// The smaller number; `x` if it is NaN.
            #[inline(always)]
            fn at_most(x: $F, bound: $F) -> $F {
                if x > bound { bound } else { x }
            }

            /// The larger number; `x` if it is NaN.
            #[inline(always)]
            fn at_least(x: $F, bound: $F) -> $F {
                if x < bound { bound } else { x }
            }

            /// `2^n`, for normal results.
            #[inline(always)]
            fn power_of_two(n: $I) -> $F {
                $F::from_bits((n.wrapping_add(BIAS) << DIGITS) as $U)
            }

            #[inline(always)]
            fn whole_to_float(n: $I) -> $F {
                $F::from_bits((TO_WHOLE.to_bits() as $I).wrapping_add(n) as $U) - TO_WHOLE
            }

            /// `e^r - 1`, for `|r| ≤ ln 2 / 2`, and what rounding it lost.
            #[inline(always)]
            fn exp_m1_near_0(r: $F) -> ($F, $F) {
                let rest = r * r * polynomial!(r, EXP);
                let m = r + rest;
                (m, rest - (m - r))
            }

            /// `e^x = (1 + m) · 2^n`: `((m, what rounding it lost), n)`.
            #[inline(always)]
            fn parts_of_exp(x: $F) -> (($F, $F), $I) {
                let shifted = x * LOG2_E + TO_WHOLE;
                let n = shifted - TO_WHOLE;
                // The product with the first part of ln 2 is exact.
                let rest = x - n * $ln_2_head;
                let tail = n * $ln_2_tail;
                let r = rest - tail;
                let n = (shifted.to_bits() as $I).wrapping_sub(TO_WHOLE.to_bits() as $I);
                let (m, lost) = exp_m1_near_0(r);
                ((m, lost + ((rest - r) - tail)), n)
            }

            /// The factors of `2^n`: one alone may be out of reach of normal numbers.
            #[inline(always)]
            fn halves_of_power(n: $I) -> ($F, $F) {
                let half = n >> 1;
                (power_of_two(half), power_of_two(n.wrapping_sub(half)))
            }

            #[inline(always)]
            pub(in crate::element) fn exp(x: $F) -> $F {
                let x = at_least(at_most(x, $largest), $smallest);
                let ((m, _), n) = parts_of_exp(x);
                let (power, rest) = halves_of_power(n);
                (1.0 + m) * power * rest
            }

            #[inline(always)]
            pub(in crate::element) fn exp_m1(x: $F) -> $F {
                let bounded = at_least(at_most(x, $largest), $minus_one);
                let ((m, lost), n) = parts_of_exp(bounded);
                let (power, rest) = halves_of_power(n);
                // 1 - 2^-n, which is 1 long before 2^-n underflows.
                let inverse = power_of_two(if n < BIAS { n.wrapping_neg() } else { -BIAS + 1 });
                let result = (m + ((1.0 - inverse) + lost)) * power * rest;
                // Zero keeps its sign.
                if x == 0.0 { x } else { result }
            }

            /// `x / (1 + z)` for positive and `y z / (1 + z)` for negative `x`, where
            /// `z = (1 + m) · 2^n ≤ 1`. What leaves the normal numbers does so in the last step.
            ///
            /// What rounding the sums `p = 1 + m` and `d = 1 + z` lost is made good at the end, with
            /// `1 / p ≈ 2 - p` and `1 / d ≈ 1 - z / 2`.
            #[inline(always)]
            fn logistic_times(x: $F, y: $F, ((m, lost_of_m), n): (($F, $F), $I)) -> $F {
                let (power, rest) = halves_of_power(n);
                let p = 1.0 + m;
                let z = p * power * rest;
                let d = 1.0 + z;
                let lost_of_p = (lost_of_m + (m - (p - 1.0))) * (2.0 - p);
                let lost_of_d = ((z - (d - 1.0)) + z * lost_of_p) * (1.0 - 0.5 * z);
                let negative = x < 0.0;
                let quotient = (if negative { y * p } else { x }) / d;
                let lost = if negative { lost_of_p } else { 0.0 } - lost_of_d;
                let quotient = quotient + quotient * lost;
                let small = quotient * power * rest;
                if negative { small } else { quotient }
            }

            #[inline(always)]
            pub(in crate::element) fn sigmoid(x: $F) -> $F {
                let size = at_most(x.abs(), -$smallest);
                // A one with the sign of x, and 1 for the product.
                logistic_times((1.0 as $F).copysign(x), 1.0, parts_of_exp(-size))
            }

            #[inline(always)]
            pub(in crate::element) fn silu(x: $F) -> $F {
                // Below this bound, e^x · x rounds to 0.
                let size = at_most(x.abs(), -$smallest + 16.0);
                logistic_times(x, -size, parts_of_exp(-size))
            }

            /// `x / (1 + e^-v)`, `v = 2 √(2/π) (x + 0.044715 x³)`.
            ///
            /// Where `x` is negative and `v` large, the result has the relative error that `v` has
            /// absolutely. So the power `w` of 2 is computed in two parts: with `h` the first bits
            /// of `x`, `w(h)` has an exact first part, and
            /// `w(x) - w(h) = (x - h) (k₁ + k₃ (x² + x h + h²))` is small.
            #[inline(always)]
            pub(in crate::element) fn gelu_tanh(x: $F) -> $F {
                const SHORT: $U = $U::MAX << ($F::MANTISSA_DIGITS - $short);
                const LONG: $U = $U::MAX << ($F::MANTISSA_DIGITS - $long);
                const K1: $F = $gelu_1_head;
                const K3: $F = $gelu_3_head;
                let x1 = -at_most(x.abs(), $gelu_is_zero);
                let h = $F::from_bits(x1.to_bits().wrapping_add(!SHORT / 2 + 1) & SHORT);
                let square = h * h;
                let cubic = K3 * square;
                let factor = K1 + cubic;
                let head = $F::from_bits(factor.to_bits() & LONG);
                let tail = ((K1 - head) + cubic) + ($gelu_1_tail + $gelu_3_tail * square);
                // x² + x h + h² = 3 h² + l (3 h + l)
                let l = x1 - h;
                let slope = (factor + 2.0 * cubic)
                    + ((K3 + $gelu_3_tail) * (l * (3.0 * h + l)) + ($gelu_1_tail + 3.0 * $gelu_3_tail * square));
                let difference = l * slope;
                let (first, second) = (h * head, difference);
                let shifted = (first + second) + TO_WHOLE;
                let rest = first - (shifted - TO_WHOLE);
                let r = rest + second;
                let lost_of_r = ((rest - r) + second) * LN_2;
                let r = r + h * tail;
                let n = (shifted.to_bits() as $I).wrapping_sub(TO_WHOLE.to_bits() as $I);
                let (m, lost_of_m) = exp_m1_near_0(r * LN_2);
                logistic_times(x, x1, ((m, lost_of_m + lost_of_r), n))
            }

            #[inline(always)]
            pub(in crate::element) fn tanh(x: $F) -> $F {
                let size = at_most(x.abs(), $tanh_is_one);
                let ((m, lost_of_m), n) = parts_of_exp(2.0 * size);
                let power = power_of_two(n);
                let t = m * power + (power - 1.0);
                let d = t + 2.0;
                let q = t / d;
                // What rounding t and d lost is made good, with 1 / d = (1 - q) / 2.
                let lost_of_d = if t < 2.0 { t - (d - 2.0) } else { 0.0 };
                let half = 0.5 - 0.5 * q;
                let lost_of_t = (m * power - (t - (power - 1.0))) + lost_of_m * power;
                let lost = half * ((1.0 - q) * lost_of_t - q * lost_of_d);
                (q + lost).copysign(x)
            }

            /// `k ln 2 + ln(1 + f) + c`, for `√½ ≤ 1 + f ≤ √2` and small `c`: with
            /// `s = f / (2 + f)`, `ln(1 + f) = 2 atanh s = f - f²/2 + s (f²/2 + s² LN(s²))`.
            #[inline(always)]
            fn logarithm(k: $F, f: $F, c: $F) -> $F {
                let s = f / (2.0 + f);
                let z = s * s;
                let half = 0.5 * f * f;
                let rest = s * (half + z * polynomial!(z, LN)) + (k * $ln_2_tail + c);
                k * $ln_2_head - ((half - rest) - f)
            }

            /// `x = (1 + f) · 2^k`: `(f, k)`, for normal `x`.
            #[inline(always)]
            fn significand(x: $F) -> ($F, $I) {
                let bits = x.to_bits().wrapping_sub(ROOT);
                let k = (bits as $I) >> DIGITS;
                let f = $F::from_bits((bits & FRACTION) + ROOT) - 1.0;
                (f, k)
            }

            /// `result` for positive finite `x`, else what a logarithm of `x` is.
            #[inline(always)]
            fn logarithm_or_special(x: $F, result: $F) -> $F {
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
            pub(in crate::element) fn ln(x: $F) -> $F {
                const UP: $I = DIGITS as $I + 2;
                const SCALE: $F = (1_u64 << UP) as $F;
                let subnormal = x < $F::MIN_POSITIVE;
                let (f, k) = significand(if subnormal { x * SCALE } else { x });
                let k = if subnormal { k.wrapping_sub(UP) } else { k };
                logarithm_or_special(x, logarithm(whole_to_float(k), f, 0.0))
            }

            #[inline(always)]
            pub(in crate::element) fn ln_1p(x: $F) -> $F {
                let sum = 1.0 + x;
                let near = x > -0.29 && x < 0.41;
                let (f, k) = significand(sum);
                // What rounding `sum` lost.
                let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
                let result = logarithm(
                    if near { 0.0 } else { whole_to_float(k) },
                    if near { x } else { f },
                    if near { 0.0 } else { lost / sum },
                );
                if x == 0.0 { x } else { logarithm_or_special(sum, result) }
            }

            #[inline(always)]
            pub(in crate::element) fn softplus(x: $F) -> $F {
                (if x > 0.0 { x } else { 0.0 }) + ln_1p(exp(-x.abs()))
            }
        }
    };
}

functions! {
    /// `f32`.
    single_precision: f32, u32, i32;
    largest 89.0, smallest -104.0, minus_one -18.0;
    tanh_is_one 9.1, gelu_is_zero 12.0;
    ln_2 0.693145752 + 1.42860677e-6;
    gelu_1 2.30175781 + 0.000450385647;
    gelu_3 0.103027344 + -8.41041692e-5;
    gelu_bits 8 16;
    exp [
        0.5,
        0.166666672,
        0.0416664556,
        8.33331048e-3,
        1.39345415e-3,
        1.98919806e-4,
    ];
    ln [0.666666687, 0.400001258, 0.285503983, 0.233419433];
}

functions! {
    /// `f64`.
    double_precision: f64, u64, i64;
    largest 710.0, smallest -746.0, minus_one -38.0;
    tanh_is_one 20.0, gelu_is_zero 22.0;
    ln_2 0.69314718055989033 + 5.4979230187083712e-14;
    gelu_1 2.3022081963717937 + 1.7725311421856525e-9;
    gelu_3 0.10294342041015625 + -1.8083013276258237e-7;
    gelu_bits 17 36;
    exp [
        0.5,
        0.16666666666666669,
        0.041666666666620639,
        8.3333333333297926e-3,
        1.3888888918939168e-3,
        1.9841269864380513e-4,
        2.4801518641395993e-5,
        2.7557266418612302e-6,
        2.7621338669142925e-7,
        2.5101346928350339e-8,
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
}
