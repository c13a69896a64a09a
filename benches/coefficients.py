"""The coefficients of tensor-core/src/element/functions/: `python3 benches/coefficients.py`.

Needs mpmath. Every polynomial interpolates its function at the Chebyshev points of the interval,
with 60 digits; what it misses is then within a few percent of the least possible (Trefethen,
Approximation Theory and Approximation Practice, chapter 16). Prints each table, rounded to the type that
uses it, and the largest error, as the result of the function sees it.
"""

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


def fit(name, function, low, high, count, bits, weight=lambda x: 1):
    """Prints coefficients of `count` powers; `weight` times the error is what the result sees."""
    low, high = mpf(low), mpf(high)
    kept = [rounded(c, bits) for c in interpolate(function, low, high, count)]
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


def logarithm(z):
    """(2 atanh(s) - 2 s) / s, of z = s²"""
    return sum(2 * z**k / (2 * k + 3) for k in range(60))


LN2 = mpmath.log(2)
edge = LN2 / 2 * mpf("1.01")
small = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2 * mpf("1.01")

for bits, exp_count, ln_count, head in [(24, 6, 4, 15), (53, 10, 7, 42)]:
    print(f"// ---- f{32 if bits == 24 else 64}")
    fit("EXP", exponential, -edge, edge, exp_count, bits, lambda x: x * x / mpmath.exp(x))
    fit("LN", logarithm, 0, small, ln_count, bits, lambda z: z / 2)
    parts("LN_2", LN2, [head, bits])
    scale = 2 * mpmath.sqrt(2 / mp.pi) / LN2
    long, short = (12, 8) if bits == 24 else (30, 17)
    parts("GELU 1", scale, [long, bits])
    parts("GELU 3", scale * mpf("0.044715"), [short, bits])

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
