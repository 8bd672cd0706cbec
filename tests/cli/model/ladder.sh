# SPDX-License-Identifier: Apache-2.0
# Every step of every ladder on the model machine: right answers, no hazard but those that are
# meant, at awkward sizes; the errors of the command.
. "$(dirname "$0")/../_lib.sh"

"$HEDDLE" ladder | grep -q "^  reduce " || fail "the list of ladders"
exits 2 "did you mean reduce" "$HEDDLE" ladder reduec
exits 2 "did you mean transpose" "$HEDDLE" ladder transpos --draw banks
for option in "--draw banks" "--html page.html" --source --shmoo "--n 5" "--block 64" "--backend model"; do
    exits 2 "of which ladder?" "$HEDDLE" ladder $option
done
"$HEDDLE" ladder --json | python3 -c 'import json, sys
ladders = {l["name"]: l["steps"] for l in json.load(sys.stdin)["ladders"]}
assert len(ladders) == 15 and ladders["transpose"][0] == "read_rows", ladders' || fail "the list as JSON"
exits 2 "did you mean modulo" "$HEDDLE" ladder reduce module
exits 2 "no step is called 99" "$HEDDLE" ladder reduce 99
exits 2 "takes 1 to" "$HEDDLE" ladder reduce --n 2000000000
exits 2 "block" "$HEDDLE" ladder reduce --block 2048
"$HEDDLE" ladder reduce modulo --source | grep -q '__global__ void reduce' || fail "--source"

# The lectures' figures, step by step.
drawn() { "$HEDDLE" ladder "$@" | sed -n 's/^  values *//p' | tr -s ' ' | sed 's/ $//'; }
equal "a tree of 16" "11 1 7 -1 -2 -2 8 5 -5 -3 9 7 11 11 2 2" "$(drawn reduce --draw modulo | sed -n 2p)"
equal "its second step" "18 1 7 -1 6 -2 8 5 4 -3 9 7 13 11 2 2" "$(drawn reduce --draw modulo | sed -n 3p)"
equal "its last step" "41 1 7 -1 6 -2 8 5 17 -3 9 7 13 11 2 2" "$(drawn reduce --draw strided | tail -1)"
equal "from the far end" "8 -2 10 6 0 9 3 7 -2 -3 2 7 0 11 0 2" "$(drawn reduce --draw sequential | sed -n 2p)"
equal "and to the end" "41 20 13 13 0 9 3 7 -2 -3 2 7 0 11 0 2" "$(drawn reduce --draw sequential | tail -1)"
for method in kogge-stone brent-kung; do
    equal "$method" "3 4 11 11 15 16 22 25" "$(drawn scan --draw $method 3 1 7 0 4 1 6 3 | tail -1)"
done
equal "sections" "10 11 19 18 18 16 19 24 22 19 21 28 28 39 39 41" "$(drawn scan --draw hierarchy | tail -1)"
"$HEDDLE" ladder maximum --draw doubly-log | tail -1 | grep -q "^18 comparisons in 3 steps" || fail "doubly logarithmic"
"$HEDDLE" ladder maximum --draw tournament | tail -1 | grep -q "^15 comparisons in 4 steps" || fail "a tournament"
equal "Blelloch" "0 3 4 11 11 15 16 22" "$(drawn scan --draw blelloch | tail -1)"
equal "five values" "3 8 14 16 20" "$(drawn scan --draw kogge-stone 3,5,6,2,4 | tail -1)"
"$HEDDLE" ladder scan --draw kogge-stone | grep -q "^17 additions in 3 steps" || fail "Kogge-Stone's work"
"$HEDDLE" ladder scan --draw brent-kung | grep -q "^11 additions in 5 steps" || fail "Brent-Kung's work"
for k in 1 2 3 4 5; do
    n=$((1 << k))
    kogge=$("$HEDDLE" ladder scan --draw kogge-stone $(seq $n) | sed -n 's/ additions.*//p')
    brent=$("$HEDDLE" ladder scan --draw brent-kung $(seq $n) | sed -n 's/ additions.*//p')
    equal "n log n - (n - 1) for $n" $((n * k - (n - 1))) "$kogge"
    [ "$brent" -le $((2 * (n - 1))) ] || fail "Brent-Kung of $n: $brent additions"
done
equal "ranks" "7 3 4 6 5 2 1 0" "$(drawn list --draw jumping | tail -1)"
# Grids: tiles and the uses of their elements, who loses against whom, turns of banks, sectors.
grid() { "$HEDDLE" ladder "$@" | tr -s ' ' | sed 's/ $//'; }
grid convolution --draw tiles | tail -3 | grep -qx ' uses 1 2 3 4 5 5 5 5 4 3 2 1' || fail "uses of a tile"
grid convolution --draw tiles | grep -qx "12 loads for 40 uses: 3.3 uses a load" || fail "loads of a tile"
grid convolution2d --draw tiles | grep -qx "144 loads for 1600 uses: 11.1 uses a load" || fail "a square tile"
grid convolution2d --draw tiles | tail -10 | grep -qx ' 3 5 10 15 20 25 25 25 25 20 15 10 5' || fail "uses, square"
grid convolution2d --draw tiles 16,9 | grep -qx "576 loads for 20736 uses: 36.0 uses a load" || fail "tile of 16"
grid maximum --draw all-pairs 3 9 4 9 | grep -qx "the maximum is 9, at place 1: 3 steps, 16 comparisons" ||
    fail "all pairs"
grid maximum --draw all-pairs 3 9 4 9 | tail -6 | grep -qx ' 9 0 1 0 0 0' || fail "the second of equal ones loses"
grid transpose --draw banks | grep -c "32 turns\|33 words: 1 turn, no conflict" | grep -qx 2 || fail "banks"
grid transpose --draw sectors 2 | grep -qx "stride of 2 words: 8 sectors, 128 of 256 bytes used" || fail "sectors"
exits 2 "takes 2 to 16 values" "$HEDDLE" ladder maximum --draw all-pairs 5
exits 2 "an odd mask" "$HEDDLE" ladder convolution --draw tiles 8 4
exits 2 "an odd mask" "$HEDDLE" ladder convolution2d --draw tiles 8 2147483647
exits 2 "strides, 1 to 4096" "$HEDDLE" ladder transpose --draw banks 0
exits 2 "expected one of kogge-stone" "$HEDDLE" ladder scan --draw wave
exits 2 "nothing of the text ladder" "$HEDDLE" ladder text --draw wave
exits 2 "takes a power of two values" "$HEDDLE" ladder scan --draw brent-kung 1 2 3
exits 2 "expected up to 32 whole numbers" "$HEDDLE" ladder scan --draw kogge-stone 1 x
exits 2 "the number of the next" "$HEDDLE" ladder list --draw jumping 9 9 9

"$HEDDLE" ladder reduce 2 --n 1000 >out.txt 2>err.txt
code=$?
if [ $code = 4 ]; then
    echo "no compiler for CUDA C: $(cat err.txt)"
    finish
    exit 77
fi
equal "one step" 0 $code
"$HEDDLE" ladder reduce modulo --n 1000 --block 96 >out.txt
equal "a block that does not fit" 1 $?
grep -q "did not run: needs a power of two threads in a block, at least 64, as with --block 128; got 96" out.txt ||
    fail "$(cat out.txt)"

small=2000
sanitized && small=700
# The usual size, but under sanitizers with small sizes.
usual() {
    sanitized && [ -n "${HEDDLE_TEST_SMALL-}" ] || return
    case $1 in
    transpose | convolution2d | blur | stencil) echo "--n 40" ;; # a side
    *) echo "--n 900" ;;
    esac
}

# Faults by line: where the hazard is, not only what it meets there.
at_line() { # ladder step line text
    "$HEDDLE" ladder $1 $2 $(usual $1) | grep -q "found at line $3: .*$4" || fail "$1 $2: line $3"
}

at_line scan no_store 12 "stores nothing in global memory"
at_line transpose no_barrier 14 "which nobody wrote"
at_line text overrun 6 "behind the end of"
at_line histogram racy 6 "nothing orders them"
at_line reduce last_warp_racy 18 "nothing orders them" # the first of them
"$HEDDLE" ladder scan divergent_barrier $(usual scan) | grep -q "did not end: .*divergent_barrier.cu:9: .* wait at this barrier" ||
    fail "a barrier in a divergent loop"

# Heddle's own is a step: the library's answer, with the counts of its launches.
"$HEDDLE" ladder scan heddle --json >own.json || fail "Heddle's own scan"
grep -q '"right": true' own.json || fail "$(cat own.json)"
grep -q '"launches": 1,' own.json || fail "Heddle's own scan takes one launch: $(cat own.json)"
"$HEDDLE" ladder reduce heddle --source | grep -q "hd_reduce(ctx, in, HD_SUM, out, NULL)" || fail "its call"
"$HEDDLE" ladder reduce heddle --source | grep -q "__global__" || fail "its kernel"
exits 2 "expected one of model|cuda" "$HEDDLE" ladder reduce --backend gpu

# The lectures' title in bins of four letters and of one byte.
for n in 1 41 1000; do
    "$HEDDLE" ladder text --n $n --block 64 >text.txt 2>&1 || fail "text of $n: $(cat text.txt)"
done
grep -q "behind the end of" text.txt || fail "seven bins are overrun: $(cat text.txt)"
# One step from word to word: DRAM, L2, shared memory, a shuffle, each nearer than the last.
"$HEDDLE" ladder latency --n 1000 --json >latency.json || fail "latency"
python3 - <<'END' || fail "the latencies do not fall"
import json
far, l2, shared, shuffle = (r["predicted_seconds"] for r in json.load(open("latency.json"))["steps"])
assert far > 1.5 * l2 > 6 * shared and l2 > 6 * shuffle, (far, l2, shared, shuffle)
END

all=$("$HEDDLE" ladder | sed -n 's/^  \([a-z0-9_]*\)  *[^0-9 ].*: [0-9]* steps$/\1/p')
# All of them without sanitizers; under these, with small sizes, one of each kind.
sanitized && [ -n "${HEDDLE_TEST_SMALL-}" ] && all="reduce transpose list atomics"
for name in $all; do
    "$HEDDLE" ladder "$name" $(usual "$name") >usual.txt 2>&1 || fail "$name: $(cat usual.txt)"
done
for n in 1 31 33 257 $small; do
    [ $n = 1 ] || "$HEDDLE" ladder histogram --n "$n" --block 64 >small.txt 2>&1 || fail "histogram of $n: $(cat small.txt)"
    "$HEDDLE" ladder reduce --n "$n" --block 64 >small.txt 2>&1 || fail "reduce of $n: $(cat small.txt)"
done

# Pages: one file, nothing from elsewhere, every picture there.
"$HEDDLE" ladder scan --n 1000 --html page.html >/dev/null || fail "--html"
grep -qE 'src=|href="[^#]|url\(|<script' page.html && fail "the page wants something from elsewhere"
equal "pictures" 10 "$(grep -c '<svg' page.html)"
equal "whole" "</html>" "$(tail -1 page.html)"
"$HEDDLE" ladder reduce --n 1000 --html then.html >/dev/null || fail "--html of the reduction"
equal "figures of 2017" "7.0 9.7 13.9 29.0 45.7 59.8 88.1 " \
    "$(grep -o 'GB/s in 2017">[0-9.]*' then.html | sed 's/.*>//' | grep . | tr '\n' ' ')"
# On a card, or what passes for one: the rate today beside that of 2017.
if [ -e "$BUILD/fake/driver.so" ] && ! sanitized; then
    # A small one, on which there is no room to measure the peak.
    FAKE_CUDA=memory=16777216 HEDDLE_CUDA_DRIVER=$BUILD/fake/driver.so "$HEDDLE" ladder reduce sequential --backend cuda \
        --n 2000 --html card.html >card.txt 2>&1
    code=$?
    if [ $code != 4 ]; then # without NVRTC there is no card
        equal "a step on a card ($(cat card.txt))" 0 $code
        grep -q "right .* us .* 13.9$" card.txt || fail "$(cat card.txt)"
        grep -q 'of peak">[0-9.]* %' card.html && grep -q 'GB/s in 2017">13.9' card.html || fail "a card's page"
    fi
fi
"$HEDDLE" ladder scan --draw blelloch --html steps.html || fail "a drawing as a page"
equal "steps" 8 "$(grep -c 'type="radio"' steps.html)"
exits 6 "" "$HEDDLE" ladder scan --draw blelloch --html no/such/folder.html

"$HEDDLE" ladder scan --draw blelloch --html steps.html --text | grep -q "^14 additions" || fail "--text with --html"
"$HEDDLE" ladder atomics both --shmoo --n 1024 --json >shmoo.json || fail "shmoo"
python3 -c 'import json
s = json.load(open("shmoo.json"))["shmoo"]
assert len({x["n"] for x in s}) > 2 and {x["block"] for x in s} == {64, 128, 256, 512, 1024}, s
assert all(abs(x["seconds"] * 1e9 / x["n"] - x["nanoseconds_an_element"]) < 1e-6 for x in s)' || fail "the shmoo plot"

# The sentence comes from the counts: the numbers of the table are in it. Small sizes wait for other
# things.
n=131072
sanitized && n=65536
"$HEDDLE" ladder reduce --n $n --json >ladder.json || fail "json"
python3 - <<'END' || fail "the counts of the ladder"
import json
steps = {r["name"]: r for r in json.load(open("ladder.json"))["steps"]}
assert steps["modulo"]["conflicts"] == 0 < steps["strided"]["conflicts"], steps["strided"]
assert steps["sequential"]["conflicts"] == 0
numbers = f'{steps["strided"]["conflicts"]:,}', f'{steps["sequential"]["span"]:.0f}'
assert any(x in steps["sequential"]["why"] for x in numbers), steps["sequential"]["why"]
assert steps["first_add"]["threads"] < steps["sequential"]["threads"]
assert steps["one_launch"]["launches"] == 1 and steps["vector"]["launches"] == 2
assert steps["atomic"]["atomic_steps"] > 0
# 256 threads, 8 steps: 8 warps load once each, then 8, 4, 2, 1, 1, 1, 1, 1 warps read two words
then = [r["gb_s_in_2017"] for r in steps.values() if "gb_s_in_2017" in r]
assert then == [7.0, 9.7, 13.9, 29.0, 45.7, 59.8, 88.1], then
END
finish
