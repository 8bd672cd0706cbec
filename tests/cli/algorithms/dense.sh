# SPDX-License-Identifier: Apache-2.0
# heddle matmul and heddle inverse: types, transposed operands, orders, methods, residuals, and what
# is refused; against NumPy where it is.
. "$(dirname "$0")/../_lib.sh"

lines() { "$HEDDLE" "$@" 2>&1 | tr '\n' ' '; }

printf '1 2\n3 4\n' >a.txt
printf '5 6\n7 8\n' >b.txt
for how in "--backend serial" "--backend cpu" "--order tree" "--type f32"; do
    equal "$how" "19.0 22.0 43.0 50.0 " "$(lines matmul a.txt b.txt $how)"
done
equal "A transposed" "26.0 30.0 38.0 44.0 " "$(lines matmul a.txt b.txt -A)"
equal "B transposed" "17.0 23.0 39.0 53.0 " "$(lines matmul a.txt b.txt -B)"
echo 1 10 >v.txt
equal "a column" "21.0 43.0 " "$(lines matmul a.txt v.txt)"
equal "a row" "31.0 42.0 " "$(lines matmul v.txt a.txt)"
"$HEDDLE" matmul a.txt b.txt -o c.npy || fail "-o"
equal written "19.0 22.0 43.0 50.0 " "$(lines map c.npy)"
equal json 4 "$("$HEDDLE" matmul a.txt b.txt --json | sed -n 's/.*"elements": \([0-9]*\).*/\1/p')"

printf '2 1\n1 1\n' >r.txt
for how in "--backend serial" "--backend cpu" "--type f32" "--method log"; do
    equal "inverse $how" "1.0 -1.0 -1.0 2.0 " "$(lines inverse r.txt $how)"
done
printf '2 9\n4 4\n' >t.txt
equal lower "0.5 0.0 -0.5 0.25 " "$(lines inverse t.txt --triangle lower)"
equal upper "0.5 -1.125 0.0 0.25 " "$(lines inverse t.txt --triangle upper)"
equal unit "1.0 0.0 -4.0 1.0 " "$(lines inverse t.txt --triangle lower --unit)"
equal residual "residual 0" "$("$HEDDLE" inverse r.txt --residual 2>&1 >/dev/null)"
equal counts "4 steps" "$("$HEDDLE" inverse t.txt --triangle lower --method log --counts 2>&1 >/dev/null)"

exits 2 "2 x 2 times 1 x 2" "$HEDDLE" matmul a.txt v.txt --transpose-b
printf '1 2\n2 4\n' >s.txt
exits 7 "column 1 has no pivot but 0" "$HEDDLE" inverse s.txt
exits 7 "singular" "$HEDDLE" inverse s.txt --method log
printf '1 2\n3 0\n' >z.txt
exits 7 "element 1 of the diagonal is 0" "$HEDDLE" inverse z.txt --triangle lower
printf '1 2 3\n4 5 6\n' >wide.txt
exits 2 "square" "$HEDDLE" inverse wide.txt
exits 2 "--unit" "$HEDDLE" inverse a.txt --unit
exits 2 "--counts" "$HEDDLE" inverse a.txt --counts

python=$(numpy)
if [ -n "$python" ]; then
    "$python" - "$HEDDLE" <<'END' || fail "NumPy finds something else"
import subprocess, sys
import numpy as np
heddle, r = sys.argv[1], np.random.default_rng(3)
a, b = r.standard_normal((90, 70)), r.standard_normal((70, 40))
np.save("a.npy", a), np.save("b.npy", b)
subprocess.run([heddle, "matmul", "a.npy", "b.npy", "-o", "c.npy"], check=True)
assert np.allclose(np.load("c.npy"), a @ b, rtol=1e-13, atol=1e-12)
s = r.standard_normal((80, 80))
np.save("s.npy", s)
subprocess.run([heddle, "inverse", "s.npy", "-o", "i.npy"], check=True)
assert np.allclose(np.load("i.npy"), np.linalg.inv(s), rtol=1e-9, atol=1e-9)
np.save("f.npy", np.asfortranarray(s))
subprocess.run([heddle, "inverse", "f.npy", "-o", "j.npy"], check=True)
assert (np.load("i.npy") == np.load("j.npy")).all()
END
fi
finish
