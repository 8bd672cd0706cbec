# SPDX-License-Identifier: Apache-2.0
"""PyTorch for tests: as much of it as heddle bench calls, by NumPy on the host."""
import numpy as np

import fake_events

__version__ = "fake"
int64 = np.int64


class Tensor(np.ndarray):
    def cuda(self):
        return self.copy()

    def cpu(self):
        return self

    def numpy(self):
        return self.view(np.ndarray)


def from_numpy(x):
    return x.view(Tensor)


def tensor(x):
    return np.asarray(x).view(Tensor)


def sum(x, dtype):
    return tensor(np.sum(x, dtype=dtype))


def amin(x):
    return tensor(np.amin(x))


def amax(x):
    return tensor(np.amax(x))


def argmax(x):
    return tensor(np.argmax(x))


def cumsum(x, axis, dtype):
    return tensor(np.cumsum(x, axis, dtype=dtype))


def cummax(x, axis):
    return tensor(np.maximum.accumulate(x, axis)), None


def masked_select(x, mask):
    return x[mask]


def unique_consecutive(x, return_counts=False):
    starts = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    counts = np.diff(np.append(starts, x.size))
    return (x[starts], tensor(counts)) if return_counts else x[starts]


class cuda:
    Event = fake_events.Event

    @staticmethod
    def is_available():
        return True
