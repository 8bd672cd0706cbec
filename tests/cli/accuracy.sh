# SPDX-License-Identifier: Apache-2.0
# heddle bench --accuracy: the same tables on every backend, and those of
# docs/reference/numerics.md.
. "$(dirname "$0")/_lib.sh"

exits 0 "" "$HEDDLE" bench --accuracy --backend cpu --threads 2
cp stdout.txt cpu.txt
for words in "plain loop" "NumPy, pairwise" Kahan Neumaier ReproBLAS exact "Heddle, HD_SUM  "; do
    equal "rows of $words" 4 "$(grep -c "^$words" cpu.txt)"
done
# Sanitized, once is enough: the serial backend has all tests of the library.
if ! sanitized; then
    exits 0 "" "$HEDDLE" bench --accuracy --backend serial
    cmp -s cpu.txt stdout.txt || fail "serial differs: $(diff cpu.txt stdout.txt)"
fi
exits 2 "only" "$HEDDLE" bench --accuracy --quick
exits 2 "only" "$HEDDLE" bench reduce --accuracy
sanitized || [ ! -d "${BUILD-}" ] || "$SOURCE/scripts/accuracy.sh" check "$BUILD" >check.txt ||
    fail "docs/reference/numerics.md (scripts/accuracy.sh accept): $(cat check.txt)"
finish
