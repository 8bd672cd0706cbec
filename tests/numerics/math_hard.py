# SPDX-License-Identifier: Apache-2.0
"""python3 tests/numerics/math_hard.py >tests/numerics/math_hard.def: values of functions at arguments that are hard, as the sum of
two doubles, by mpmath. Arguments next to multiples of pi / 2 are found by continued fractions."""
import math
import random

from mpmath import mp, mpf

mp.prec = 1400
random.seed(18)


def near_quarters(count):
    """Doubles m 2^e, m below 2^53, that come nearest to a multiple of pi / 2."""
    found = []
    for e in range(-40, 971, 3):
        # Convergents of 2^e 2 / pi: their denominators are the m.
        h0, h1, k0, k1 = 0, 1, 1, 0
        y = mpf(2) ** e * 2 / mp.pi
        while True:
            a = int(mp.floor(y))
            h0, h1, k0, k1 = h1, a * h1 + h0, k1, a * k1 + k0
            if k1 >= 2**53:
                break
            best = k1
            if y == a:
                break
            y = 1 / (y - a)
        if best >= 2**44:
            value = mpf(best) * mpf(2) ** e
            turns = value * 2 / mp.pi
            found.append((abs(turns - mp.nint(turns)), float(value)))
    found.sort()
    return [x for _, x in found[:count]]


def around(x, *steps):
    out = []
    for s in steps:
        y = x
        for _ in range(abs(s)):
            y = math.nextafter(y, math.inf if s > 0 else -math.inf)
        out.append(y)
    return out


quarters = near_quarters(24)
near_one = [1 + s * 2.0**-k for k in (52, 51, 40, 30, 27, 20, 10, 4) for s in (1, -1)]
tiny = [5e-324, 2.2250738585072014e-308, 1e-310, 2.0**-60, 2.0**-54, 2.0**-53, 1e-10, 2.0**-27, 1e-5]
large = [1.7976931348623157e308, 1e300, 2.0**1023, 1e22, 6381956970095103 * 2.0**797]
halves = [math.log(2) * (k + 0.5) for k in (-1075, -1000, -40, -2, -1, 0, 1, 2, 40, 1000)]
ends = around(709.782712893384, -3, -1, 0) + around(-745.13, -1, 0) + around(-708.3964185322641, -1, 0, 1)
mids = [random.uniform(-3, 3) for _ in range(10)]
signed = [s * x for x in tiny for s in (1, -1)]

one = {
    "sqrt": (mp.sqrt, near_one + tiny + large + [2.0, 3.0, 1e-320]),
    "cbrt": (mp.cbrt, near_one + tiny + large + [2.0, 3.0, 1e-320]),
    "exp": (mp.exp, signed + halves + ends + mids),
    "exp2": (lambda x: mpf(2) ** x, signed + [k + 0.5 for k in (-1075, -1022, -3, -1, 0, 2, 1023)] + mids),
    "expm1": (mp.expm1, signed[2:] + halves[2:] + mids + [-37.5, -36.0]),
    "tanh": (mp.tanh, signed[2:] + mids + [0.5, 1.0, 5.0, 18.0, 19.0, 22.0]),
    "log": (mp.log, near_one + tiny + large + [abs(x) for x in mids]),
    "log2": (lambda x: mp.log(x) / mp.log(2), near_one + tiny + large + [abs(x) for x in mids]),
    "log10": (lambda x: mp.log(x) / mp.log(10), near_one + tiny + large + [abs(x) for x in mids]),
    "log1p": (mp.log1p, signed[2:] + [abs(x) for x in mids] + [-0.5, -0.9, 2.0**-53 - 1, 1e300, 2.0**53]),
    "sin": (mp.sin, quarters + large + mids + tiny),
    "cos": (mp.cos, quarters + large + mids + tiny),
    "tan": (mp.tan, quarters + large + mids + tiny),
    "atan": (mp.atan, signed[2:] + mids + large + [0.25, 0.75, 4.0, 4 / 3, 1e16, 1e8]),
}
two = {
    "pow": (mp.power, [(x, math.log(r) / math.log(x) if x != 1 else 1.0)
                       for x in [1 + 2.0**-52, 1 - 2.0**-53, 0.5, 0.866, 1.16, 10.0, 1e-300, 5e-324, 1.7e308]
                       for r in (1e-320, 1e-300, 1e-5, 2.5, 1e300)]
            + [(10.0, 22.0), (10.0, -5.0), (3.0, 0.5), (0.1, 308.0), (1.0000001, 1e10)]),
    "hypot": (mp.hypot, [(3e-320, 4e-320), (1e300, 1e300), (1.0, 2.0**-27), (1.0, 1.0), (1e-200, 1e-201), (7.0, 5e-324)]),
    "atan2": (mp.atan2, [(y, x) for y in (1.0, -1e-300, 5e-324, 1e308, 3.0) for x in (1.0, -1.0, 1e-308, 1e308, 4.0)]),
}


def row(kind, name, arguments, value):
    try:
        hi = float(value)
    except OverflowError:
        return
    if math.isinf(hi):
        return
    words = [float(a).hex() for a in arguments] + [hi.hex(), float(value - mpf(hi)).hex()]
    print(f"{kind}({name}, {', '.join(words)})")


print("// SPDX-License-Identifier: Apache-2.0")
print("// Made by tests/numerics/math_hard.py: function, arguments, value as the sum of two doubles.")
for name, (f, xs) in one.items():
    for x in xs:
        row("HARD_ONE", name, [x], f(mpf(x)))
for name, (f, pairs) in two.items():
    for x, y in pairs:
        row("HARD_TWO", name, [x, y], f(mpf(x), mpf(y)))
