# SPDX-License-Identifier: Apache-2.0
"""The program against NumPy, over types, byte orders, memory orders and format versions."""
import io
import json
import os
import subprocess
import sys

import numpy as np
from numpy.lib import format as npy

HEDDLE = os.environ["HEDDLE"]
SMALL = os.environ.get("HEDDLE_TEST_SMALL", "0") not in ("", "0")
KINDS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "b1"]
rng = np.random.default_rng(1)
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what, file=sys.stderr)


def heddle(*arguments, stdin=None):
    run = subprocess.run([HEDDLE, *arguments], input=stdin, capture_output=True)
    check(run.returncode == 0, arguments, run.returncode, run.stderr.decode())
    return run.stdout


def values(kind, shape):
    """Small whole numbers: sums of them are exact in every type that holds them."""
    low = 0 if kind[0] in "ub" else -3
    return rng.integers(low, 2 if kind == "b1" else 4, size=shape).astype(kind)


def file_bytes(a, version):
    stream = io.BytesIO()
    npy.write_array(stream, a, version=version)
    return stream.getvalue()


def check_copy(kind, order, version, a):
    """A scan with max along an axis of length 1 copies the array."""
    a = a.reshape(a.shape + (1,), order="A")
    a = a.astype(a.dtype.newbyteorder(order))
    with open("x.npy", "wb") as f:
        f.write(file_bytes(a, version))
    heddle("scan", "x.npy", "--op", "max", "--axis", "-1", "-o", "y.npy")
    b = np.load("y.npy")
    check(b.dtype == a.dtype.newbyteorder("=") and b.shape == a.shape and np.array_equal(a, b),
          kind, order, version, a.flags.f_contiguous, a.shape)


def check_values(kind, a):
    np.save("x.npy", a)
    whole = heddle("reduce", "x.npy").decode().split()
    if kind != "f2":
        check(type(np.sum(a))(whole[0]) == np.sum(a), kind, "sum", whole, np.sum(a))
    most = heddle("reduce", "x.npy", "--op", "argmax").decode().split()
    check(int(most[0]) == np.argmax(a), kind, "argmax", most, np.argmax(a))
    for axis in range(a.ndim):
        heddle("reduce", "x.npy", "--axis", str(axis), "-o", "y.npy")
        b = np.load("y.npy")
        same_type = kind == "b1" or b.dtype == np.sum(a).dtype
        check(np.array_equal(b, np.sum(a, axis=axis)) and same_type, kind, "axis", axis)
        heddle("scan", "x.npy", "--axis", str(axis), "--verify", "-o", "y.npy")
        check(np.array_equal(np.load("y.npy"), np.cumsum(a, axis=axis)), kind, "cumsum", axis)
    out = heddle("scan", "-", "-o", "-", stdin=file_bytes(a, None))
    b = npy.read_array(io.BytesIO(out))
    check(b.shape == a.shape and np.array_equal(b.ravel(), np.cumsum(a)), kind, "through pipes")


def check_printing():
    """Every printed float reads back to the same bits, and is what Python would print."""
    for kind, bits in [("f4", "u4"), ("f8", "u8"), ("f2", "u2")]:
        most = np.iinfo(bits).max
        a = rng.integers(0, most, size=2000, dtype=bits, endpoint=True).view(kind)
        with np.errstate(over="ignore"):
            b = 10.0 ** rng.integers(-7, 20, size=300) * rng.integers(1, 100, size=300)
            b = b.astype(kind)
        a = np.concatenate([a, b, np.array([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan], kind)])
        np.save("x.npy", a.reshape(-1, 1))
        lines = heddle("scan", "x.npy", "--op", "max", "--axis", "1").decode().split()
        back = np.array([float(s) for s in lines]).astype(kind)
        same = (back.view(bits) == a.view(bits)) | (np.isnan(back) & np.isnan(a))
        check(len(lines) == a.size and same.all(), kind, "printed values read back")
        if kind == "f8":
            check(all(s == repr(float(x)) for s, x in zip(lines, a)), "as Python prints them")


def check_json():
    np.save("x.npy", np.array([1.5, np.inf, -2.0]))
    d = json.loads(heddle("reduce", "x.npy", "--op", "max", "--json", "--hex"))
    check(d["value"] == "inf" and d["bits"] == "0x7ff0000000000000", d)
    d = json.loads(heddle("scan", "x.npy", "--json"))
    check(d["values"] == [1.5, "inf", "inf"] and d["shape"] == [3], d)


def check_even_bins():
    """Even bins are numpy.histogram's, at every edge and just beside it; f32 as f64."""
    for bins in range(1, 201, 13 if SMALL else 3):
        for kind, low, high in [("f8", 0.0, 1.0), ("f8", -0.7, 0.1), ("f4", 0.0, 1.0),
                                ("i4", -100.0, 250.0)]:
            edges = np.linspace(low, high, bins + 1)
            beside = [np.nextafter(edges, -np.inf), edges, np.nextafter(edges, np.inf)]
            a = np.concatenate(beside + [np.array([low - 1, high + 1])]).astype(kind)
            np.save("x.npy", a)
            lines = heddle("histogram", "x.npy", "--bins", str(bins),
                           f"--range={low!r}:{high!r}").decode().splitlines()
            counts, _ = np.histogram(a.astype("f8"), bins=bins, range=(low, high))
            got = [line.split() for line in lines]
            check([int(g[2]) for g in got] == counts.tolist(), kind, bins, low, high, got)
            check([float(g[0]) for g in got] == edges[:-1].tolist(), "edges", bins, low, high)


def main():
    turn = 0
    for kind in KINDS:
        for shape in [(), (0,), (1,), (7,), (3, 5), (2, 3, 4), (4, 0, 2)]:
            for memory in "CF":
                # Reduced: one way in five, others for each type.
                for order in "<>=":
                    turn += 1
                    if SMALL and turn % 5:
                        continue
                    a = np.asarray(values(kind, shape), order=memory)
                    check_copy(kind, order, [(1, 0), (2, 0), (3, 0)][a.size % 3], a)
        check_values(kind, values(kind, (37, 11)))
    check_printing()
    check_json()
    check_even_bins()
    return failures != 0


sys.exit(main())
