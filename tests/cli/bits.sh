# SPDX-License-Identifier: Apache-2.0
# heddle doctor --bits: the archive of bits. A wrong digit and a case that is gone are told, and are
# no success; with HEDDLE_TEST_ALL=1 scripts/bits.sh finds nothing to accept.
. "$(dirname "$0")/_lib.sh"

isa=$("$HEDDLE" doctor | sed -n '/^instruction sets/,/^$/s/^ *yes *\([^ ]*\).*/\1/p' | tail -1)
one="--bits --backend cpu --threads 1 --isa $isa"
# numbered CASE: its number in the archive; the K-th of N parts begins with case K.
numbered() {
    grep -v '^#' "$SOURCE/src/bits/archive.txt" | grep -n "^$1:" | cut -d: -f1
}
first=$(numbered "reduce sum f32 -> f32, ordinary")
# tests/numerics/test_bits_archive.c has the whole archive, on every instruction set; here it is the
# eighth with that case.
if ! sanitized; then
    exits 0 "" "$HEDDLE" doctor $one --part $(((first - 1) % 8 + 1))/8
    grep -q "yes  cpu, $isa, 1 thread  *[1-9][0-9]* results the same, [1-9]" stdout.txt || fail "$(cat stdout.txt)"
fi
parts=50
few="$one --part $(((first - 1) % parts + 1))/$parts"
{
    sed 's/^\(reduce sum f32 -> f32, ordinary:.* 1=\)[0-9a-f]*/\112345678/' \
        "$SOURCE/src/bits/archive.txt"
    echo "no such case: 1=00"
} >wrong.txt
exits 1 "" "$HEDDLE" doctor $few --archive wrong.txt
grep -q "reduce sum f32 -> f32, ordinary, size 1: expected 12345678, got bf42d772" stdout.txt ||
    fail "a wrong digit: $(cat stdout.txt)"
grep -q "no case here: no such case" stdout.txt || fail "a case that is gone: $(cat stdout.txt)"
exits 1 "" "$HEDDLE" doctor $few --archive wrong.txt --json
if p=$(command -v python3); then
    "$p" -c 'import json, sys
d = json.load(open("stdout.txt"))
t = d["targets"][0]
x = t["differences"][0]
sys.exit(d["same"] or t["different"] != 1 or t["same"] < 20 or x["size"] != 1 or
         (x["expected"], x["got"]) != ("12345678", "bf42d772"))' || fail "$(cat stdout.txt)"
fi
# A kernel that is wrong in the last digits is found, and where: the element is named.
if "$HEDDLE" doctor | grep -qE "yes +model .*"; then
    number=$(numbered "scan sum f32 -> f32, wide")
    scan="--bits --backend model --part $number/$(grep -vc '^#' "$SOURCE/src/bits/archive.txt")"
    exits 0 "" "$HEDDLE" doctor $scan --dump-kernel kernel.txt
    sed 's/{ return a + b; }/{ return a + b * 1.0000002f; }/' kernel.txt >changed.txt
    cmp -s kernel.txt changed.txt && fail "nothing to change in the kernel"
    exits 1 "" "$HEDDLE" doctor $scan --load-kernel changed.txt
    grep -q "first at element [0-9]* of the result: " stdout.txt || fail "where: $(cat stdout.txt)"
fi
exits 2 "go with --bits" "$HEDDLE" doctor --write archive.txt
for part in 0/3 4/3 1 1/2x /; do exits 2 "expected K/N" "$HEDDLE" doctor --bits --part $part; done
exits 0 "" "$HEDDLE" doctor $one --part 3/500
grep -q " [1-9][0-9]* results the same, [1-9][0-9]* left out$" stdout.txt || fail "a part: $(cat stdout.txt)"
exits 6 "could not be read" "$HEDDLE" doctor --bits --archive no/such/file
exits 6 "cannot be written" "$HEDDLE" doctor --bits --write no/such/folder/file
exits 2 "no backend is called" "$HEDDLE" doctor --bits --backend gpu
# The whole archive once more, which that test writes as well.
sanitized || [ ! -d "${BUILD-}" ] || [ -z "${HEDDLE_TEST_ALL-}" ] || "$SOURCE/scripts/bits.sh" check "$BUILD" >check.txt || fail "$(head check.txt)"
finish
