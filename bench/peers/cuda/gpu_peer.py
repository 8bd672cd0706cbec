# SPDX-License-Identifier: Apache-2.0
"""PyTorch's and CuPy's side of heddle bench on a device: a child process that reads a line, does it, answers a line.

  gpu_peer.py torch|cupy     says the module's name and version first, or "no" and why

  job PATTERN OP TYPE OUT_TYPE N IN FLAGS
                   reads the files IN and FLAGS ("-": none) into device memory of its own -> "ok", or "no"
  once OUT OTHER   does the job once; writes the files OUT and, of run lengths, OTHER     -> "ok COUNT"
  run K            does it K times                                                        -> nanoseconds
  end              forgets the job                                                        -> "ok"

Calls take turns over copies of the data that together are larger than the device's cache. Times are those between two
events on the stream, after calls that warm up.
"""
import os
import sys

FOOTPRINT = 512 << 20  # bytes of all copies: as much as Heddle's own in the same race
COPIES = int(os.environ.get("HEDDLE_BENCH_COPIES", 4096))
WARM_UP = 3


class Torch:
    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise ImportError("PyTorch finds no CUDA device")
        self.lib, self.version = torch, torch.__version__

    def put(self, x):
        return self.lib.from_numpy(x).cuda()

    def get(self, x):
        return x.cpu().numpy()

    def event(self):
        made = self.lib.cuda.Event(enable_timing=True)
        made.record()
        return made

    def nanoseconds(self, begin, end):
        end.synchronize()
        return int(begin.elapsed_time(end) * 1e6)

    def work(self, pattern, op, wide):
        """The function of elements and flags that does a job, or None; it gives an array, or two."""
        t = self.lib
        if pattern == "reduce":
            whole = {"i8": t.int64, "u8": t.int64}.get(wide)
            return {
                "sum": lambda x, f: t.sum(x, dtype=whole or x.dtype),
                "min": lambda x, f: t.amin(x),
                "max": lambda x, f: t.amax(x),
                "argmax": lambda x, f: t.argmax(x),
            }.get(op)
        return {
            "scan sum": lambda x, f: t.cumsum(x, 0, dtype=x.dtype),
            "scan max": lambda x, f: t.cummax(x, 0)[0],
            "compact": lambda x, f: t.masked_select(x, x > 0 if f is None else f),
            "unique": lambda x, f: t.unique_consecutive(x),
            "run_lengths": lambda x, f: t.unique_consecutive(x, return_counts=True),
        }.get(pattern + " " + op if pattern == "scan" else pattern)


class CuPy:
    def __init__(self):
        import cupy

        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise ImportError("CuPy finds no CUDA device")
        self.lib, self.version = cupy, cupy.__version__

    def put(self, x):
        return self.lib.asarray(x)

    def get(self, x):
        return self.lib.asnumpy(x)

    def event(self):
        made = self.lib.cuda.Event()
        made.record()
        return made

    def nanoseconds(self, begin, end):
        end.synchronize()
        return int(self.lib.cuda.get_elapsed_time(begin, end) * 1e6)

    def heads(self, x):
        c = self.lib
        head = c.empty(x.shape, dtype=bool)
        head[:1] = True
        c.not_equal(x[1:], x[:-1], out=head[1:])
        return head

    def run_lengths(self, x):
        c = self.lib
        starts = c.flatnonzero(self.heads(x))
        return x[starts], c.diff(c.append(starts, x.size))

    def work(self, pattern, op, wide):
        c = self.lib
        if pattern == "reduce":
            return {
                "sum": lambda x, f: c.sum(x, dtype=wide),
                "min": lambda x, f: c.amin(x),
                "max": lambda x, f: c.amax(x),
                "argmax": lambda x, f: c.argmax(x),
            }.get(op)
        return {
            "scan sum": lambda x, f: c.cumsum(x, dtype=x.dtype),
            "compact": lambda x, f: x[x > 0 if f is None else f],
            "unique": lambda x, f: x[self.heads(x)],
            "run_lengths": lambda x, f: self.run_lengths(x),
        }.get(pattern + " " + op if pattern == "scan" else pattern)


class Job:
    def __init__(self, lib, words):
        pattern, op, dtype, self.out_dtype, n, source, flags = words
        self.lib, self.turn = lib, 0
        self.work = lib.work(pattern, op, self.out_dtype)
        if self.work is None:
            return
        x = np.fromfile(source, dtype=dtype, count=int(n))
        f = None if flags == "-" else np.fromfile(flags, dtype=bool, count=int(n))
        bytes_of_one = max(1, x.nbytes + (0 if f is None else f.nbytes))
        copies = min(COPIES, FOOTPRINT // bytes_of_one + 1)
        self.x = [lib.put(x) for _ in range(copies)]
        self.f = [None if f is None else lib.put(f) for _ in range(copies)]
        for _ in range(WARM_UP):
            self.call()

    def call(self):
        k = self.turn % len(self.x)
        self.turn += 1
        return self.work(self.x[k], self.f[k])

    def once(self, out, other):
        found = self.call()
        values, more = found if isinstance(found, tuple) else (found, None)
        values = np.atleast_1d(self.lib.get(values)).astype(self.out_dtype, copy=False)
        values.tofile(out)
        if more is not None:
            self.lib.get(more).astype("i4").tofile(other)
        return values.size

    def run(self, calls):
        begin = self.lib.event()
        for _ in range(calls):
            self.call()
        return self.lib.nanoseconds(begin, self.lib.event())


def answer(lib, job, words):
    """The job there is after a line, and what to say."""
    if words[0] == "job":
        job = Job(lib, words[1:])
        return job, "ok" if job.work else "no"
    if words[0] == "once":
        return job, "ok " + str(job.once(words[1], words[2]))
    if words[0] == "run":
        return job, str(job.run(int(words[1])))
    return None, "ok"


def main():
    global np
    name = sys.argv[1]
    try:
        import numpy as np

        lib = {"torch": Torch, "cupy": CuPy}[name]()
    except Exception as error:  # what is missing, or does not start
        print("no", str(error).replace("\n", " "), flush=True)
        return
    job = None
    print(name, lib.version, flush=True)
    for line in sys.stdin:
        try:
            job, said = answer(lib, job, line.split())
        except Exception as error:  # the benchmark leaves the peer out of the row
            job, said = None, "no " + str(error).replace("\n", " ")
        print(said, flush=True)


main()
