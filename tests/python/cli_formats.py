# SPDX-License-Identifier: Apache-2.0
"""Files of NumPy and of Pillow, where it is here, read by the program, and the other way round."""
import os
import subprocess
import sys

import numpy as np

try:
    from PIL import Image
except ImportError:
    Image = None

HEDDLE = os.environ["HEDDLE"]
FORMATS = os.environ["FORMATS"].split()
KINDS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "b1"]
rng = np.random.default_rng(2)
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what, file=sys.stderr)


def convert(source, target, *options):
    run = subprocess.run([HEDDLE, "convert", source, "-o", target, *options], capture_output=True)
    check(run.returncode == 0, source, target, options, run.stderr.decode())
    return run.stdout


def same(a, b, *what):
    check(a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f"),
          *what, a.dtype, b.dtype, a.shape, b.shape)


def values(kind, shape):
    bits = rng.integers(0, 256, size=(*shape, np.dtype(kind).itemsize), dtype="u1")
    if kind == "b1":
        bits &= 1
    return bits.view(kind)[..., 0].copy()


def check_npz(kind, order):
    a = np.asarray(values(kind, (5, 7)), order=order)
    for save in (np.savez, np.savez_compressed):
        save("n.npz", only=a)
        convert("n.npz", "n.npy")
        same(np.load("n.npy"), a, "npz in", kind, order, save.__name__)
    np.savez("n.npz", x=a[:1], big=a.astype(a.dtype.newbyteorder(">")))
    convert("n.npz:big", "m.npz")
    with np.load("m.npz") as archive:
        check(archive.files == ["arr_0"], archive.files)
        same(archive["arr_0"], a, "npz out", kind, order)
    with open("m.npz", "wb") as f:
        f.write(convert("n.npz:x", "-", "--to", "npz"))
    with np.load("m.npz") as archive:
        same(archive["arr_0"], a[:1], "npz through a pipe", kind)


def check_csv(kind):
    a = values(kind, (6, 3))
    np.save("c.npy", a)
    convert("c.npy", "c.csv")
    read = {"i": "i8", "u": "u8", "b": "i8"}.get(kind[0], "f8")
    b = np.loadtxt("c.csv", delimiter=",", dtype=read).astype(kind)
    same(b, a, "csv out", kind)
    np.savetxt("c.csv", a.astype(read), delimiter=",", fmt="%.17g" if read == "f8" else "%d", header="a,b,c")
    name = np.dtype(kind).name.replace("uint", "u").replace("int", "i").replace("float", "f")
    convert("c.csv", "d.npy", "--dtype", name)
    same(np.load("d.npy"), a, "csv in", kind)
    np.savetxt("c.txt", a.astype(read), fmt="%.17g" if read == "f8" else "%d")
    convert("c.txt", "d.npy", "--dtype", name)
    same(np.load("d.npy"), a, "text in", kind)


def check_image(mode, shape):
    """Pillow's files read by the program, and the program's by Pillow."""
    a = rng.integers(0, 256, size=shape, dtype="u1")
    image = Image.fromarray(a, mode)
    for name in ["p.png"] + (["p.ppm"] if mode in ("L", "RGB") else []):
        image.save(name)
        convert(name, "p.npy")
        same(np.load("p.npy"), a, "Pillow's", name, mode)
    np.save("p.npy", a)
    convert("p.npy", "q.png")
    same(np.asarray(Image.open("q.png")), a, "q.png", mode)


def check_odd_images():
    a = rng.integers(0, 256, size=(9, 13), dtype="u1")
    bits = Image.fromarray(a).convert("1")
    bits.save("b.png")
    convert("b.png", "b.npy")
    same(np.load("b.npy"), np.asarray(bits).astype("u1") * 255, "one bit")
    palette = Image.fromarray(np.dstack([a, a // 2, 255 - a])).quantize(7)
    palette.save("b.png")
    convert("b.png", "b.npy")
    same(np.load("b.npy"), np.asarray(palette.convert("RGB")), "a palette")
    deep = a.astype("u2") * 257 + 3
    np.save("b.npy", deep)
    convert("b.npy", "b.png")
    same(np.asarray(Image.open("b.png")).astype("u2"), deep, "16 bits")


for kind in KINDS:
    if "npz" in FORMATS:
        check_npz(kind, "F" if kind in ("i4", "f8") else "C")
    check_csv(kind)
if Image is not None and "png" in FORMATS:
    for mode, shape in [("L", (9, 13)), ("LA", (9, 13, 2)), ("RGB", (9, 13, 3)), ("RGBA", (9, 13, 4))]:
        check_image(mode, shape)
    check_odd_images()
sys.exit(failures > 0)
