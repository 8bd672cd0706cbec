#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# PyTorch and CuPy as peers of heddle bench: what gpu_peer.py answers, over modules of the tests'
# own that need NumPy alone; and, where the plug-ins are built, a race against them on the fake
# driver. No time is judged.
set -u
fail() { echo "$1" >&2; exit 1; }
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import numpy' 2>/dev/null && break
done
[ "$python" = none ] && { echo "no Python with NumPy"; exit 77; }
script=$SOURCE/bench/peers/cuda/gpu_peer.py modules=$SOURCE/tests/fake/python
export PYTHONDONTWRITEBYTECODE=1 HEDDLE_PYTHON=$python

# A module that is not there is said so.
mkdir empty && cp "$SOURCE/tests/fake/python/fake_events.py" empty
for module in torch cupy; do
    echo "raise ImportError('$module is not here')" >empty/$module.py
    PYTHONPATH=empty "$python" "$script" $module </dev/null | grep -q "^no $module is not here" ||
        fail "$module: says what is missing"
done

cat >ask.py <<'EOF'
import subprocess, sys
import numpy as np
script, module = sys.argv[1:]
child = subprocess.Popen([sys.executable, script, module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

def ask(line):
    print(line, file=child.stdin, flush=True)
    return child.stdout.readline().strip()

assert child.stdout.readline() == module + " fake\n"
rng = np.random.default_rng(7)
x = rng.integers(-2, 3, 5000).astype("i4")
flags = rng.integers(0, 2, 5000).astype("u1")
x.tofile("x"), flags.tofile("flags")
heads = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
lengths = np.diff(np.append(heads, x.size))
jobs = [
    ("reduce sum i4 i8 5000 x -", "i8", [x.sum(dtype="i8")], None),
    ("reduce min i4 i4 5000 x -", "i4", [x.min()], None),
    ("reduce argmax i4 i8 5000 x -", "i8", [x.argmax()], None),
    ("scan sum i4 i4 5000 x -", "i4", x.cumsum(dtype="i4"), None),
    ("compact other i4 i4 5000 x flags", "i4", x[flags != 0], None),
    ("compact other i4 i4 5000 x -", "i4", x[x > 0], None),
    ("unique other i4 i4 5000 x -", "i4", x[heads], None),
    ("run_lengths other i4 i4 5000 x -", "i4", x[heads], lengths),
]
for line, dtype, want, more in jobs:
    open("out", "w").close(), open("other", "w").close()
    assert ask("job " + line) == "ok", line
    said = ask("once out other")
    assert said == "ok %d" % len(want), (line, said)
    assert np.array_equal(np.fromfile("out", dtype), want), line
    assert more is None or np.array_equal(np.fromfile("other", "i4"), more), line
    assert int(ask("run 3")) >= 0, line
    assert ask("end") == "ok", line
assert ask("job scan nothing i4 i4 5000 x -") == "no"
assert ask("job reduce sum i4 i8 5000 nowhere -").startswith("no ")
assert ask("run 1").startswith("no ")
child.stdin.close()
assert child.wait() == 0
EOF
for module in torch cupy; do
    PYTHONPATH=$modules "$python" ask.py "$script" $module || fail "$module: an answer is wrong"
done

# The race, if there are plug-ins.
peers=${HEDDLE_PEERS_DIR:-$BUILD/peers}
[ -e "$peers/heddle-peer-torch.so" ] && [ -e "$BUILD/fake/driver.so" ] || exit 0
export HEDDLE_CUDA_DRIVER=$BUILD/fake/driver.so HEDDLE_CACHE_DIR=none HEDDLE_PTXAS=none
export HEDDLE_PEERS_DIR=$peers HEDDLE_BENCH_COPIES=2
bench() {
    "$HEDDLE" bench "$@" --backend cuda --peers=PyTorch,CuPy --each --no-peaks --quick --time 0.001 \
        --sizes 300 >out.txt 2>err.txt
}
PYTHONPATH=$modules bench reduce --types f32 --ops sum,max || { cat err.txt >&2; fail "a race: $?"; }
grep -q 'left out' err.txt && fail "both are right: $(cat err.txt)"
[ "$(grep -c PyTorch out.txt)" -ge 2 ] && grep -q CuPy out.txt || fail "both took part: $(cat out.txt)"
PYTHONPATH=$modules bench select --types i32 --ops compact || fail "compaction"
grep -q 'left out' err.txt && fail "both are right: $(cat err.txt)"
PYTHONPATH=$modules bench runs --types i32 --ops "unique,run lengths" || fail "runs"
grep -q 'left out' err.txt && fail "both are right: $(cat err.txt)"
PYTHONPATH=empty bench reduce --types f32 --ops sum || fail "without the modules"
grep -q 'peer left out: PyTorch: .*torch is not here' err.txt || fail "why: $(cat err.txt)"
