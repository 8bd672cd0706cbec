# SPDX-License-Identifier: Apache-2.0
"""SciPy's and NumPy's side of heddle bench's algorithms: a child process that reads a line, does it, answers a line.

  job WORK OUT_TYPE OUT_N TYPE FILE TYPE FILE ...
            reads the files into memory of its own -> "ok" or "no"
  once OUT  does the job once and writes the file OUT -> "ok"
  run K     does it K times                           -> nanoseconds; of the processors if HEDDLE_BENCH_CPU_TIME is set
  end       forgets the job                           -> "ok"

The clock is this process's own, around the calls alone: arrays are in the form that SciPy takes
them in before it starts, and results are put into the form of the benchmark after it ends.
"""
import os
import sys
import time

try:
    import numpy as np
    import scipy
    from scipy import linalg, signal, sparse, spatial
    from scipy.sparse import csgraph
except ImportError as error:
    print("no", error, flush=True)
    sys.exit(1)

WORKS = {}
CLOCK = time.process_time_ns if os.environ.get("HEDDLE_BENCH_CPU_TIME") else time.perf_counter_ns


def work(*names):
    """What a function makes of the arrays: the call that is timed, and what turns its result into the row's."""
    def add(maker):
        for name in names:
            WORKS[name] = maker
        return maker
    return add


def as_it_is(result):
    return result


@work("filter", "filter-both")
def filters(name, x, b, a, length):
    rows = x.reshape(-1, int(length[0]))
    b, a = b.astype(x.dtype), a.astype(x.dtype)
    if name == "filter":
        return lambda: signal.lfilter(b, a, rows), as_it_is
    return lambda: signal.lfilter(b, a, signal.lfilter(b, a, rows)[:, ::-1])[:, ::-1], as_it_is


@work("filter-sections")
def sections(_, x, sos, a, length):
    rows, sos = x.reshape(-1, int(length[0])), sos.reshape(-1, 6).astype(x.dtype)
    return lambda: signal.sosfilt(sos, rows), as_it_is


@work("recurrence")
def recurrence(_, x, c):
    a = np.concatenate(([1], -c)).astype(x.dtype)
    b = np.ones(1, dtype=x.dtype)
    return lambda: signal.lfilter(b, a, x), as_it_is


@work("polynomial")
def polynomial(_, c, x):
    if c.size > 10000:  # a loop of Python's over them
        return None
    return lambda: np.polyval(c[::-1], x), as_it_is


@work("tridiagonal")
def tridiagonal(_, lower, diagonal, upper, right, length):
    if int(length[0]) != right.size:
        return None
    bands = np.zeros((3, right.size), dtype=right.dtype)
    bands[0, 1:], bands[1], bands[2, :-1] = upper[:-1], diagonal, lower[1:]
    return lambda: linalg.solve_banded((1, 1), bands, right, check_finite=False), as_it_is


@work("spmv-csr")
def csr(_, offset, column, value, x):
    matrix = sparse.csr_matrix((value, column, offset), shape=(offset.size - 1, x.size))
    return lambda: matrix @ x, as_it_is


@work("spmv-coo")
def coo(_, row, column, value, x):
    matrix = sparse.coo_matrix((value, (row, column)), shape=(x.size, x.size))
    return lambda: matrix @ x, as_it_is


@work("matmul")
def matmul(_, a, b):
    side = int(np.sqrt(a.size))
    a, b = a.reshape(side, side), b.reshape(side, side)
    out = np.empty_like(a)
    return lambda: np.matmul(a, b, out=out), as_it_is


@work("inverse")
def inverse(_, a):
    side = int(np.sqrt(a.size))
    a = a.reshape(side, side)
    return lambda: np.linalg.inv(a), as_it_is


@work("triangular-inverse")
def triangular_inverse(_, a):
    side = int(np.sqrt(a.size))
    a = np.asfortranarray(a.reshape(side, side))
    trtri, = linalg.get_lapack_funcs(("trtri",), (a,))
    return lambda: trtri(a, lower=1)[0], as_it_is


@work("components")
def components(_, u, v, nodes):
    n = int(nodes[0])
    graph = sparse.csr_matrix((np.ones(u.size, dtype="i1"), (u, v)), shape=(n, n))

    def least(result):  # a label is the least node
        first = np.full(result[0], n, dtype="i8")
        np.minimum.at(first, result[1], np.arange(n))
        return first[result[1]]
    return lambda: csgraph.connected_components(graph, directed=False), least


@work("hull")
def convex_hull(_, xy):
    points = xy.reshape(-1, 2)

    def from_lowest(hull):  # its vertices are in counter-clockwise order
        corners = hull.vertices
        lowest = np.lexsort((points[corners, 0], points[corners, 1]))[0]
        return np.roll(corners, -lowest)
    return lambda: spatial.ConvexHull(points), from_lowest


@work("spanning-forest")
def spanning_forest(_, u, v, weight, nodes):
    n = int(nodes[0])
    low, high = np.minimum(u, v), np.maximum(u, v)
    keep = low != high
    low, high, weight = low[keep], high[keep], weight[keep]
    order = np.lexsort((weight, high, low))  # of edges between the same nodes the lightest
    low, high, weight = low[order], high[order], weight[order].astype("f8")
    first = np.ones(low.size, dtype=bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    graph = sparse.csr_matrix((weight[first], (low[first], high[first])), shape=(n, n))
    return lambda: csgraph.minimum_spanning_tree(graph), lambda tree: np.array([tree.sum()])


class Job:
    def __init__(self, words):
        name, self.out_type, self.out_n = words[0], words[1], int(words[2])
        arrays = [np.fromfile(path, dtype=kind) for kind, path in zip(words[3::2], words[4::2])]
        made = WORKS[name](name, *arrays) if name in WORKS else None
        self.call, self.shape = made if made else (None, None)

    def once(self, path):
        out = np.asarray(self.shape(self.call())).astype(self.out_type).reshape(-1)
        if out.size != self.out_n:
            raise ValueError(f"{out.size} elements, not {self.out_n}")
        out.tofile(path)

    def run(self, calls):
        call = self.call
        begin = CLOCK()
        for _ in range(calls):
            call()
        return CLOCK() - begin


def answer(job, words):
    """The job there is after a line, and what to say."""
    if words[0] == "job":
        job = Job(words[1:])
        return job, "ok" if job.call else "no"
    if words[0] == "once":
        job.once(words[1])
        return job, "ok"
    if words[0] == "run":
        return job, str(job.run(int(words[1])))
    return None, "ok"


def main():
    job = None
    print("scipy", scipy.__version__, "numpy", np.__version__, flush=True)
    for line in sys.stdin:
        try:
            job, said = answer(job, line.split())
        except Exception as error:  # the benchmark leaves SciPy out of the row
            job, said = None, "no " + str(error).replace("\n", " ")
        print(said, flush=True)


main()
