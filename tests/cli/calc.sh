# SPDX-License-Identifier: Apache-2.0
# The lectures' tables, recomputed.
. "$(dirname "$0")/_lib.sh"

# reductions TILES MASK DIMENSIONS: the column of `heddle calc tiling`
reductions() {
    "$HEDDLE" calc tiling --tile "$1" --mask "$2" --dimensions "$3" --json |
        sed -n 's/.*"reduction": \([0-9.]*\).*/\1/p' | tr '\n' ' '
}
# near WHAT EXPECTED GOT: each within 0.06, as the lectures print one digit, sometimes cut
near() {
    echo "$2 / $3" | awk '{ half = (NF - 1) / 2; bad = (NF - 1) % 2
        for (k = 1; k <= half; k++) { d = $k - $(half + 1 + k); if (d > 0.06 || d < -0.06) bad = 1 }
        exit bad }' || fail "$1: expected $2, got $3"
}
near "1-D, mask 5" "4.0 4.4 4.7 4.9 4.9" "$(reductions 16,32,64,128,256 5 1)"
near "1-D, mask 9" "6.0 7.2 8.0 8.5 8.7" "$(reductions 16,32,64,128,256 9 1)"
near "2-D, mask 5" "11.1 16 19.7 22.1" "$(reductions 8,16,32,64 5 2)"
near "2-D, mask 9" "20.3 36 51.8 64" "$(reductions 8,16,32,64 9 2)"
equal "8 outputs, mask 5" "12 40" \
    "$("$HEDDLE" calc tiling --tile 8 --mask 5 | awk '$1 == 5 { print $3, $4 }')"

turns() { "$HEDDLE" calc conflicts --banks 4 --words "$1" --json | sed -n 's/.*"turns": \([0-9]*\).*/\1/p'; }
equal "words in a row" 1 "$(turns 0,1,2,3)"
equal "a diagonal" 1 "$(turns 0,5,10,15)"
equal "every other word" 2 "$(turns 0,2,4,6)"
equal "a column" 4 "$(turns 0,4,8,12)"
equal "one word for all" 1 "$(turns 3,3,3,3)"
"$HEDDLE" calc conflicts --stride 32 | grep -q "32 lanes, 32 banks: 32 turns" || fail "stride 32"
"$HEDDLE" calc conflicts --stride 33 | grep -q "no conflict" || fail "stride 33"

bursts() { "$HEDDLE" calc bursts "$@" --json | sed -n 's/.*"transactions": \([0-9]*\).*/\1/p'; }
equal "stride 2" 2 "$(bursts --lanes 4 --burst 16 --stride 2)"
equal "stride 1" 1 "$(bursts --lanes 4 --burst 16 --stride 1)"
equal "stride 4" 4 "$(bursts --lanes 4 --burst 16 --stride 4)"
equal "a warp" 4 "$(bursts)"
equal "doubles" 8 "$(bursts --element 8)"
equal "across an edge" 3 "$(bursts --element 12 --burst 16 --lanes 4)"

work() { "$HEDDLE" calc work --n "$1" | awk -v name="$2" 'index($0, name) == 1 { sub(name, ""); print $1, $2, $3, $4 }'; }
equal "tree of a million" "999999 20 50000 500000" "$(work 1000000 "reduce, tree")"
equal "Kogge-Stone of 8" "17 3 6 7" "$(work 8 "scan, Kogge-Stone")"
equal "Brent-Kung of 8" "11 5 2 4" "$(work 8 "scan, Brent-Kung")"
equal "Wyllie of 1000" "10000 10" "$(work 1000 "list ranking, Wyllie" | cut -d' ' -f1,2)"
equal "roots of 1000" "10000 10" "$(work 1000 "roots of a forest, jumping" | cut -d' ' -f1,2)"
"$HEDDLE" calc atomics | grep -q "16384 atomics" || fail "private bins"
"$HEDDLE" calc atomics | grep -q "1000000 values: 1000000 atomics" || fail "one atomic a value"

"$HEDDLE" calc occupancy --arch 90 --block 256 --registers 32 | grep -q "100 % occupancy" || fail "full"
"$HEDDLE" calc occupancy --arch 90 --block 1024 --registers 64 |
    grep -q "50 % occupancy, limited by registers" || fail "registers"
"$HEDDLE" calc occupancy --arch 75 --block 32 | grep -q "50 % occupancy, limited by blocks" || fail "blocks"
"$HEDDLE" calc roofline --flops 2e9 --bytes 12e9 | grep -q "bound by memory" || fail "memory"
"$HEDDLE" calc roofline --flops 2e12 --bytes 1e9 | grep -q "bound by arithmetic" || fail "arithmetic"

exits 2 "did you mean tiling" "$HEDDLE" calc tilling
exits 2 "expected up to 64 whole numbers" "$HEDDLE" calc tiling --tile 8,,9
exits 2 "expected up to 64 whole numbers" "$HEDDLE" calc conflicts --words 1,2,x
exits 2 "--flops is missing" "$HEDDLE" calc roofline --bytes 1e9
exits 2 "greater than 0" "$HEDDLE" calc roofline --bytes 1e9 --flops nan
finish
