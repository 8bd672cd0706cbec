# SPDX-License-Identifier: Apache-2.0
"""CuPy for tests: as much of it as heddle bench calls, by NumPy on the host."""
from numpy import *  # noqa: F403
from numpy import amax, amin, asarray, sum  # not among those of *

import fake_events

__version__ = "fake"


def asnumpy(x):
    return asarray(x)


class cuda:
    Event = fake_events.Event

    class runtime:
        @staticmethod
        def getDeviceCount():
            return 1

    @staticmethod
    def get_elapsed_time(begin, end):
        return begin.elapsed_time(end)
