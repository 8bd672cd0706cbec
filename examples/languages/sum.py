#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Sums and running totals from Python, through the C interface: sum.py [libheddle.so]
import ctypes as c
import sys


class View(c.Structure):
    """hd_view, as heddle.h has it."""
    _fields_ = [("data", c.c_void_p), ("kind", c.c_uint32), ("ndim", c.c_int32),
                ("space", c.c_int16), ("device", c.c_int16), ("read_only", c.c_uint32),
                ("shape", c.c_int64 * 8), ("stride", c.c_int64 * 8), ("scalar", c.c_uint64 * 2)]


F64 = 12  # HD_F64
SUM = 1  # HD_SUM: built-in operators are numbers

heddle = c.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libheddle.so")
heddle.hd_open.argtypes = [c.POINTER(c.c_void_p), c.c_void_p]
heddle.hd_close.argtypes = [c.c_void_p]
heddle.hd_error.argtypes, heddle.hd_error.restype = [c.c_void_p], c.c_char_p
for call in (heddle.hd_reduce, heddle.hd_scan):
    call.argtypes = [c.c_void_p, View, c.c_void_p, View, c.c_void_p]


def view(x):
    v = View(c.cast(x, c.c_void_p), F64, 1)
    v.shape[0], v.stride[0] = len(x), 1
    return v


x = (c.c_double * 1000)(*range(1, 1001))
total, running = (c.c_double * 1)(), (c.c_double * 1000)()
ctx = c.c_void_p()
status = heddle.hd_open(c.byref(ctx), None)
status = status or heddle.hd_reduce(ctx, view(x), SUM, view(total), None)
status = status or heddle.hd_scan(ctx, view(x), SUM, view(running), None)
if status:
    sys.exit(heddle.hd_error(ctx).decode())
heddle.hd_close(ctx)
print(f"sum {total[0]:g}, of the first ten {running[9]:g}")
