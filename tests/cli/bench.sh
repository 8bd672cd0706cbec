#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# heddle bench: rows appear, results are checked, the JSON can be read back. No time is judged.
set -u
fail() { echo "$1" >&2; exit 1; }

"$HEDDLE" bench reduce scan segmented user_operators --no-peaks --quick --time 0.001 \
    --sizes 1000,2^12 --json a.json >out.txt || fail "bench exits with 0: $?"
grep -q 'WRONG\|failed' out.txt && fail "every row is right: $(cat out.txt)"
rows() { grep -cE " $1 +[0-9.]+ [num]?s " out.txt; } # a time may be 1000 as well
[ "$(rows '2\^12')" -eq "$(rows 1000)" ] && [ "$(rows 1000)" -gt 0 ] || fail "a row for each size"
grep -q 'argmax' out.txt && grep -q 'in place' out.txt && grep -q 'farther' out.txt || fail "the rows"

"$HEDDLE" compare a.json a.json >same.txt || fail "the JSON can be read"
grep -q '^0 faster, [0-9]* the same, 0 slower' same.txt || fail "a file is the same as itself"
if command -v python3 >/dev/null; then
    python3 -c 'import json; d = json.load(open("a.json")); assert d["benchmarks"][0]["samples"]' ||
        fail "it is JSON"
fi
if commit=$(git -c safe.directory='*' -C "$SOURCE" rev-parse --short=7 HEAD 2>/dev/null) &&
    grep -q HEDDLE_COMMIT:STRING=$ "$BUILD/CMakeCache.txt"; then
    grep -qE '"commit": "[0-9a-f]{7}"' a.json || fail "it names the commit, such as $commit"
fi
grep -q '"gpu_name"' a.json && fail "the cores are no GPU"
grep -q '"heddle_backend": "cpu"' a.json || fail "it names the backend"
"$HEDDLE" bench map --backend model --quick --time 0.001 --sizes 64 --types f32 --json m.json >out.txt ||
    fail "bench on the model machine: $?"
grep -q '"gpu_name": "[^"]' m.json && grep -q '"heddle_backend": "model"' m.json || fail "it names the device"

"$HEDDLE" bench scan --no-peaks --quick --time 0.001 --sizes 64 --types f32 --rows 'm, in' >out ||
    fail "rows by a part of their names"
[ "$(grep -cE '^  f32 ' out)" = 1 ] && grep -q 'sum, in place' out || fail "only the row that is named: $(cat out)"
"$HEDDLE" bench reduce --no-peaks --quick --time 0.001 --sizes 64 --types f32 --ops sum --json - \
    >b.json 2>table.txt || fail "--json -"
grep -q '"benchmarks"' b.json && grep -q 'sum' table.txt || fail "the document alone on standard output"

refused() {
    "$HEDDLE" bench "$@" >out.txt 2>err.txt
    [ $? -eq 2 ] || fail "bench $*: exit code 2 expected"
    [ -s err.txt ] || fail "bench $*: says why"
}
refused nothing
"$HEDDLE" bench --help >help.txt
for name in $(sed 's/.*there are //; s/,/ /g' err.txt); do
    grep -qE "[ :]$name[,;]|^$name[,;]" help.txt || fail "the help names every pattern, $name too"
done
refused reduce --no-peaks --sizes 64 --rows nonsense
grep -q "no row is left" err.txt || fail "no row of that name: $(cat err.txt)"
refused reduce --no-peaks --sizes 64 --types f23
refused reduce --no-peaks --sizes 64 --ops summ
refused --sizes 2^x
refused --time never
refused --time 0
HEDDLE_PEERS_DIR=. "$HEDDLE" bench reduce --peers --no-peaks --quick --time 0.001 --sizes 64 \
    --types f32 --ops sum | grep -q 'none found' || fail "no peers is not an error"
