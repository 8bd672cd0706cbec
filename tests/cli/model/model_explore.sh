# SPDX-License-Identifier: Apache-2.0
# heddle model --explore: schedules, the four interleavings of a racy increment, seeds that repeat.
. "$(dirname "$0")/../_lib.sh"

cat >k.ptx <<'END'
.version 8.0
.target sm_75
.address_size 64
.visible .entry racy(.param .u64 counter)
{
.reg .b32 %r<3>; .reg .b64 %d<2>;
ld.param.u64 %d1, [counter];
ld.global.u32 %r1, [%d1];
add.s32 %r2, %r1, 1;
st.global.u32 [%d1], %r2;
ret;
}
.visible .entry repaired(.param .u64 counter)
{
.reg .b32 %r<3>; .reg .b64 %d<2>;
ld.param.u64 %d1, [counter];
atom.global.add.u32 %r1, [%d1], 1;
ret;
}
END
racy="model k.ptx racy --grid 2 --block 1 --arg counter=i32:zeros:1"

# The hazard, where races are looked for, or the broken result, where they are not.
exits 1 "" "$HEDDLE" $racy --explore 200 --checks none
cp stdout.txt explored.txt
grep -q "^2 distinct results:" explored.txt || fail "results: $(cat explored.txt)"
grep -q "^4 orders of loads and stores at counter\[0\]:" explored.txt || fail "orders: $(cat explored.txt)"
order() { # first second third fourth result
    grep -A1 -F "  $1, $2, $3, $4" explored.txt | grep -q -- "-> counter = $5;" || fail "no order $*"
}
order "block 0 loads 0" "block 0 stores 1" "block 1 loads 1" "block 1 stores 2" 2
order "block 1 loads 0" "block 1 stores 1" "block 0 loads 1" "block 0 stores 2" 2
order "block 0 loads 0" "block 1 loads 0" "block 0 stores 1" "block 1 stores 1" 1
order "block 1 loads 0" "block 0 loads 0" "block 0 stores 1" "block 1 stores 1" 1

# The seed that it names breaks the result again, alone.
seed=$(sed -n 's/^Seed \([0-9]*\) breaks the result: counter\[0\] = 1, plain schedule 2.*/\1/p' explored.txt)
[ -n "$seed" ] || fail "no seed: $(cat explored.txt)"
exits 1 "" "$HEDDLE" $racy --checks none --seed "$seed" --compare counter=2
grep -q "element 0 is 1, expected 2" stdout.txt || fail "seed $seed: $(cat stdout.txt)"
exits 1 "" "$HEDDLE" $racy --checks none --explore 20 --seed "$seed" --compare counter=2
grep -q "^Seed $seed breaks the result: counter\[0\] is 1, expected 2" stdout.txt || fail "$(cat stdout.txt)"

# With an expectation the plain schedule may be the one that is wrong.
exits 1 "" "$HEDDLE" $racy --checks none --explore 5 --compare counter=3
grep -q "^Seed 0 breaks the result" stdout.txt || fail "$(cat stdout.txt)"

# Two warps of a block, and two lanes of one warp, which always load together.
exits 1 "" "$HEDDLE" model k.ptx racy --block 64 --arg counter=i32:zeros:1 --explore 100 --checks none
grep -q "counter = 1; " stdout.txt && grep -q "counter = 2; " stdout.txt || fail "$(cat stdout.txt)"
exits 0 "" "$HEDDLE" model k.ptx racy --block 2 --arg counter=i32:zeros:1 --explore 20 --checks none
grep -q "^1 order of loads and stores" stdout.txt || fail "lanes: $(cat stdout.txt)"
grep -q "thread 0 loads 0, thread 1 loads 0, thread 0 stores 1, thread 1 stores 1" stdout.txt ||
    fail "lanes: $(cat stdout.txt)"

# An atomic does not vary.
exits 0 "" "$HEDDLE" model k.ptx repaired --grid 2 --block 1 --arg counter=i32:zeros:1 --explore 50 --compare counter=2
grep -q "^1 distinct result:" stdout.txt || fail "$(cat stdout.txt)"
grep -q "No schedule broke the result" stdout.txt || fail "$(cat stdout.txt)"
grep -q "block 1 makes 1 of 0, block 0 makes 2 of 1" stdout.txt || fail "atomics: $(cat stdout.txt)"

# Many elements: what changed first. A schedule that fails is a result, too.
exits 5 "" "$HEDDLE" model k.ptx racy --arg counter=i32:empty:0 --explore 3
grep -q "4 of 4 schedules have a hazard" stdout.txt || fail "$(cat stdout.txt)"
exits 1 "" "$HEDDLE" model k.ptx racy --grid 64 --block 1 --arg counter=i32:zeros:100 --explore 20 --checks none
grep -Eq "counter\[0\] = [0-9]+, plain schedule [0-9]+; 1 of 100 differ" stdout.txt || fail "$(cat stdout.txt)"
grep -q "orders of loads" stdout.txt && fail "64 blocks have no readable orders"

exits 1 "" "$HEDDLE" $racy --explore 50 --json --checks none
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the document: $(cat stdout.txt)"
import json
d = json.load(open("stdout.txt"))
assert d["schedules"] == 51 and sum(r["times"] for r in d["results"]) == 51
assert sum(o["times"] for o in d["orders"]) == 51
assert {r["result"] for r in d["results"]} == {"counter = 1", "counter = 2"}
assert d["breaking_seed"] > 0
END
fi
exits 2 "--explore: run one schedule" "$HEDDLE" $racy --explore 2 --out counter=x.npy
exits 2 "--explore: run one schedule" "$HEDDLE" $racy --explore 2 --html x.html
exits 2 "--explore: expected a whole number" "$HEDDLE" $racy --explore 0
finish
