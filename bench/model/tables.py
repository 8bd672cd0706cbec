#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables that follow a rule, in the form of launches.txt.

tables.py banks      single requests of a warp to shared memory, 1 to 16 bytes a lane (kernels/banks.cu)
tables.py atomics    atomics on few words of global and shared memory (kernels/atomics.cu)
"""
import sys

ALL = 0xffffffff


def probe(name, op, bits, limit=1, start=0, scale=0, stride=0, offset=0, lanes=ALL, high=0, more=0):
    print(name, "banks", "%s_%d" % (op, bits), "1 32 0 u32:below:4096:%d u32:none:32" % limit,
          "i32=%d i32=%d i32=%d i32=%d u32=%d u32=%d i32=%d" % (start, scale, stride, offset, lanes,
                                                               high, more))


def two_lanes(op, bits):
    """Lane 0 and another at two words of one bank, at each of their bytes."""
    for other in (1, 2, 8, 16, 31):
        for a in range(0, 4, bits // 8):
            for b in range(0, 4, bits // 8):
                probe("%s_%d_two_%d_%d%d" % (op, bits, other, a, b), op, bits, offset=a,
                      lanes=1 | 1 << other, high=1 << other, more=128 + b - a)


def anywhere(op, bits):
    some = (0x0000ffff, 0x55555555, 0x13579bdf, 0xf00f00f1)
    for k in range(12):
        limit = (4096 if k % 2 else 16384) // (bits // 8)
        probe("%s_%d_random_%d" % (op, bits, k), op, bits, limit, 32 * k, bits // 8,
              lanes=ALL if k < 8 else some[k - 8])


def banks():
    for op in ("read", "write"):
        for bits in (8, 16, 32, 64, 128):
            for s in range(34):
                probe("%s_%d_stride_%d" % (op, bits, s), op, bits, stride=s * bits // 8)
            anywhere(op, bits)
        for bits, row in ((16, 33), (16, 34), (8, 33), (8, 36), (8, 65), (8, 129)):
            for c in range(4):
                probe("%s_%d_tile%d_%d" % (op, bits, row, c), op, bits, stride=row * bits // 8,
                      offset=c * bits // 8)
        for bits in (8, 16, 32):
            two_lanes(op, bits)


def atomic(name, kernel, kind, shift=0, mask=0, stride=1, lanes=ALL, rounds=1, grid=4096,
           words=131072):
    print(name, "atomics", kernel, grid, "256 0 %s:zeros:%d" % (kind, words),
          "i32=%d i32=%d i32=%d u32=%d i32=%d" % (shift, mask, stride, lanes, rounds))


def global_atomics():
    for k in [op + "_" + kind for op in ("red", "atom") for kind in ("i32", "u64", "f32", "f64")]:
        kind = k.split("_")[1]
        atomic(k + "_one", k, kind)
        atomic(k + "_lane", k, kind, lanes=1, grid=16384)
        for words in (2, 32, 1024):
            atomic("%s_%d" % (k, words), k, kind, mask=words - 1)
        atomic(k + "_warps_32", k, kind, shift=5, mask=31, stride=32)
        atomic(k + "_rounds", k, kind, rounds=32, grid=132)
    for k, kind in (("red_max", "i32"), ("red_or", "u32"), ("atom_exch", "i32"),
                    ("atom_inc", "u32"), ("atom_cas", "i32")):
        atomic(k + "_one", k, kind)
    for k in ("red_i32", "atom_i32"):
        atomic(k + "_2_apart", k, "i32", mask=1, stride=8)
        atomic(k + "_2_far", k, "i32", mask=1, stride=1024)
        atomic(k + "_32_apart", k, "i32", mask=31, stride=8)
        atomic(k + "_32_far", k, "i32", mask=31, stride=1024)
        atomic(k + "_few", k, "i32", grid=64)


def atomics():
    for kind, grid in (("i32", 32768), ("u64", 4096), ("f32", 4096)):
        print("same_" + kind, "atomics", "same_" + kind, grid, "256 0 %s:zeros:4" % kind)
    print("same_ticket atomics same_ticket 32768 256 0 i32:zeros:4 i32:none:8388608")
    global_atomics()
    for n in (16, 32, 64, 128):
        atomic("cas_loop_%d" % (n * 256), "cas_loop", "i32", grid=n)
    for k, kind in (("shared_one", "u32"), ("shared_i32", "i32"), ("shared_atom_i32", "i32"),
                    ("shared_max", "i32"), ("shared_u64", "u64"), ("shared_f32", "f32")):
        shape = dict(rounds=64, grid=1056, words=1056)
        atomic(k + "_one", k, kind, **shape)
        atomic(k + "_32", k, kind, mask=31, **shape)
        atomic(k + "_lane", k, kind, lanes=1, **shape)


if __name__ == "__main__":
    {"banks": banks, "atomics": atomics}[sys.argv[1]]()
