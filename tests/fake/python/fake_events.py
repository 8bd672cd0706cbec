# SPDX-License-Identifier: Apache-2.0
"""Events of the fake modules: times of the host's clock."""
import time


class Event:
    def __init__(self, enable_timing=True):
        self.at = 0

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return 1e3 * (end.at - self.at)
