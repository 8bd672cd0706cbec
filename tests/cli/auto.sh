# SPDX-License-Identifier: Apache-2.0
# What `auto` chooses by: heddle doctor --tune-auto, the file of rates, the trace, and the race of
# heddle bench auto.
. "$(dirname "$0")/_lib.sh"
unset HEDDLE_RATES
export HEDDLE_CUDA_DRIVER=none HEDDLE_CACHE_DIR=$PWD/cache HEDDLE_TUNE_ELEMENTS=8192

exits 0 "" "$HEDDLE" doctor --tune-auto -t 1
grep -q "cuda is not here (no CUDA driver (none)): the cores alone are measured" stdout.txt ||
    fail "no word of the device: $(cat stdout.txt)"
for class in stream scan select gather scatter histogram sort compare merge transpose random list \
    neighbours; do
    grep -qE "^$class +[1-9][0-9]* +[1-9]" stdout.txt || fail "$class is not measured"
done
grep -q "They are kept" stdout.txt || fail "not kept: $(cat stdout.txt)"
equal "files" 1 "$(find cache -type f | wc -l)"
grep -qa "heddle rates 1" cache/*.kernel || fail "no rates in the file"
HEDDLE_CACHE_DIR=none exits 0 "" "$HEDDLE" doctor --tune-auto -t 1
grep -q "They are not kept: HEDDLE_CACHE_DIR is none" stdout.txt || fail "kept: $(cat stdout.txt)"

# What the trace says of a call: auto looks at it, and stays on the cores.
head -c 1600000 /dev/zero | tr '\0' '\5' >x.raw
sorts() { "$HEDDLE" sort x.raw --dtype u32 -t 1 --trace -o y.raw 2>&1; }
sorts >trace.txt || fail "sort: $(cat trace.txt)"
grep -qE "^.*sort of 400000 u32: cpu \([0-9.]+ ms predicted; device [0-9.]+" trace.txt ||
    fail "no prediction: $(cat trace.txt)"
HEDDLE_RATES=none sorts >trace.txt
grep -q "predicted" trace.txt && fail "a prediction without rates: $(cat trace.txt)"
HEDDLE_RATES=x.raw sorts >trace.txt || fail "sort with rates that are none"
grep -q "HEDDLE_RATES: it is no file of rates" trace.txt || fail "no word of it: $(cat trace.txt)"
printf 'heddle rates 1\nstart 0\nkernel 0\nsort 900000000 900000000 0 0\n' >fast.txt
HEDDLE_RATES=fast.txt sorts >trace.txt || fail "sort by rates"
grep -q "auto stays on the cores: no CUDA driver (none)" trace.txt || fail "$(cat trace.txt)"
cmp -s x.raw y.raw || fail "not sorted"

# Every row of the race is right; without a card there is nothing to judge.
exits 0 "" "$HEDDLE" bench auto --sizes 10000 --time 0.0001 -t 1 --no-peaks
equal "rows" 19 "$(grep -c ' cpu ' stdout.txt)"
finish
