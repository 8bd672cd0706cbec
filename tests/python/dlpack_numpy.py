# SPDX-License-Identifier: Apache-2.0
"""NumPy's arrays through DLPack into libheddle.so and back, without a copy. Exit code 77: NumPy has none."""
import ctypes
import sys

import numpy as np

if not hasattr(np, "from_dlpack"):
    print("NumPy", np.__version__, "has no from_dlpack")
    sys.exit(77)

library = ctypes.CDLL(sys.argv[1])


class View(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_uint32), ("ndim", ctypes.c_int32),
                ("place", ctypes.c_int), ("reserved", ctypes.c_uint32),
                ("shape", ctypes.c_int64 * 8), ("stride", ctypes.c_int64 * 8),
                ("scalar", ctypes.c_int64 * 2)]


Done = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
library.hd_error.restype = ctypes.c_char_p
library.hd_open.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
library.hd_error.argtypes = library.hd_close.argtypes = [ctypes.c_void_p]
library.hd_view_of_dlpack.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(View)]
library.hd_dlpack_of_view.argtypes = [ctypes.c_void_p, View, Done, ctypes.c_void_p, ctypes.c_void_p]
library.hd_reduce.argtypes = [ctypes.c_void_p, View, ctypes.c_void_p, View, ctypes.c_void_p]
library.hd_scan.argtypes = library.hd_reduce.argtypes
sum_operator = 1  # HD_SUM of heddle.h

python = ctypes.pythonapi
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

context = ctypes.c_void_p()
assert library.hd_open(ctypes.byref(context), None) == 0


def tried(status):
    assert status == 0, library.hd_error(context).decode()


def view_of(array):
    """The view of an array, and the capsule that keeps it alive."""
    capsule = array.__dlpack__()
    view = View()
    tried(library.hd_view_of_dlpack(context, python.PyCapsule_GetPointer(capsule, b"dltensor"),
                                    ctypes.byref(view)))
    assert view.data == array.ctypes.data, "a copy was made"
    return view, capsule


class Tensor:
    """What NumPy takes: something that hands out a capsule."""

    def __init__(self, view, done):
        self.pointer = ctypes.c_void_p()
        tried(library.hd_dlpack_of_view(context, view, done, None, ctypes.byref(self.pointer)))

    def __dlpack__(self, stream=None):
        return python.PyCapsule_New(self.pointer, b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"):
    whole = np.arange(60).reshape(3, 4, 5).astype(dtype)
    for array in (whole, whole[::2, 1:], whole.T, whole[:, ::-1], whole[1, 2]):
        view, capsule = view_of(array)
        total = np.zeros(1, "f8" if dtype[0] == "f" else "u8" if dtype[0] == "u" else "i8")
        to, kept = view_of(total)
        tried(library.hd_reduce(context, view, sum_operator, to, None))
        assert total[0] == array.sum(dtype=total.dtype), (dtype, array.shape, total)

        gone = []
        done = Done(lambda user: gone.append(True))
        back = np.from_dlpack(Tensor(view, done))
        assert back.shape == array.shape and back.strides == array.strides and back.dtype == array.dtype
        assert (back == array).all() and back.ctypes.data == array.ctypes.data
        assert not gone
        del back
        assert gone == [True], "NumPy's array went, and nobody was told"
        del capsule, kept
library.hd_close(context)
print("NumPy", np.__version__, "and back")
