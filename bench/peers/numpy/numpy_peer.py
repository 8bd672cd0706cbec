# SPDX-License-Identifier: Apache-2.0
"""NumPy's side of heddle bench: a child process that reads a line, does it, answers a line.

  job PATTERN OP TYPE OUT_TYPE N IN_PLACE EXCLUSIVE SEGMENTS IN OFFSETS
            reads the files IN (and OFFSETS) into memory of its own -> "ok" or "no"
  once OUT  does the job once and writes the file OUT               -> "ok"
  run K     does it K times                                         -> nanoseconds
            (of the processors if HEDDLE_BENCH_CPU_TIME is set)
  end       forgets the job                                         -> "ok"

Every call writes into an array made beforehand. The clock is this process's own, around the calls
alone.
"""
import os
import sys
import time

try:
    import numpy as np
except ImportError as error:
    print("no", error, flush=True)
    sys.exit(1)

CLOCK = time.process_time_ns if os.environ.get("HEDDLE_BENCH_CPU_TIME") else time.perf_counter_ns


def make_work(pattern, op, x, y, exclusive, starts):
    """The function without arguments that does the job, or None."""
    if pattern == "reduce":
        return {
            "sum": lambda: np.add.reduce(x, dtype=y.dtype, out=y.reshape(())),
            "min": lambda: np.minimum.reduce(x, out=y.reshape(())),
            "max": lambda: np.maximum.reduce(x, out=y.reshape(())),
            "argmax": lambda: np.argmax(x, out=y.reshape(())),
        }.get(op)
    if pattern == "scan" and not exclusive:
        return {
            "sum": lambda: np.add.accumulate(x, dtype=x.dtype, out=y),
            "max": lambda: np.maximum.accumulate(x, out=y),
        }.get(op)
    if pattern == "segmented" and op == "sum":
        return lambda: np.add.reduceat(x, starts, out=y)
    if pattern == "histogram" and x.dtype.kind == "u":
        return lambda: np.copyto(y, np.bincount(x, minlength=y.size), casting="unsafe")
    if pattern == "histogram":
        return lambda: np.copyto(y, np.histogram(x, y.size, (0, 1))[0], casting="unsafe")
    return None


class Job:
    def __init__(self, words):
        pattern, op, dtype, out_dtype, n, in_place, exclusive, segments, source, offsets = words
        self.in_place = in_place == "1"
        starts = None
        x = np.fromfile(source, dtype=dtype, count=int(n))
        if pattern == "segmented":
            starts = np.fromfile(offsets, dtype="i8", count=int(segments))
        count = {"reduce": 1, "scan": int(n)}.get(pattern, int(segments))
        self.x = x
        self.y = x if self.in_place else np.empty(count, dtype=out_dtype)
        self.work = make_work(pattern, op, self.x, self.y, exclusive == "1", starts)

    def once(self, path):
        self.work()
        self.y.tofile(path)
        if self.in_place:
            self.x[:] = 0

    def run(self, calls):
        work = self.work
        begin = CLOCK()
        for _ in range(calls):
            work()
        return CLOCK() - begin


def answer(job, words):
    """The job there is after a line, and what to say."""
    if words[0] == "job":
        job = Job(words[1:])
        return job, "ok" if job.work else "no"
    if words[0] == "once":
        job.once(words[1])
        return job, "ok"
    if words[0] == "run":
        return job, str(job.run(int(words[1])))
    return None, "ok"


def main():
    job = None
    print("numpy", np.__version__, flush=True)
    for line in sys.stdin:
        try:
            job, said = answer(job, line.split())
        except Exception as error:  # the benchmark leaves NumPy out of the row
            job, said = None, "no " + str(error).replace("\n", " ")
        print(said, flush=True)


main()
