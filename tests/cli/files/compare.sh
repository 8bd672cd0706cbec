#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# heddle compare: verdicts, exit codes, and files it must refuse.
set -u
fail() { echo "$1" >&2; exit 1; }

row() { echo "{\"name\": \"reduce/f32/sum/$1\", \"run_type\": \"iteration\", \"real_time\": $2, \"time_unit\": \"ns\", \"samples\": [$3]}"; }
echo "{\"context\": {}, \"benchmarks\": [$(row 1024 100 '99, 100, 101'), $(row 4096 200 '190, 200, 210'), $(row 9 50 '50')]}" >a.json
echo "{\"context\": {}, \"benchmarks\": [$(row 1024 130 '129, 130, 131'), $(row 4096 202 '195, 202, 205')]}" >b.json

out=$("$HEDDLE" compare a.json b.json) || fail "compare exits with 0: $?"
grep -q '1024 .*slower$' <<<"$out" || fail "1024 is slower: $out"
grep -q '4096 .*same$' <<<"$out" || fail "4096 is the same: $out"
grep -q '0 faster, 1 the same, 1 slower; 1 only in the first file' <<<"$out" || fail "the count: $out"
"$HEDDLE" compare b.json a.json | grep -q '1024 .*faster$' || fail "the other way it is faster"

"$HEDDLE" compare a.json b.json --fail-over 10 >/dev/null
[ $? -eq 1 ] || fail "--fail-over 10 exits with 1"
"$HEDDLE" compare a.json b.json --fail-over 40 >/dev/null || fail "--fail-over 40 exits with 0"
"$HEDDLE" compare - b.json <a.json >/dev/null || fail "- is standard input"

refused() { # expected exit code, then the arguments
    local expected=$1
    shift
    "$HEDDLE" compare "$@" >out.txt 2>err.txt
    [ $? -eq "$expected" ] || fail "compare $*: exit code $expected expected"
    [ -s err.txt ] || fail "compare $*: says why"
}
refused 2 a.json
refused 2 a.json b.json --fail-over x
refused 6 a.json missing.json
echo '{"benchmarks": 3}' >c.json
refused 7 a.json c.json
echo '{"benchmarks": [' >d.json
refused 7 d.json a.json
grep -q 'd.json' err.txt || fail "the file is named"
