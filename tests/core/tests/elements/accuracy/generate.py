"""Writes doubles.txt, what functions of f64 are exactly: `python3 tests/accuracy/generate.py`.

Needs mpmath. Special values, what is near the ends of every range, and random numbers of every
exponent and where each function bends.
"""

import random
import struct
from pathlib import Path

from mpmath import mp, mpf
import mpmath

mp.prec = 2400
random.seed(7)

ROOT = mpmath.sqrt(2 / mp.pi)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def logistic(v):
    return 1 / (1 + mpmath.exp(-v))


def gelu_tanh(x):
    return x * logistic(2 * ROOT * (x + mpf("0.044715") * x**3))


FUNCTIONS = {
    "exp": (mpmath.exp, -760, 720),
    "exp_m1": (mpmath.expm1, -45, 720),
    "ln": (mpmath.log, 0, 10),
    "ln_1p": (lambda x: mpmath.log(1 + x), -1, 10),
    "tanh": (mpmath.tanh, -25, 25),
    "sigmoid": (logistic, -760, 60),
    "silu": (lambda x: x * logistic(x), -770, 60),
    "softplus": (lambda x: mpmath.log(1 + mpmath.exp(x)), -760, 60),
    "gelu_tanh": (gelu_tanh, -22.5, 10),
    "gelu": (lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2, -39, 10),
    "erf": (mpmath.erf, -7, 7),
    "sin": (mpmath.sin, -1000, 1000),
    "cos": (mpmath.cos, -1000, 1000),
}
# At -0 (the sign is checked elsewhere), -∞, ∞.
INFINITE = {
    "exp": (0, float("inf")),
    "exp_m1": (-1, float("inf")),
    "ln": (float("nan"), float("inf")),
    "ln_1p": (float("nan"), float("inf")),
    "tanh": (-1, 1),
    "sigmoid": (0, 1),
    "softplus": (0, float("inf")),
    "erf": (-1, 1),
    "sin": (float("nan"), float("nan")),
    "cos": (float("nan"), float("nan")),
}
LARGEST = mpf(2) ** 1024 - mpf(2) ** 970


def nearest(y):
    """The nearest double and how far y is above it, in ulps."""
    if abs(y) >= mpf(2) ** 1024 - mpf(2) ** 969:
        return float("inf") if y > 0 else float("-inf"), mpf(0)
    exponent = -1074
    if y != 0:
        exponent = max(int(mpmath.floor(mpmath.log(abs(y), 2))) - 52, -1074)
    ulp = mpf(2) ** exponent
    whole = mpmath.nint(y / ulp)
    return float(whole * ulp), y / ulp - whole


def numbers(low, high):
    for exponent in range(-1074, 1024, 13):
        for sign in (1, -1):
            yield sign * (1 + random.random()) * 2.0**exponent
    for _ in range(150):
        yield random.uniform(low, high)
        yield random.uniform(max(low, -3), 3)
        yield random.uniform(-0.6, 0.6)
    yield from (5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308)
    yield from (-1.7976931348623157e308, 1.0, -1.0, 709.782712893384, 709.7827128933841)
    # The double that is nearest to a multiple of π/2, and numbers near small multiples.
    yield 6381956970095103 * 2.0**797
    yield from (k * 1.5707963267948966 for k in range(-9, 10) if k)
    # Where the largest errors were among some hundred thousand numbers.
    yield from (-36.702371748542781, -36.737744256740932, -11.300543299556258, 0.57934494507044354)
    yield from (0.55655625576573919, 0.39530031629060991, -0.29315879886812779, 0.30153077051075144)
    yield from (-37.762373586314816, -710.13591650805461, 0.63524261904384038, 0.95705948701465893)
    yield from (-708.4, -744.44, -745.13, -745.14, 1.0000000000000002, 0.9999999999999999)


lines = []
for name, (function, low, high) in FUNCTIONS.items():
    for x in numbers(low, high):
        if name == "ln":
            x = abs(x)
        if (name == "ln_1p" and x < -1) or x == 0:
            continue
        large = name not in ("ln", "ln_1p", "sin", "cos") and abs(x) > 1e4
        if large:
            if name in INFINITE:
                y, above = (mpf(INFINITE[name][x > 0]), mpf(0))
                if name == "softplus" and x > 0:
                    y = mpf(x)
            else:
                y = mpf(x) if x > 0 else mpf(0)
            y = float(y)
            lines.append(f"{name} {bits(x):x} {bits(y):x} 0")
            continue
        if name == "ln_1p" and x == -1:
            y, above = float("-inf"), mpf(0)
        else:
            y, above = nearest(function(mpf(x)))
        lines.append(f"{name} {bits(x):x} {bits(y):x} {mpmath.nstr(above, 4)}")
    for x, y in zip((float("-inf"), float("inf")), INFINITE.get(name, ())):
        lines.append(f"{name} {bits(x):x} {bits(float(y)):x} 0")
    lines.append(f"{name} {bits(float('nan')):x} {bits(float('nan')):x} 0")
for k in range(1500):
    x = random.uniform(0.5, 2) if k % 2 else 2.0 ** random.randrange(-1074, 1023) * (1 + random.random())
    end = 1075 / abs(float(mpmath.log(x, 2)))
    y = random.uniform(-end, end) if k % 3 else float(random.randrange(-9, 9))
    value, above = nearest(mpf(x) ** mpf(y))
    lines.append(f"pow {bits(x):x},{bits(y):x} {bits(value):x} {mpmath.nstr(above, 4)}")
for power in (-2, 3, 4, 5, -7, 31, -200):
    end = 1074 / abs(power)
    for _ in range(60):
        x = 2.0 ** random.uniform(-end, end) * random.choice((-1, 1))
        value, above = nearest(mpf(x) ** power)
        lines.append(f"powi {bits(x):x},{bits(float(power)):x} {bits(value):x} {mpmath.nstr(above, 4)}")
# Inverse hyperbolic functions bend at 0 and 1, and x³/6 is a rounding error where they change.
INVERSE = {"asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh}
for name, function in INVERSE.items():
    for x in list(numbers(-3, 3))[::3]:
        near_one = [1 - abs(x) / 4, 1 + abs(x) / 4]
        near_one += [1 + 2.0 ** -random.uniform(1, 52), 1 - 2.0 ** -random.uniform(1, 53)]
        for x in [x, *near_one]:
            if name == "acosh" and x < 1 or name == "atanh" and abs(x) >= 1 or x == 0:
                continue
            value, above = nearest(function(mpf(x)))
            lines.append(f"{name} {bits(x):x} {bits(value):x} {mpmath.nstr(above, 4)}")
Path(__file__).with_name("doubles.txt").write_text("\n".join(lines) + "\n")
