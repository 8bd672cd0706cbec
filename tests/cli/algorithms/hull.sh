# SPDX-License-Identifier: Apache-2.0
# heddle hull: text and npy, corners and what lies between them, and what is refused.
. "$(dirname "$0")/../_lib.sh"

hull() { "$HEDDLE" hull "$@" 2>&1 | tr '\n' ';'; }

printf '0 0\n2 0\n1 1\n2 2\n0 2\n1 0\n2 0\n' >points.txt
for backend in serial cpu; do
    how="--backend $backend"
    equal "corners, $backend" "0;1;3;4;" "$(hull points.txt $how)"
    equal "with what lies between them, $backend" "0;5;1;3;4;" "$(hull points.txt $how --collinear)"
    equal "integers, $backend" "0;1;3;4;" "$(hull points.txt $how --dtype i32)"
done
equal points "0 0;2 0;2 2;0 2;" "$(hull points.txt --points)"
"$HEDDLE" hull points.txt --points -o corners.npy || fail "corners.npy"
equal "the hull of a hull" "0;1;2;3;" "$(hull corners.npy)"
equal counts "4 corners, 1 steps" "$("$HEDDLE" hull points.txt --counts 2>&1 >/dev/null)"
equal json 4 "$("$HEDDLE" hull points.txt --json | sed -n 's/.*"corners": \([0-9]*\).*/\1/p')"

equal "one point" "0;" "$(printf '5 7' | hull - --format text)"
printf '0 0\n1 nan\n' >bad.txt
exits 7 "the y of point 1 is nan" "$HEDDLE" hull bad.txt
printf '0 0 0\n1 2 3\n' >three.txt
exits 2 "expected n rows of x and y" "$HEDDLE" hull three.txt
finish
