# SPDX-License-Identifier: Apache-2.0
# Every rung of every ladder on the model machine: right answers, no hazard but those that are meant,
# at awkward sizes; the errors of the command.
. "$(dirname "$0")/_lib.sh"

"$HEDDLE" ladder | grep -q "^  reduce " || fail "the list of ladders"
exits 2 "did you mean reduce" "$HEDDLE" ladder reduec
exits 2 "did you mean modulo" "$HEDDLE" ladder reduce module
exits 2 "no rung is called 99" "$HEDDLE" ladder reduce 99
exits 2 "takes 1 to" "$HEDDLE" ladder reduce --n 2000000000
exits 2 "block" "$HEDDLE" ladder reduce --block 2048
"$HEDDLE" ladder reduce modulo --source | grep -q '__global__ void reduce' || fail "--source"

"$HEDDLE" ladder reduce 2 --n 1000 >out.txt 2>err.txt
code=$?
if [ $code = 4 ]; then
    echo "no compiler for CUDA C: $(cat err.txt)"
    finish
    exit 77
fi
equal "one rung" 0 $code
"$HEDDLE" ladder reduce modulo --n 1000 --block 96 >out.txt
equal "a block that does not fit" 1 $?
grep -q "needs a power of two threads" out.txt || fail "$(cat out.txt)"

small=2000
sanitized && small=700
for name in $("$HEDDLE" ladder | sed -n 's/^  \([a-z_]*\)  *[^0-9 ].*: [0-9]* rungs$/\1/p'); do
    "$HEDDLE" ladder "$name" >usual.txt 2>&1 || fail "$name: $(cat usual.txt)"
done
for n in 1 31 33 257 $small; do
    "$HEDDLE" ladder reduce --n "$n" --block 64 >small.txt 2>&1 || fail "reduce of $n: $(cat small.txt)"
done

# The sentence comes from the counts: the numbers of the table are in it.
"$HEDDLE" ladder reduce --n 65536 --json >ladder.json || fail "json"
python3 - <<'END' || fail "the counts of the ladder"
import json
rungs = {r["name"]: r for r in json.load(open("ladder.json"))["rungs"]}
assert rungs["modulo"]["conflicts"] == 0 < rungs["strided"]["conflicts"], rungs["strided"]
assert rungs["sequential"]["conflicts"] == 0
assert f'{rungs["strided"]["conflicts"]:,}' in rungs["sequential"]["why"], rungs["sequential"]["why"]
assert rungs["first_add"]["threads"] < rungs["sequential"]["threads"]
assert rungs["one_launch"]["launches"] == 1 and rungs["vector"]["launches"] == 2
assert rungs["atomic"]["atomic_steps"] > 0
# 256 threads, 8 steps: 8 warps load once each, then 8, 4, 2, 1, 1, 1, 1, 1 warps read two words
assert rungs["sequential"]["gb_s_in_2017"] == 13.9
END
finish
