"""The coefficients of tensor-kernels/src/element/math/: `python3 tools/minimax.py`.

Needs mpmath. Polynomials that few coefficients have to do for are those of the least largest error,
as the result of the function sees it (Remez, 1934). The others interpolate their function at the
Chebyshev points of the interval, with 60 digits; what they miss is then within a few percent of the
least possible (Trefethen, Approximation Theory and Approximation Practice, chapter 16). Prints each
table, rounded to the type that uses it, and the largest error, as the result of the function sees it;
writes math/constants.rs.
"""

from pathlib import Path

from mpmath import mp, mpf
import mpmath

mp.dps = 60


def rounded(value, bits):
    """To the nearest number of `bits` bits."""
    if value == 0:
        return value
    scale = mpf(2) ** (bits - 1 - int(mpmath.floor(mpmath.log(abs(value), 2))))
    return mpmath.nint(value * scale) / scale


def interpolate(function, low, high, count):
    """Coefficients in powers of x, lowest first."""
    middle, half = (low + high) / 2, (high - low) / 2
    points = [
        middle + half * mpmath.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)
    ]
    matrix = mpmath.matrix(count, count)
    for row, x in enumerate(points):
        for column in range(count):
            matrix[row, column] = x**column
    return list(mpmath.lu_solve(matrix, mpmath.matrix([function(x) for x in points])))


def least(function, low, high, count, weight):
    """Coefficients of the least largest `weight` times error: errors of alternating sign, all equal."""
    middle, half = (low + high) / 2, (high - low) / 2
    grid = [middle - half * mpmath.cos(mp.pi * k / 600) for k in range(601)]
    # Where the result sees no error, there is none to be equal.
    grid = [x for x in grid if weight(x) > mpf(10) ** -12]
    values = [(x, function(x), weight(x)) for x in grid]
    points = [values[(len(grid) - 1) * k // count] for k in range(count + 1)]
    while True:
        matrix = mpmath.matrix(count + 1, count + 1)
        for row, (x, _, w) in enumerate(points):
            for column in range(count):
                matrix[row, column] = x**column
            matrix[row, count] = (-1) ** row / w
        exact = mpmath.matrix([value for _, value, _ in points])
        *kept, error = mpmath.lu_solve(matrix, exact)
        # The largest error between two changes of sign.
        extremes = []
        for point in values:
            x, value, w = point
            here = (mpmath.polyval(kept[::-1], x) - value) * w
            if extremes and (here > 0) == (extremes[-1][0] > 0):
                extremes[-1] = max(extremes[-1], (here, point), key=lambda e: abs(e[0]))
            else:
                extremes.append((here, point))
        if len(extremes) > count + 1:
            extremes.pop(0 if abs(extremes[0][0]) < abs(extremes[-1][0]) else -1)
        assert len(extremes) == count + 1
        if max(abs(here) for here, _ in extremes) < abs(error) * mpf("1.001"):
            return kept
        points = [point for _, point in extremes]


def fit(name, function, low, high, count, bits, weight=lambda x: 1, by=None):
    """Prints coefficients of `count` powers; `weight` times the error is what the result sees."""
    low, high = mpf(low), mpf(high)
    if by is least:
        coefficients = least(function, low, high, count, weight)
    else:
        coefficients = interpolate(function, low, high, count)
    kept = [rounded(c, bits) for c in coefficients]
    error = 0
    for k in range(2001):
        x = low + (high - low) * k / 2000
        if x == 0:
            x = mpf(10) ** -20
        value = sum(c * x**k for k, c in enumerate(kept))
        error = max(error, abs((value - function(x)) * weight(x)))
    digits = 9 if bits == 24 else 17
    print(f"// {name}, off by 2^{mpmath.nstr(mpmath.log(error, 2), 4)}")
    for c in kept:
        print(f"    {mpmath.nstr(c, digits, min_fixed=-3, max_fixed=3)},")


def parts(name, value, bits):
    """A constant as a sum: every part but the last has its number of bits."""
    print(f"// {name}")
    for count in bits:
        part = rounded(value, count)
        print(f"    {mpmath.nstr(part, 9 if bits[-1] == 24 else 17)},")
        value -= part


def exponential(x):
    """(e^x - 1 - x) / x²"""
    return sum(x**k / mpmath.factorial(k + 2) for k in range(40))


def binary_exponential(r):
    """(2^r - 1 - r ln 2) / r²"""
    return sum(LN2 ** (k + 2) * r**k / mpmath.factorial(k + 2) for k in range(40))


def logarithm(z):
    """(2 atanh(s) - 2 s) / s, of z = s²"""
    return sum(2 * z**k / (2 * k + 3) for k in range(60))


LN2 = mpmath.log(2)
edge = LN2 / 2 * mpf("1.01")
small = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2 * mpf("1.01")

def tangent(z):
    """(tanh(x) - x) / x³, of z = x²"""
    if abs(z) < mpf(10) ** -15:
        return -mpf(1) / 3 + 2 * z / 15
    x = mpmath.sqrt(z)
    return (mpmath.tanh(x) - x) / x**3


def grid(name, value, places):
    """A constant as a sum, the first part with this many places behind the point."""
    head = mpmath.nint(value * 2**places) / 2**places
    print(f"// {name}")
    for part in (head, value - head):
        print(f"    {mpmath.nstr(part, 9 if places < 24 else 17)},")


for bits, exp_count, ln_count, tanh_count, head, places in [
    (24, 5, 4, 4, 15, 20),
    (53, 10, 7, 10, 42, 46),
]:
    print(f"// ---- f{32 if bits == 24 else 64}")
    fit("EXP", exponential, -edge, edge, exp_count, bits, lambda x: x * x / mpmath.exp(x), by=least)
    half = mpf("0.501")
    fit("EXP2", binary_exponential, -half, half, exp_count, bits, lambda r: r * r / 2**r, by=least)
    fit("LN", logarithm, 0, small, ln_count, bits, lambda z: z / 2)
    fit("TANH", tangent, 0, mpf("0.303"), tanh_count, bits, lambda z: z, by=least)
    parts("LN_2", LN2, [head, bits])
    scale = -2 * mpmath.sqrt(2 / mp.pi) / LN2
    # The sum with the other part times x², less this head, is exact: both are multiples of the last
    # place of the sum, which is less than 16 in f32 and 64 in f64.
    grid("GELU 1", scale, places)
    parts("GELU 3", scale * mpf("0.044715"), [bits, bits])

print("// ---- f32, in f64")
fit("EXP", exponential, -edge, edge, 6, 53, lambda x: x * x / mpmath.exp(x))
fit("LN", logarithm, 0, small, 6, 53, lambda z: z / 2)
quarter = (mp.pi / 4 * mpf("1.001")) ** 2


def sine(z):
    """(sin(x) - x) / x³, of z = x²"""
    return sum((-1) ** (k + 1) * z**k / mpmath.factorial(2 * k + 3) for k in range(30))


def cosine(z):
    """(cos(x) - 1) / x², of z = x²"""
    return sum((-1) ** (k + 1) * z**k / mpmath.factorial(2 * k + 2) for k in range(30))


fit("SIN", sine, 0, quarter, 4, 53, lambda z: z)
fit("COS", cosine, 0, quarter, 4, 53, lambda z: z * mpmath.sqrt(2))
fit("ERF", lambda z: mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z), 0, 1, 8, 53)


def tail(t):
    """e^(a²) erfc(a), of t = (a - 2) / (a + 2)"""
    a = 2 * (1 + t) / (1 - t)
    return mpmath.exp(a * a) * mpmath.erfc(a)


fit("ERFC", tail, -1, mpf(8.5) / mpf(12.5), 13, 53, lambda t: 1 / tail(t))


# ---- constants.rs, for f64

TABLES = Path(__file__).parents[1] / "tensor-kernels/src/element/math/constants.rs"
lines = [
    "//! Constants of functions of `f64`, written by `tools/minimax.py`.",
    "",
    "#![allow(clippy::excessive_precision, clippy::approx_constant)]",
]


def digits(number):
    """The fewest digits that give this double."""
    return repr(float(number))


def array(name, doc, values, element="f64"):
    lines.extend(["", f"/// {doc}", f"pub(super) const {name}: [{element}; {len(values)}] = ["])
    lines.extend(f"    {value}," for value in values)
    lines.append("];")


def polynomial(function, low, high, count):
    return [digits(rounded(c, 53)) for c in interpolate(function, mpf(low), mpf(high), count)]


def words_of_two_over_pi(count):
    """Words of 64 bits behind the point, after a word of zeros."""
    with mpmath.workprec(64 * count + 100):
        whole = int(mpmath.floor(2 / mp.pi * mpf(2) ** (64 * count)))
    words = [0] + [whole >> (64 * (count - 1 - k)) & (2**64 - 1) for k in range(count)]
    return [f"0x{word:016x}" for word in words]


def logarithms():
    """Of equal steps from 0.6875 to 1 and, twice as wide, to 1.375: c, and -ln c in two parts."""
    for k in range(128):
        width, step = (256, 256 * mpf("0.6875") + k) if k < 80 else (128, 128 + k - 80)
        # 1 itself for what is beside it: its logarithm is then not the difference of two.
        c = mpf(1) if k in (79, 80) else mpmath.nint(256 * width / (step + mpf(1) / 2)) / 256
        value = -mpmath.log(c)
        head = mpmath.nint(value * 2**42) / 2**42
        yield f"[{digits(c)}, {digits(head)}, {digits(value - head)}]"


def error(z):
    """erf(x) / x - 1, of z = x²"""
    x = mpmath.sqrt(z)
    return mpmath.erf(x) / x - 1


def normal(t):
    """P(X > s) e^(s² / 2) (s + 4), of t = (s - 4) / (s + 4)"""
    s = 4 * (1 + t) / (1 - t)
    return mpmath.exp(s * s / 2) * mpmath.erfc(s / mpmath.sqrt(2)) / 2 * (s + 4)


def cube(r):
    """(ln(1 + r) - r + r²/2) / r³"""
    return sum((-r) ** k / (k + 3) for k in range(40))


array("TWO_OVER_PI", "A word of zeros, and 2/π.", words_of_two_over_pi(19), "u64")
array("SIN", "`(sin x - x) / x³`, of `x²`.", polynomial(sine, 0, quarter, 7))
array(
    "COS",
    "`(cos x - 1 + x²/2) / x⁴`, of `x²`.",
    polynomial(lambda z: sum((-z) ** k / mpmath.factorial(2 * k + 4) for k in range(30)), 0, quarter, 6),
)
array("ERF", "`erf(x) / x - 1`, of `x²`.", polynomial(error, 0, 1, 14))
low, high = mpf(-1), (mpf(39) - 4) / (mpf(39) + 4)
coefficients = interpolate(normal, low, high, 28)
first = [part for c in coefficients[:2] for part in (rounded(c, 53), c - rounded(c, 53))]
array(
    "NORMAL",
    "The first coefficients of the polynomial for `P(X > s) e^(s² / 2) (s + 4)`, in two parts each.",
    [digits(part) for part in first],
)
array(
    "NORMAL_TAIL",
    "The other coefficients, of `(s - 4) / (s + 4)`.",
    [digits(rounded(c, 53)) for c in coefficients[2:]],
)
array("LOG_1P", "`(ln(1 + r) - r + r²/2) / r³`.", polynomial(cube, -mpf(1) / 128, mpf(1) / 128, 7))
array(
    "LOGARITHMS",
    "Of the 128 steps between 0.6875 and 1.375: `c`, near the inverse, and `-ln c` in two parts.",
    list(logarithms()),
    "[f64; 3]",
)
TABLES.write_text("\n".join(lines) + "\n")
