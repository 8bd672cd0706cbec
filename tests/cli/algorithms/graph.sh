# SPDX-License-Identifier: Apache-2.0
# heddle components and heddle mst: edge lists of every format, and what is refused; against SciPy
# where it is.
. "$(dirname "$0")/../_lib.sh"

lines() { "$HEDDLE" "$@" 2>&1 | tr '\n' ' '; }

printf '0 2\n3 4\n4 3\n' >edges.txt
for how in "--backend serial" "--backend cpu" "--threads 1"; do
    equal "$how" "0 1 0 3 3 " "$(lines components edges.txt $how)"
done
equal nodes "0 1 0 3 3 5 6 " "$(lines components edges.txt --nodes 7)"
equal count "3 " "$(lines components edges.txt --count)"
equal pipe "0 1 0 3 3 " "$(cat edges.txt | lines components - --format text)"
equal json 3 "$("$HEDDLE" components edges.txt --json | sed -n 's/.*"components": \([0-9]*\).*/\1/p')"
printf '0 1\n' >one.txt
equal "one edge" "0 0 " "$(lines components one.txt)"
"$HEDDLE" convert edges.txt -o edges.npy && equal npy "0 1 0 3 3 " "$(lines components edges.npy)"
"$HEDDLE" components edges.txt -o labels.npy --out-type u8 || fail "-o"
equal written "0 1 0 3 3 " "$(lines transpose labels.npy)"

printf 'u,v,w\n0,1,4.5\n1,2,1\n2,0,2\n3,3,0\n4,3,7\n' >w.csv
for how in "--backend serial" "--backend cpu" "--threads 1"; do
    equal "mst $how" "1 2 4 " "$(lines mst w.csv --indices $how)"
done
equal rows "1.0 2.0 1.0 2.0 0.0 2.0 4.0 3.0 7.0 " "$(lines mst w.csv)"
equal total "10.0 " "$(lines mst w.csv --total)"
equal "mst json" 2 "$("$HEDDLE" mst w.csv --json | sed -n 's/.*"components": \([0-9]*\).*/\1/p')"
printf '5 4 3' >weights.txt
equal weights "0 2 " "$(lines mst edges.txt -w weights.txt --indices)"
printf '0 1 5\n0 1 5\n1 2 -3\n' >ties.txt
equal ties "0 2 " "$(lines mst ties.txt --indices)"
equal "integer total" "2 " "$(lines mst ties.txt --total)"

exits 7 "node u of edge 1 is 3; expected 0 .. 2" "$HEDDLE" components edges.txt --nodes 3
printf '0 1.5 1\n1 2 2\n' >half.txt
exits 7 "1.5" "$HEDDLE" mst half.txt
printf '0 -1\n1 2\n' >negative.txt
exits 7 "node v of edge 0 is -1" "$HEDDLE" components negative.txt
printf '0 1\n5 9000000000000\n' >far.txt
exits 7 "a label for each node would take 72000000000008 bytes" "$HEDDLE" components far.txt
exits 2 "no weights" "$HEDDLE" mst edges.txt
printf '1 2' >two.txt
exits 2 "2 weights for 3 edges" "$HEDDLE" mst edges.txt -w two.txt
printf '1 2 3 4\n1 2 3 4\n' >four.txt
exits 2 "expected rows of two numbers or three" "$HEDDLE" components four.txt

python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import scipy' 2>/dev/null && echo "$p" && break; done)
if [ -n "$python" ]; then
    cat >compare.py <<'END'
import subprocess, sys
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
heddle = sys.argv[1]
r = np.random.default_rng(7)
n, m = 3000, 2500
u, v, w = r.integers(0, n, m), r.integers(0, n, m), r.permutation(m) + 1.0
np.save("uv.npy", np.stack([u, v], 1)), np.save("w.npy", w)
subprocess.run([heddle, "components", "uv.npy", "-n", str(n), "-o", "l.npy"], check=True)
count, label = connected_components(coo_matrix((w, (u, v)), (n, n)), directed=False)
least = np.full(count, n)
np.minimum.at(least, label, np.arange(n))
assert (np.load("l.npy") == least[label]).all()
keep = u != v
lo, hi = np.minimum(u, v)[keep], np.maximum(u, v)[keep]
order = np.lexsort((w[keep], hi, lo)) # SciPy adds repeated edges: keep the lightest
lo, hi, ww = lo[order], hi[order], w[keep][order]
first = np.r_[True, (lo[1:] != lo[:-1]) | (hi[1:] != hi[:-1])]
want = minimum_spanning_tree(coo_matrix((ww[first], (lo[first], hi[first])), (n, n)).tocsr())
subprocess.run([heddle, "mst", "uv.npy", "-w", "w.npy", "-n", str(n), "-i", "-o", "i.npy"], check=True)
edges = np.load("i.npy")
assert len(edges) == n - count and sorted(w[edges]) == sorted(want.data)
END
    "$python" compare.py "$HEDDLE" || fail "SciPy finds something else"
fi
finish
