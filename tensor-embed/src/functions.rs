/// Adds to each element.
#[inline(always)]
fn add<const P: usize, const N: usize>(totals: &mut [[f32; N]; P], sums: &[[f32; N]; P]) {
    for (totals, sums) in totals.iter_mut().zip(sums) {
        for (total, sum) in totals.iter_mut().zip(sums) {
            *total += sum;
        }
    }
}

/// `P` rows of `a` times `N` columns of `b`: each sum is over 64 products at a time in order.
#[inline(always)]
fn block<const P: usize, const N: usize>(
    (a, a_row): (&[f32], usize),
    (b, b_row): (&[f32], usize),
    (out, out_row): (&mut [f32], usize),
    k: usize,
) {
    let mut totals = [[0.0; N]; P];
    let mut start = 0;
    while start < k {
        let end = if k - start > 64 { start + 64 } else { k };
        let mut sums = [[0.0; N]; P];
        for i in start..end {
            let row = &b[i * b_row..][..N];
            for (p, sums) in sums.iter_mut().enumerate() {
                let x = a[p * a_row + i];
                for (sum, y) in sums.iter_mut().zip(row) {
                    *sum += x * y;
                }
            }
        }
        add(&mut totals, &sums);
        start = end;
    }
    for (p, totals) in totals.iter().enumerate() {
        out[p * out_row..][..N].copy_from_slice(totals);
    }
}

/// `N` columns of a product for all rows, four at a time.
#[inline(always)]
fn columns<const N: usize>(
    (a, a_row): (&[f32], usize),
    b: (&[f32], usize),
    (out, out_row): (&mut [f32], usize),
    m: usize,
    k: usize,
) {
    let mut i = 0;
    while i + 4 <= m {
        block::<4, N>((&a[i * a_row..], a_row), b, (&mut out[i * out_row..], out_row), k);
        i += 4;
    }
    while i < m {
        block::<1, N>((&a[i * a_row..], a_row), b, (&mut out[i * out_row..], out_row), k);
        i += 1;
    }
}

/// The product of a matrix of `m` rows and one of `n` columns.
fn product(a: (&[f32], usize), b: (&[f32], usize), out: &mut [f32], [m, k, n]: [usize; 3]) {
    let mut j = 0;
    while j + 16 <= n {
        columns::<16>(a, (&b.0[j..], b.1), (&mut out[j..], n), m, k);
        j += 16;
    }
    while j + 4 <= n {
        columns::<4>(a, (&b.0[j..], b.1), (&mut out[j..], n), m, k);
        j += 4;
    }
    while j < n {
        columns::<1>(a, (&b.0[j..], b.1), (&mut out[j..], n), m, k);
        j += 1;
    }
}

/// The sizes of a convolution.
struct Sizes {
    images: usize,
    groups: usize,
    channels: usize,
    outputs: usize,
    size: [usize; 2],
    window: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    before: [usize; 2],
    positions: [usize; 2],
}

impl Sizes {
    /// The elements of a window that meet no padding, at a position of an axis.
    fn taps(&self, axis: usize, position: usize) -> (usize, usize) {
        let (step, at) = (self.dilation[axis], position * self.stride[axis]);
        let first = self.before[axis].saturating_sub(at).div_ceil(step);
        let end = (self.size[axis] + self.before[axis]).saturating_sub(at).div_ceil(step);
        (first, end.min(self.window[axis]))
    }
}

/// The sums of a window at `P` positions for `N` channels: of each row, over columns and channels in order, and of the rows.
#[inline(always)]
fn window<const P: usize, const N: usize>(
    x: &[f32],
    weights: &[f32],
    of: &Sizes,
    ([first, end], row): ([usize; 2], usize),
    ([left, right], column): ([usize; 2], usize),
) -> [[f32; N]; P] {
    let (plane, outputs) = (of.size[0] * of.size[1], of.outputs);
    let mut totals = [[0.0; N]; P];
    for i in first..end {
        let mut sums = [[0.0; N]; P];
        let at = row * of.stride[0] + i * of.dilation[0] - of.before[0];
        for j in left..right {
            let at = at * of.size[1] + column * of.stride[1] + j * of.dilation[1] - of.before[1];
            let weights = &weights[(i * of.window[1] + j) * of.channels * outputs..];
            for c in 0..of.channels {
                let row = &weights[c * outputs..][..N];
                for (p, sums) in sums.iter_mut().enumerate() {
                    let x = x[at + c * plane + p * of.stride[1]];
                    for (sum, y) in sums.iter_mut().zip(row) {
                        *sum += x * y;
                    }
                }
            }
        }
        add(&mut totals, &sums);
    }
    totals
}

/// `N` channels of the results of a convolution of one image and group.
#[inline(always)]
fn channels<const P: usize, const N: usize>(
    x: &[f32],
    weights: &[f32],
    out: &mut [f32],
    of: &Sizes,
) {
    let [rows, columns] = of.positions;
    for row in 0..rows {
        let (first, end) = of.taps(0, row);
        let mut column = 0;
        while column < columns {
            let (left, right) = of.taps(1, column);
            let mut write = |column: usize, sums: &[[f32; N]]| {
                for (p, sums) in sums.iter().enumerate() {
                    for (n, &sum) in sums.iter().enumerate() {
                        out[(n * rows + row) * columns + column + p] = sum;
                    }
                }
            };
            let (vertical, horizontal) = (([first, end], row), ([left, right], column));
            if column + P <= columns && of.taps(1, column + P - 1) == (left, right) {
                write(column, &window::<P, N>(x, weights, of, vertical, horizontal));
                column += P;
            } else {
                write(column, &window::<1, N>(x, weights, of, vertical, horizontal));
                column += 1;
            }
        }
    }
}

/// A convolution of images `[images, groups · channels, ..size]` by weights `[groups, ..window, channels, outputs]`.
fn convolve(x: &[f32], weights: &[f32], out: &mut [f32], of: &Sizes) {
    let of_x = of.channels * of.size[0] * of.size[1];
    let of_weights = of.window[0] * of.window[1] * of.channels * of.outputs;
    let of_out = of.positions[0] * of.positions[1];
    for image in 0..of.images {
        for group in 0..of.groups {
            let x = &x[(image * of.groups + group) * of_x..][..of_x];
            let weights = &weights[group * of_weights..][..of_weights];
            let out = &mut out[(image * of.groups + group) * of.outputs * of_out..];
            let mut n = 0;
            while n + 16 <= of.outputs {
                channels::<4, 16>(x, &weights[n..], &mut out[n * of_out..], of);
                n += 16;
            }
            while n + 4 <= of.outputs {
                channels::<4, 4>(x, &weights[n..], &mut out[n * of_out..], of);
                n += 4;
            }
            while n < of.outputs {
                channels::<8, 1>(x, &weights[n..], &mut out[n * of_out..], of);
                n += 1;
            }
        }
    }
}

/// `2^n`, for `-126 ≤ n ≤ 127`.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// `e^r - 1`, for `|r| ≤ ln 2 / 2`, by a minimax polynomial.
#[inline(always)]
fn exp_m1_near_0(r: f32) -> f32 {
    let tail = 8.36941879e-3 + r * 1.38131529e-3;
    let tail = 0.166665152 + r * (0.041668456 + r * tail);
    r + r * r * (0.49999994 + r * tail)
}

/// `x = n ln 2 + r`: `(n, r)`, for small `n`.
#[inline(always)]
fn reduced(x: f32) -> (i32, f32) {
    // The sum with this number is rounded to an integer, which its last bits are.
    let rounding = 12582912.0_f32;
    let shifted = x * core::f32::consts::LOG2_E + rounding;
    let n = shifted - rounding;
    // The product with the high part of ln 2 is exact.
    let r = (x - n * 0.693145752) - n * 1.42860677e-6;
    (shifted.to_bits().wrapping_sub(rounding.to_bits()) as i32, r)
}

/// `e^x`
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let (n, r) = reduced(x);
    // 2^n itself may be out of range.
    let (power, rest) = (power_of_two(n >> 1), power_of_two(n.wrapping_sub(n >> 1)));
    (power + power * exp_m1_near_0(r)) * rest
}

/// `e^x - 1`
#[inline(always)]
fn exp_m1(x: f32) -> f32 {
    let bounded = if x > 89.0 { 89.0 } else { x };
    let bounded = if bounded < -18.0 { -18.0 } else { bounded };
    let (n, r) = reduced(bounded);
    let (power, rest) = (power_of_two(n >> 1), power_of_two(n.wrapping_sub(n >> 1)));
    let m = exp_m1_near_0(r);
    let result = ((power - 1.0 / rest) + m * power) * rest;
    if x == 0.0 { x } else { result }
}

/// `1 / (1 + e^-x)`
#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Near 0 `x + x³ p(x²)`, else `1 - 2 / (1 + e^2x)`.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    let size = if x.abs() > 9.1 { 9.1 } else { x.abs() };
    let (n, r) = reduced(2.0 * size);
    let power = power_of_two(n);
    let far = 1.0 - 2.0 / (1.0 + power + power * exp_m1_near_0(r));
    let z = size * size;
    let tail = 0.133208856 + z * (-0.0526804179 + z * 0.0164514035);
    let near = size + size * z * (-0.333329558 + z * tail);
    (if size < 0.55 { near } else { far }).copysign(x)
}

/// `k ln 2 + ln(1 + f) + c`, for `√½ ≤ 1 + f ≤ √2` and small `c`, by `ln(1 + f) = 2 atanh s`, `s = f / (2 + f)`.
#[inline(always)]
fn ln_reduced(k: f32, f: f32, c: f32) -> f32 {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    let series = z * (0.666666687 + z * (0.400001258 + z * (0.285503983 + z * 0.233419433)));
    // The product with the high part of ln 2 is exact.
    k * 0.693145752 + (f - (half - (s * (half + series) + (k * 1.42860677e-6 + c))))
}

/// `x = (1 + f) 2^k`: `(f, k)`, for normal `x`.
#[inline(always)]
fn significand(x: f32) -> (f32, f32) {
    let root = core::f32::consts::FRAC_1_SQRT_2.to_bits();
    let bits = x.to_bits().wrapping_sub(root);
    let f = f32::from_bits((bits & 0x7f_ffff) + root) - 1.0;
    (f, ((bits as i32) >> 23) as f32)
}

/// `result` for positive finite `x`, else the special values of a logarithm.
#[inline(always)]
fn ln_or_special(x: f32, result: f32) -> f32 {
    match x {
        _ if x > 0.0 && x < f32::INFINITY => result,
        _ if x == 0.0 => f32::NEG_INFINITY,
        _ if x > 0.0 => x,
        _ => f32::NAN,
    }
}

/// `ln x`
#[inline(always)]
fn ln(x: f32) -> f32 {
    let is_subnormal = x < f32::MIN_POSITIVE;
    let (f, k) = significand(if is_subnormal { x * 33554432.0 } else { x });
    ln_or_special(x, ln_reduced(if is_subnormal { k - 25.0 } else { k }, f, 0.0))
}

/// `ln(1 + x)`
#[inline(always)]
fn ln_1p(x: f32) -> f32 {
    let sum = 1.0 + x;
    let is_near = x > -0.29 && x < 0.41;
    let (f, k) = significand(sum);
    // The rounding error of the sum.
    let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
    let result = match is_near {
        true => ln_reduced(0.0, x, 0.0),
        false => ln_reduced(k, f, lost / sum),
    };
    if x == 0.0 { x } else { ln_or_special(sum, result) }
}

/// The nearest number to the square root: an estimate of 24 bits, corrected by integers.
#[inline(always)]
fn sqrt(x: f32) -> f32 {
    let is_positive = x > 0.0 && x < f32::INFINITY;
    let is_subnormal = is_positive && x < f32::MIN_POSITIVE;
    let normal = if is_subnormal { x * 16777216.0 } else { x };
    let bits = if is_positive { normal.to_bits() } else { 1.0_f32.to_bits() };
    let exponent = (bits >> 23) as i32 - 127;
    // m 2^(2 k), 1 ≤ m < 4
    let k = exponent >> 1;
    let m = f32::from_bits(bits & 0x7f_ffff | ((127 + (exponent & 1)) as u32) << 23);
    let mut inverse = f32::from_bits(0x5f37_59df - (m.to_bits() >> 1));
    for _ in 0..3 {
        inverse *= 1.5 - 0.5 * m * inverse * inverse;
    }
    // The largest integer whose square is at most m 2^46.
    let square = (m * 8388608.0) as u64 * 8388608;
    let mut root = (m * inverse * 8388608.0) as u64;
    root -= u64::from(root * root > square);
    root -= u64::from(root * root > square);
    root += u64::from((root + 1) * (root + 1) <= square);
    root += u64::from((root + 1) * (root + 1) <= square);
    root += u64::from(square - root * root > root);
    let k = if is_subnormal { k - 12 } else { k };
    let result = root as f32 * f32::from_bits(((k - 23 + 127) as u32) << 23);
    if is_positive {
        result
    } else if x == 0.0 || x == f32::INFINITY {
        x
    } else {
        f32::NAN
    }
}

/// `1 / √x`
#[inline(always)]
fn rsqrt(x: f32) -> f32 {
    1.0 / sqrt(x)
}

/// The integer towards zero.
#[inline(always)]
fn trunc(x: f32) -> f32 {
    // From 2^23 on, all numbers are integers.
    if x.abs() < 8388608.0 { (x as i32 as f32).copysign(x) } else { x }
}

#[inline(always)]
fn floor(x: f32) -> f32 {
    let whole = trunc(x);
    if whole > x { whole - 1.0 } else { whole }
}

#[inline(always)]
fn ceil(x: f32) -> f32 {
    -floor(-x)
}

/// The nearest integer, of two the even one.
#[inline(always)]
fn round_even(x: f32) -> f32 {
    let size = x.abs();
    if size < 8388608.0 { ((size + 8388608.0) - 8388608.0).copysign(x) } else { x }
}

/// `e^x` in double precision, for `|x| ≤ 700`.
#[inline(always)]
fn exp_wide(x: f64) -> f64 {
    let rounding = 6755399441055744.0_f64;
    let shifted = x * core::f64::consts::LOG2_E + rounding;
    let r = x - (shifted - rounding) * core::f64::consts::LN_2;
    let n = shifted.to_bits().wrapping_sub(rounding.to_bits());
    let power = f64::from_bits(n.wrapping_add(1023) << 52);
    let tail = 8.3333100242252919e-3 + r * (1.3934541928270264e-3 + r * 1.989198131397769e-4);
    let tail = 0.16666666682534356 + r * (0.041666456809677878 + r * tail);
    power + power * (r + r * r * (0.50000000142862233 + r * tail))
}

/// `ln x` in double precision, for normal positive `x`.
#[inline(always)]
fn ln_wide(x: f64) -> f64 {
    let root = core::f64::consts::FRAC_1_SQRT_2.to_bits();
    let bits = x.to_bits().wrapping_sub(root);
    let k = ((bits as i64) >> 52) as f64;
    let f = f64::from_bits((bits & ((1 << 52) - 1)) + root) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let tail = 0.22222882159268573 + z * (0.18139329084810124 + z * 0.16634817293436976);
    let tail = 0.666666666666618 + z * (0.40000000011787484 + z * (0.28571423954752284 + z * tail));
    k * core::f64::consts::LN_2 + (2.0 * s + s * z * tail)
}

/// `x^y`, with the special values of C's `pow`.
#[inline(always)]
fn pow(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let logarithm = match size {
        _ if size > 0.0 && size < f32::INFINITY => ln_wide(f64::from(size)),
        _ if size == 0.0 => f64::NEG_INFINITY,
        _ => f64::from(size),
    };
    let product = f64::from(y) * logarithm;
    let product = if product > 200.0 { 200.0 } else { product };
    let product = if product < -200.0 { -200.0 } else { product };
    let power = exp_wide(product) as f32;
    // 1 to any power, -1 to an infinite one.
    let power = if size == 1.0 && !y.is_nan() { 1.0 } else { power };
    let is_whole = trunc(y) == y;
    let is_odd = is_whole && trunc(y * 0.5) != y * 0.5;
    let power = if is_odd { power.copysign(x) } else { power };
    let is_root_of_negative = x < 0.0 && x > f32::NEG_INFINITY && !is_whole;
    let power = if is_root_of_negative { f32::NAN } else { power };
    if x == 1.0 || y == 0.0 { 1.0 } else { power }
}

/// `x = q π/2 + r`, `|r| ≤ π/4`, for `x ≥ 0`: `(q, r)`, with the bits of 2/π that matter modulo a full turn
/// (Payne and Hanek, 1983, <https://doi.org/10.1145/1057600.1057602>).
#[inline(always)]
fn rem_pio2(x: f32) -> (u64, f64) {
    let bits = u64::from(x.to_bits());
    let significand = bits & 0x7f_ffff | 0x80_0000;
    let last = (bits >> 23).wrapping_sub(126 - 38) & 0xff;
    let [a, b, c, d] =
        [0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561_u64];
    let (before, here, after) = match last {
        0..64 => (0, a, b),
        64..128 => (a, b, c),
        _ => (b, c, d),
    };
    let (up, down) = (last & 63, 63 - (last & 63));
    let head = before << up | here >> 1 >> down;
    let tail = (here << up | after >> 1 >> down) >> 32;
    let quarters =
        significand.wrapping_mul(head).wrapping_add(significand.wrapping_mul(tail) >> 32);
    let q = quarters.wrapping_add(1 << 61) >> 62;
    let rest = quarters.wrapping_sub(q << 62) as i64;
    let r = rest as f64 * (core::f64::consts::FRAC_PI_2 / (1_u64 << 62) as f64);
    if x < core::f32::consts::FRAC_PI_4 { (0, f64::from(x)) } else { (q, r) }
}

/// `sin(r + q π/2)`, negated by the sign bit `sign`; NaN for infinite or NaN `x`.
#[inline(always)]
fn sine(x: f32, q: u64, r: f64, sign: u32) -> f32 {
    let z = r * r;
    let tail = 8.3333318659594147e-3 + z * (-1.9840082012765537e-4 + z * 2.7249314054698804e-6);
    let sine = r + r * z * (-0.16666666663832763 + z * tail);
    let tail = 0.041666650548440196 + z * (-1.3887583970817676e-3 + z * 2.4463116702438325e-5);
    let cosine = 1.0 + z * (-0.49999999968871983 + z * tail);
    let value = if q & 1 == 1 { cosine } else { sine } as f32;
    let value = f32::from_bits(value.to_bits() ^ sign ^ ((q as u32 & 2) << 30));
    if x.abs() < f32::INFINITY { value } else { f32::NAN }
}

#[inline(always)]
fn sin(x: f32) -> f32 {
    let (q, r) = rem_pio2(x.abs());
    sine(x, q, r, x.to_bits() & (1 << 31))
}

#[inline(always)]
fn cos(x: f32) -> f32 {
    let (q, r) = rem_pio2(x.abs());
    sine(x, q.wrapping_add(1), r, 0)
}

/// The angle of the point `(x, y)`, by the polynomial of `atanf` in Cephes (S. L. Moshier), in double precision.
#[inline(always)]
fn atan2(y: f32, x: f32) -> f32 {
    use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let (a, b) = (f64::from(x.abs()), f64::from(y.abs()));
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    let ratio = match large {
        _ if small == large && large > 0.0 => 1.0,
        _ if large == 0.0 => large,
        _ => small / large,
    };
    let (t, base) = match ratio > 0.4142135623730950 {
        true => ((ratio - 1.0) / (ratio + 1.0), FRAC_PI_4),
        false => (ratio, 0.0),
    };
    let z = t * t;
    let tail = 1.99777106478e-1 + z * (-1.38776856032e-1 + z * 8.05374449538e-2);
    let angle = base + (t + t * z * (-3.33329491539e-1 + z * tail));
    let angle = if a < b { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    if x.is_nan() || y.is_nan() { f32::NAN } else { (angle as f32).copysign(y) }
}

/// The error function.
#[inline(always)]
fn erf(x: f32) -> f32 {
    // erf(4) is 1 in f32.
    let size = if x.abs() > 4.0 { 4.0 } else { f64::from(x.abs()) };
    let z = size * size;
    let mut near = 0.0;
    for coefficient in [
        -9.6670445714869965e-6,
        1.1265959025606609e-4,
        -8.4840804055351068e-4,
        5.2210318078580228e-3,
        -0.026865430727670243,
        0.11283782495236845,
        -0.37612638468028708,
        1.1283791670615435,
    ] {
        near = near * z + coefficient;
    }
    // erfc(size) = e^(-size²) p((size - 2) / (size + 2))
    let t = (size - 2.0) / (size + 2.0);
    let mut far = 0.0;
    for coefficient in [
        -8.2631552687196636e-6,
        -2.3303398084656494e-5,
        2.3663819336675136e-5,
        1.7089946377153446e-4,
        4.4987319797287076e-5,
        -9.8067726033492669e-4,
        -8.4745411559521892e-4,
        6.9972239758586356e-3,
        3.7329901626218181e-3,
        -0.078978562294478943,
        0.24165819224495089,
        -0.42718584783206986,
        0.25539567632964999,
    ] {
        far = far * t + coefficient;
    }
    let value = if size < 1.0 { size * near } else { 1.0 - exp_wide(-z) * far };
    (value as f32).copysign(x)
}

/// The next array of a slice, after `skip` elements.
#[inline(always)]
pub(super) fn part<'a, T, const N: usize>(rest: &mut &'a mut [T], skip: usize) -> &'a mut [T; N] {
    let (_, after) = core::mem::take(rest).split_at_mut(skip);
    let (array, after) = after.split_first_chunk_mut().expect("the workspace has room for it");
    *rest = after;
    array
}

/// The array at a position of a slice.
#[inline(always)]
pub(super) fn array<T, const N: usize>(from: &[T], at: usize) -> &[T; N] {
    from[at..].first_chunk().expect("the slice has room for it")
}
