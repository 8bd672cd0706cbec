#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# heddle bench: every row of every pattern runs and is right, on a small array. No time is judged.
set -u
fail() { echo "$1" >&2; exit 1; }

"$HEDDLE" bench --sizes 1000 --no-peaks --time 0.0001 -t 1 --json - >rows.json ||
    fail "bench exits with 0: $?"
grep -q '"benchmarks"' rows.json || fail "rows are written"
"$HEDDLE" bench --help | sed -n '/^Patterns:/,/;/p' | tr -d '\n' |
    sed 's/Patterns://; s/;.*//' | tr ',' '\n' | tr -d ' ' >patterns.txt
[ -s patterns.txt ] || fail "the help names the patterns"
while read -r pattern; do
    grep -q "\"$pattern/" rows.json || grep -q "\"$pattern\"" rows.json || fail "no row of $pattern"
done <patterns.txt

"$HEDDLE" bench algorithms --sizes 1000 --no-peaks --time 0.0001 -t 1 --json - >rows.json ||
    fail "bench algorithms exits with 0: $?"
"$HEDDLE" bench --help | sed -n '/^Algorithms,/,/;/p' | tr -d '\n' | sed 's/[^:]*://; s/;.*//' |
    tr ',' '\n' | tr -d ' ' >algorithms.txt
[ -s algorithms.txt ] || fail "the help names the algorithms"
while read -r algorithm; do
    grep -q "\"$algorithm/" rows.json || fail "no row of $algorithm"
done <algorithms.txt

# Those that a device takes, in its memory, each with copies that calls take turns over.
device="spmv tridiagonal recurrence bigint integral boxes label lex components mst"
# shellcheck disable=SC2086
HEDDLE_BENCH_COPIES=2 "$HEDDLE" bench $device --backend model --sizes 300 --no-peaks --time 0.0001 \
    --json - >rows.json || fail "bench of algorithms on the model machine exits with 0: $?"
for algorithm in $device; do
    grep -q "\"$algorithm/" rows.json || fail "no row of $algorithm on a device"
done
