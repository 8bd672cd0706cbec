# SPDX-License-Identifier: Apache-2.0
# heddle bench --accuracy: the same tables on every backend, and those of
# docs/reference/numerics.md.
. "$(dirname "$0")/_lib.sh"

exits 0 "" "$HEDDLE" bench --accuracy --backend serial
cp stdout.txt serial.txt
exits 0 "" "$HEDDLE" bench --accuracy --backend cpu --threads 2
cmp -s serial.txt stdout.txt || fail "cpu differs: $(diff serial.txt stdout.txt)"
for words in "plain loop" "NumPy, pairwise" Kahan Neumaier ReproBLAS exact "Heddle, HD_SUM  "; do
    equal "rows of $words" 4 "$(grep -c "^$words" serial.txt)"
done
exits 2 "only" "$HEDDLE" bench --accuracy --quick
exits 2 "only" "$HEDDLE" bench reduce --accuracy
sanitized || [ ! -d "${BUILD-}" ] || "$SOURCE/scripts/accuracy.sh" check "$BUILD" >check.txt ||
    fail "docs/reference/numerics.md (scripts/accuracy.sh accept): $(cat check.txt)"
finish
