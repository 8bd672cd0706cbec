# SPDX-License-Identifier: Apache-2.0
"""The commands that are built on algorithms against NumPy, SciPy and NetworkX, on graphs, matrices,
signals and images of the usual generators: R-MAT, grids, power laws, filters of Butterworth's.

Run in an empty folder, with HEDDLE naming the program. HEDDLE_TEST_ALL=1 takes larger ones. Exit
code 77: a package is not here. HEDDLE_TEST_SEED chooses other numbers.
"""
import os
import subprocess
import sys

try:
    import networkx as nx
    import numpy as np
    import scipy.io
    import scipy.linalg
    import scipy.ndimage
    import scipy.signal
    import scipy.sparse
    import scipy.sparse.csgraph
    import scipy.spatial
except ImportError as missing:
    print(missing)
    sys.exit(77)

HEDDLE = os.environ["HEDDLE"]
ALL = os.environ.get("HEDDLE_TEST_ALL", "0") not in ("", "0")
SEED = int(os.environ.get("HEDDLE_TEST_SEED", "1"))
EPS = 2.0 ** -53
rng = np.random.default_rng(SEED)
failures = checks = 0


def check(condition, *what):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print("FAILED:", *what, f"[HEDDLE_TEST_SEED={SEED}]", file=sys.stderr)


def heddle(*arguments):
    run = subprocess.run([HEDDLE, *map(str, arguments)], capture_output=True, text=True)
    check(run.returncode == 0, arguments, run.returncode, run.stderr)
    return run.stdout


def result(*arguments, **arrays):
    """The array that a command writes; arrays become NAME.npy."""
    for name, array in arrays.items():
        np.save(name + ".npy", array)
    if os.path.exists("result.npy"):
        os.remove("result.npy")
    heddle(*arguments, "-o", "result.npy")
    return np.load("result.npy") if os.path.exists("result.npy") else np.zeros(0)


def close(got, want, scale, what):
    """Within roundings of the scale, which has the magnitudes that were added."""
    good = got.shape == want.shape and np.all(np.abs(got - want) <= scale)
    check(good, what, "" if got.shape != want.shape else np.max(np.abs(got - want) / scale))


# ---- Graphs --------------------------------------------------------------------------------------


def r_mat(scale, edges):
    """Chakrabarti, Zhan and Faloutsos 2004, with the quadrants of Graph 500."""
    u, v = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    for _ in range(scale):
        quadrant = rng.choice(4, edges, p=[0.57, 0.19, 0.19, 0.05])
        u, v = 2 * u + quadrant // 2, 2 * v + quadrant % 2
    return 1 << scale, u, v


def of_networkx(graph):
    graph = nx.convert_node_labels_to_integers(graph)
    edges = np.array(graph.edges(), np.int64).reshape(-1, 2)
    names = rng.permutation(len(graph))
    return len(graph), names[edges[:, 0]], names[edges[:, 1]]


def graphs():
    scale = 16 if ALL else 11
    yield "R-MAT", r_mat(scale, 8 << scale)
    yield "sparse R-MAT", r_mat(scale, 1 << (scale - 1))
    side = 200 if ALL else 40
    yield "grid", of_networkx(nx.grid_2d_graph(side, side))
    yield "power law", of_networkx(nx.barabasi_albert_graph(side * side, 3, seed=SEED))
    yield "clustered", of_networkx(nx.powerlaw_cluster_graph(side * side, 2, 0.3, seed=SEED))
    small_world = nx.connected_watts_strogatz_graph(side * side, 4, 0.1, seed=SEED)
    yield "small world", of_networkx(small_world)
    yield "random", of_networkx(nx.gnm_random_graph(side * side, side * side * 3 // 4, seed=SEED))


def lightest(n, u, v, w):
    """Each pair of nodes once, with its lightest edge: SciPy would add them up."""
    keep = u != v
    low, high, w = np.minimum(u, v)[keep], np.maximum(u, v)[keep], w[keep]
    order = np.lexsort((w, high, low))
    low, high, w = low[order], high[order], w[order]
    first = np.ones(len(w), bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return scipy.sparse.coo_matrix((w[first], (low[first], high[first])), (n, n)).tocsr()


def check_components(name, n, u, v):
    label = result("components", "uv.npy", "-n", n, uv=np.stack([u, v], 1))
    matrix = scipy.sparse.coo_matrix((np.ones(len(u)), (u, v)), (n, n))
    count, want = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    least = np.full(count, n)
    np.minimum.at(least, want, np.arange(n))
    check(np.array_equal(label, least[want]), "components of", name)
    return count


def check_forest(name, n, u, v, components):
    w = rng.integers(1, 50, len(u)).astype(float)  # many are equal: weights agree, edges need not
    edges = result("mst", "uv.npy", "-w", "w.npy", "-n", n, "-i", uv=np.stack([u, v], 1), w=w)
    matrix = lightest(n, u, v, w)
    want = scipy.sparse.csgraph.minimum_spanning_tree(matrix)
    check(len(edges) == n - components and w[edges].sum() == want.sum(), "forest of", name)
    if n <= 5000:
        weight = nx.minimum_spanning_tree(nx.from_scipy_sparse_array(matrix)).size("weight")
        check(weight == want.sum(), "NetworkX and SciPy differ", name)
    joined = scipy.sparse.coo_matrix((np.ones(len(edges)), (u[edges], v[edges])), (n, n))
    check(scipy.sparse.csgraph.connected_components(joined, directed=False)[0] == components,
          "what the forest joins", name)


def check_spmv(name, n, u, v):
    value, x = rng.normal(size=len(u)), rng.normal(size=n)
    matrix = scipy.sparse.coo_matrix((value, (u, v)), (n, n))
    scipy.io.mmwrite("a.mtx", matrix, precision=17)
    scale = 2 * EPS * (abs(matrix) @ abs(x)) * (np.log2(len(u)) + 2) + 1e-300
    bound = scale * np.maximum(1, np.bincount(u, minlength=n))
    for method in ("reduce", "scan"):
        close(result("spmv", "a.mtx", "x.npy", "--method", method, x=x), matrix @ x, bound,
              f"{name} times a vector, {method}")
    check(np.array_equal(result("spmv", "a.mtx", "y.npy", "-T", y=np.ones(n)),
                         result("spmv", "a.mtx", "y.npy", "-T", y=np.ones(n))), "the same bits")


def check_trees():
    n = 20000 if ALL else 400
    graph = nx.random_tree(n, seed=SEED)
    edges = np.array(graph.edges())[rng.permutation(n - 1)]
    root = int(rng.integers(n))
    parents = result("tree", "uv.npy", "-r", root, "-g", "parents", uv=edges)
    depth = nx.single_source_shortest_path_length(graph, root)
    np.save("p.npy", parents)
    check(np.array_equal(result("tree", "p.npy"), [depth[i] for i in range(n)]), "depth")
    # Sorted edges: neighbours are in the order of their numbers.
    ordered = nx.Graph(sorted(map(sorted, edges.tolist())))
    for what, nodes in [("preorder", nx.dfs_preorder_nodes), ("postorder", nx.dfs_postorder_nodes)]:
        numbers = result("tree", "p.npy", "-g", what)
        check(np.array_equal(numbers[list(nodes(ordered, root))], np.arange(n)), what)
    sizes = np.ones(n, np.int64)
    for node in sorted(range(n), key=lambda i: -depth[i]):
        if node != root:
            sizes[parents[node]] += sizes[node]
    check(np.array_equal(result("tree", "p.npy", "-g", "sizes"), sizes), "sizes")
    tree = nx.DiGraph([(int(parents[i]), i) for i in range(n) if i != root])
    pairs = rng.integers(0, n, (50, 2))
    want = [nx.lowest_common_ancestor(tree, int(a), int(b)) for a, b in pairs]
    got = result("tree", "p.npy", "-g", "ancestors", "--queries", "q.npy", q=pairs)
    check(np.array_equal(got, want), "common ancestors")


# ---- Geometry, images ----------------------------------------------------------------------------


def check_hulls():
    n = 100000 if ALL else 2000
    angle = rng.uniform(0, 2 * np.pi, n)
    for name, points in {"normal": rng.normal(size=(n, 2)), "square": rng.uniform(size=(n, 2)),
                         "circle": np.stack([np.cos(angle), np.sin(angle)], 1),
                         "lattice": rng.integers(0, 30, (n, 2))}.items():
        corners = result("hull", "points.npy", points=points)
        hull = scipy.spatial.ConvexHull(points.astype(float))
        shape = points[corners].astype(float)
        x, y = shape.T
        area = (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2
        check(abs(area - hull.volume) <= 1e-9 * hull.volume, "area of the hull", name)
        if name in ("normal", "square"):  # where no corner is nearly on an edge
            check(sorted(corners) == sorted(hull.vertices), "corners", name)


def check_images():
    side = 700 if ALL else 90
    smooth = scipy.ndimage.gaussian_filter(rng.normal(size=(side, side + 7)), 1.5)
    blobs = (smooth > 0.02).astype(np.uint8)
    for diagonal in (False, True):
        want, count = scipy.ndimage.label(blobs, np.ones((3, 3)) if diagonal else None)
        got = result("label", "blobs.npy", *(["--diagonal"] if diagonal else []), blobs=blobs)
        check(np.array_equal(got, want), "labels", count)
    bytes_ = rng.integers(0, 256, (side, side + 7)).astype(np.uint8)
    sums = result("integral", "x.npy", x=bytes_)
    check(np.array_equal(sums, bytes_.cumsum(0).cumsum(1)), "integral")
    ones = np.ones(bytes_.shape)
    for size in (3, 11):
        total = scipy.ndimage.convolve(bytes_.astype(float), np.ones((size, size)), mode="constant")
        count = scipy.ndimage.convolve(ones, np.ones((size, size)), mode="constant")
        means = result("boxes", "x.npy", "-H", size, "-W", size)
        close(means, total / count, np.full(total.shape, 1024 * EPS), f"means of boxes of {size}")
        black = result("threshold", "x.npy", "-H", size, "-W", size, "--ratio", 0.25)
        want = np.where(bytes_ * count > total * 0.75, 255, 0)
        check(np.array_equal(black, want), "threshold", size)


# ---- Signals, numbers ----------------------------------------------------------------------------


def check_filters():
    n = 1000000 if ALL else 5000
    x = rng.normal(size=n)
    for order, kind, edge in [(1, "low", 0.1), (2, "low", 0.3), (3, "high", 0.2), (4, "low", 0.25)]:
        b, a = scipy.signal.butter(order, edge, kind)
        flags = ["-b", ",".join(map(repr, b.tolist())), "-a", ",".join(map(repr, a.tolist()))]
        both = ["--both", "--steady", "--pad", 3 * (order + 1)]
        for more, want in [([], scipy.signal.lfilter(b, a, x)),
                           (both, scipy.signal.filtfilt(b, a, x))]:
            got = result("filter", "x.npy", *flags, *more, x=x)
            close(got, want, np.full(n, 1e-9), f"order {order} {kind} {more}")
    sections = scipy.signal.butter(7, [0.1, 0.4], "band", output="sos")
    got = result("filter", "x.npy", "--sections", "s.npy", s=sections)
    close(got, scipy.signal.sosfilt(sections, x), np.full(n, 1e-9), "sections")
    c = [0.5, 0.25, -0.125]
    want = scipy.signal.lfilter([1], [1] + [-k for k in c], x)
    got = result("recurrence", "x.npy", "-c", ",".join(map(str, c)))
    close(got, want, np.full(n, 1e-12), "recurrence")


def check_systems():
    n = 200000 if ALL else 3000
    lower, upper, right = rng.normal(size=(3, n))
    diagonal = rng.normal(size=n) + 4
    banded = np.zeros((3, n))
    banded[0, 1:], banded[1], banded[2, :-1] = upper[:-1], diagonal, lower[1:]
    want = scipy.linalg.solve_banded((1, 1), banded, right)
    got = result("tridiagonal", "l.npy", "d.npy", "u.npy", "r.npy", l=lower, d=diagonal, u=upper,
                 r=right)
    close(got, want, np.full(n, 1e-8 * np.abs(want).max()), "tridiagonal")
    a, b = rng.normal(size=(2, 60, 60))
    bound = 120 * EPS * (abs(a) @ abs(b))
    close(result("matmul", "a.npy", "b.npy", a=a, b=b), a @ b, bound, "matmul")
    inverse = np.linalg.inv(a)
    bound = np.full(a.shape, 1e3 * EPS * np.linalg.cond(a) * np.abs(inverse).max())
    close(result("inverse", "a.npy"), inverse, bound, "inverse")
    triangle = np.tril(a) + 8 * np.eye(60)
    got = result("inverse", "t.npy", "--triangle", "lower", "--method", "log", t=triangle)
    close(got, np.linalg.inv(triangle), np.full(a.shape, 1e-12), "a triangle")
    c, x = rng.normal(size=200), rng.uniform(-1, 1, 500)
    bound = 800 * EPS * np.polyval(abs(c), abs(x))
    for method in ("horner", "tree"):
        got = result("polynomial", "x.npy", "-c", "c.npy", "--highest-first", "--method", method,
                     c=c, x=x)
        close(got, np.polyval(c, x), bound, f"polynomial by {method}")


def check_lines():
    """The licences that Debian has, line by line."""
    folder = "/usr/share/common-licenses"
    names = sorted(os.listdir(folder))[:6] if os.path.isdir(folder) else []
    text = b"".join(open(os.path.join(folder, name), "rb").read() for name in names)
    lines = text.split(b"\n")[:-1]
    if not lines:
        return
    open("lines.txt", "wb").write(text)
    order = result("strings", "lines.txt", "-i")
    want = sorted(range(len(lines)), key=lambda k: lines[k])
    check(np.array_equal(order, want), "lines in order")
    for word in (b"the", b"e", b"License"):
        counts = result("strings", "lines.txt", "--find", word.decode())
        want = [sum(line.startswith(word, k) for k in range(len(line))) for line in lines]
        check(np.array_equal(counts, want), "occurrences of", word)


def main():
    for name, (n, u, v) in graphs():
        components = check_components(name, n, u, v)
        check_forest(name, n, u, v, components)
        check_spmv(name, n, u, v)
    for each in (check_trees, check_hulls, check_images, check_filters, check_systems, check_lines):
        each()
    print(checks, "checks,", failures, "failed")
    return failures != 0


sys.exit(main())
