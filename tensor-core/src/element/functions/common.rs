//! Exponentials, logarithms and what is made of them, for `f32` and `f64` alike.

/// A module of functions of one type. Its constants come from `benches/coefficients.py`.
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
        gelu_bits $gelu_bits:literal, $gelu_cube_bits:literal, $gelu_slope_bits:literal;
        exp $exp:expr;
        ln $ln:expr;
        tanh $tanh:expr;
    ) => {
        $(#[$doc])*
        pub(in crate::element) mod $module {
            use core::$F::consts::LOG2_E;

            const DIGITS: u32 = $F::MANTISSA_DIGITS - 1;
            const BIAS: $I = $F::MAX_EXP as $I - 1;
            const FRACTION: $U = (1 << DIGITS) - 1;

            /// Added to a number, it leaves the nearest whole number in the last bits of the sum.
            const TO_WHOLE: $F = 1.5 * (1_u64 << DIGITS) as $F;

            /// Where a significand begins, so that it is between √½ and √2: logarithms near 1 then
            /// lose nothing to the exponent's.
            const ROOT: $U = core::$F::consts::FRAC_1_SQRT_2.to_bits();

            /// What keeps the sum of 1 and a power of 2 in the normal numbers.
            const SCALE: $F = $F::from_bits((BIAS as $U - $scale) << DIGITS);

            /// `TO_WHOLE`, such that the last bits of the sum are the exponent of `SCALE · 2^n`.
            const TO_SCALED: $F = TO_WHOLE + (BIAS - $scale) as $F;

            const EXP: [$F; $exp.len()] = $exp;
            const LN: [$F; $ln.len()] = $ln;
            const TANH: [$F; $tanh.len()] = $tanh;

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
            pub(in crate::element::functions) fn power_of_two(n: $I) -> $F {
                $F::from_bits((n.wrapping_add(BIAS) << DIGITS) as $U)
            }

            #[inline(always)]
            pub(in crate::element::functions) fn whole_to_float(n: $I) -> $F {
                $F::from_bits((TO_WHOLE.to_bits() as $I).wrapping_add(n) as $U) - TO_WHOLE
            }

            /// `e^r - 1`, for `|r| ≤ ln 2 / 2`, and what rounding it lost.
            #[inline(always)]
            fn exp_m1_near_0(r: $F) -> ($F, $F) {
                let rest = r * r * polynomial!(r, EXP);
                let m = r + rest;
                (m, rest - (m - r))
            }

            /// `e^(x + tail) = (1 + m) · 2^n`: `((m, what rounding it lost), n)`, for small `tail`.
            #[inline(always)]
            pub(in crate::element::functions) fn exp_near(x: $F, tail: $F) -> (($F, $F), $I) {
                let shifted = x * LOG2_E + TO_WHOLE;
                let n = shifted - TO_WHOLE;
                // The product with the first part of ln 2 is exact.
                let rest = x - n * $ln_2_head;
                let tail = tail - n * $ln_2_tail;
                let r = rest + tail;
                let n = (shifted.to_bits() as $I).wrapping_sub(TO_WHOLE.to_bits() as $I);
                let (m, lost) = exp_m1_near_0(r);
                ((m, lost + ((rest - r) + tail)), n)
            }

            #[inline(always)]
            fn parts_of_exp(x: $F) -> (($F, $F), $I) {
                // Whatever is added to this zero stays what it is.
                exp_near(x, -0.0)
            }

            /// The factors of `2^n`: one alone may be out of reach of normal numbers.
            #[inline(always)]
            pub(in crate::element::functions) fn halves_of_power(n: $I) -> ($F, $F) {
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

            /// `(1 + m) · 2^n = e^x`: `(m, SCALE · 2^n)`, for `n` from `-BIAS / 2` up.
            #[inline(always)]
            fn scaled_exp(x: $F) -> ($F, $F) {
                let shifted = x * LOG2_E + TO_SCALED;
                let n = shifted - TO_SCALED;
                let r = (x - n * $ln_2_head) - n * $ln_2_tail;
                (r + r * r * polynomial!(r, EXP), scaled_power(shifted))
            }

            /// `SCALE · 2^n`, of the sum of `n` and `TO_SCALED`, whose last bits are the exponent.
            #[inline(always)]
            fn scaled_power(shifted: $F) -> $F {
                $F::from_bits(shifted.to_bits() << DIGITS)
            }

            /// `SCALE · (1 + e)`, for `e = (1 + m) · 2^n` and `power = SCALE · 2^n`.
            #[inline(always)]
            fn one_plus(m: $F, power: $F) -> $F {
                at_least(power, SCALE) + (at_most(power, SCALE) + power * m)
            }

            #[inline(always)]
            pub(in crate::element) fn sigmoid(x: $F) -> $F {
                let bounded = at_most(at_least(x, $smallest), $is_one);
                let (m, power) = scaled_exp(-bounded);
                SCALE / one_plus(m, power)
            }

            #[inline(always)]
            pub(in crate::element) fn silu(x: $F) -> $F {
                // Below this bound, e^x · x rounds to 0.
                let x = at_least(x, $smallest - 8.0);
                let (m, power) = scaled_exp(-at_most(x, $is_one));
                let result = x / one_plus(m, power) * SCALE;
                if x > $is_one { x } else { result }
            }

            /// `x / (1 + e^w)`, `w = -2 √(2/π) (x + 0.044715 x³) = k₁ x + k₃ x³`.
            ///
            /// Where `x` is negative, the result has the relative error that `w` has absolutely, and
            /// `w` is large. So it is the sum of an exact part and a small one. With `h` the first
            /// bits of `x`, so few that `h³` is exact, `c` the first bits of `h³` and `k` those of
            /// the constants, `k₁ h + k₃ c` is exact, and
            /// `w(x) - w(h) = (x - h) (k₁ + k₃ (3 h² + (x - h) (3 h + (x - h))))` is small.
            #[inline(always)]
            pub(in crate::element) fn gelu_tanh(x: $F) -> $F {
                const K1: $F = $gelu_1_head + $gelu_1_tail;
                const K3: $F = $gelu_3_head + $gelu_3_tail;
                const TO_H: $F = TO_WHOLE / (1_u64 << $gelu_bits) as $F;
                const TO_C: $F = TO_WHOLE / (1_u64 << $gelu_cube_bits) as $F;
                // S1 + S3 h² is exact.
                const TO_S: $F = TO_WHOLE / (1_u64 << $gelu_slope_bits) as $F;
                const TO_SQUARE: $F = TO_S / (1_u64 << (2 * $gelu_bits)) as $F;
                const S3: $F = (3.0 * K3 + TO_S) - TO_S;
                const S1: $F = (K1 + TO_SQUARE) - TO_SQUARE;
                let x = at_least(x, $gelu_is_zero);
                let bounded = at_most(x, $gelu_is_x);
                let h = (bounded + TO_H) - TO_H;
                let l = bounded - h;
                let square = h * h;
                let cube = square * h;
                let c = (cube + TO_C) - TO_C;
                let exact = h * $gelu_1_head + c * $gelu_3_head;
                let slope = S1 + S3 * square;
                let rest_of_slope = ((K1 - S1) + (3.0 * K3 - S3) * square) + (K3 * l) * (3.0 * h + l);
                let difference = l * slope;
                let small = (h * ($gelu_1_tail + $gelu_3_tail * square) + l * rest_of_slope)
                    + $gelu_3_head * (cube - c);
                // w / ln 2, near enough.
                let shifted = bounded * (K1 * LOG2_E + (K3 * LOG2_E) * (bounded * bounded)) + TO_SCALED;
                let n = shifted - TO_SCALED;
                let r = ((exact - n * $ln_2_head) + difference) + (small - n * $ln_2_tail);
                let m = r + r * r * polynomial!(r, EXP);
                let result = x / one_plus(m, scaled_power(shifted)) * SCALE;
                if x > $gelu_is_x { x } else { result }
            }

            /// Near 0 `x + x³ TANH(x²)`, else `1 - 2 / (1 + e^2x)`.
            #[inline(always)]
            pub(in crate::element) fn tanh(x: $F) -> $F {
                let size = at_most(x.abs(), $tanh_is_one);
                let (m, power) = scaled_exp(2.0 * size);
                let far = 1.0 - (2.0 * SCALE) / one_plus(m, power);
                let square = size * size;
                let near = size + size * (square * polynomial!(square, TANH));
                (if size < $tanh_is_near { near } else { far }).copysign(x)
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

            /// `power`, which is `|x|^y`, or what C's `pow` makes of special values.
            #[inline(always)]
            pub(in crate::element::functions) fn power_or_special(x: $F, y: $F, power: $F) -> $F {
                // 1 to any power, -1 to an infinite one.
                let power = if x.abs() == 1.0 && !y.is_nan() { 1.0 } else { power };

                // Whether y is whole, and odd: between this number and twice as much, the last bit
                // of a float counts ones.
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
    scale 48, is_one 40.0;
    tanh_is_near 0.55, tanh_is_one 9.1;
    ln_2 0.693145752 + 1.42860677e-6;
    gelu_is_zero -11.0, gelu_is_x 7.0;
    gelu_1 -1.59570313 + -6.59966057e-5;
    gelu_3 -0.0713500977 + -4.71861635e-6;
    gelu_bits 4, 1, 10;
    exp [0.5, 0.166666672, 0.0416664556, 8.33331048e-3, 1.39345415e-3, 1.98919806e-4];
    ln [0.666666687, 0.400001258, 0.285503983, 0.233419433];
    tanh [-0.333333313, 0.13333112, -0.0539091639, 0.0213077571, -6.60715951e-3];
}

functions! {
    /// `f64`.
    double_precision: f64, u64, i64;
    largest 710.0, smallest -746.0, minus_one -38.0;
    scale 200, is_one 80.0;
    tanh_is_near 0.55, tanh_is_one 20.0;
    ln_2 0.69314718055989033 + 5.4979230187083712e-14;
    gelu_is_zero -22.0, gelu_is_x 10.0;
    gelu_1 -1.595769121311605 + -2.9412573510573151e-10;
    gelu_3 -0.071354816667735577 + 3.9513532785329992e-10;
    gelu_bits 12, 12, 20;
    exp [
        0.50000000000000011,
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
    tanh [
        -0.33333333333333331,
        0.13333333333333311,
        -0.053968253968219852,
        0.021869488534045071,
        -8.8632354623328722e-3,
        3.5921267566160096e-3,
        -1.4558189612110821e-3,
        5.8990441063887949e-4,
        -2.3846902351875207e-4,
        9.4541757954623668e-5,
        -3.3706843488810569e-5,
        7.8655049317447856e-6,
    ];
}
