# SPDX-License-Identifier: Apache-2.0
# heddle rank: lists, values along them, forests, and what is neither.
. "$(dirname "$0")/../_lib.sh"

rank() { "$HEDDLE" rank "$@" 2>&1 | tr '\n' ' '; }

bytes 2 1 1 5 3 5 >next.raw # 0 2 1, and 4 3 5
npy_u8 10 20 30 40 50 60 >values.npy
for backend in serial cpu; do
    for method in efficient wyllie; do
        how="--dtype u8 --backend $backend --method $method"
        equal "$how" "2 0 1 1 2 0 " "$(rank next.raw $how)"
        equal "$how from head" "0 2 1 1 0 2 " "$(rank next.raw $how --from-head)"
        equal "$how sums" "10 60 40 90 50 150 " "$(rank next.raw $how --values values.npy)"
        npy_u8 4 >head.npy
        equal "$how marked" "-1 -1 -1 1 2 0 " "$(rank next.raw $how --heads head.npy)"
    done
    bytes 0 0 1 1 2 5 >parents.raw
    equal roots "0 0 0 0 0 5 " "$(rank parents.raw --dtype u8 --roots --backend $backend --depth-out depth.npy)"
    equal depth "0 1 2 2 3 0 " "$("$HEDDLE" transpose depth.npy | tr "\n" " ")"
done
equal exclusive "0 40 10 50 0 90 " "$(rank next.raw --dtype u8 --values values.npy -x)"
equal "op and type" "10 30 30 50 50 60 " "$(rank next.raw --dtype u8 --values values.npy --op max --out-type u32)"
equal counts "3 steps, work 18" "$("$HEDDLE" rank next.raw --dtype u8 --method wyllie --counts 2>&1 >/dev/null)"
equal lists 2 "$("$HEDDLE" rank next.raw --dtype u8 --json | sed -n 's/.*"lists": \([0-9]*\).*/\1/p')"

bytes 1 2 0 >circle.raw
bytes 2 2 2 >two.raw
bytes 1 9 2 >away.raw
for how in "--backend serial" "--backend cpu" "--method wyllie"; do
    exits 7 "node 0 is on a circle" "$HEDDLE" rank circle.raw --dtype u8 $how
    exits 7 "nodes 0 and 1 both link to node 2" "$HEDDLE" rank two.raw --dtype u8 $how
    exits 7 "node 1 links to 9" "$HEDDLE" rank away.raw --dtype u8 $how
done
exits 7 "node 0 is on a circle" "$HEDDLE" rank circle.raw --dtype u8 --roots
exits 2 "--depth-out" "$HEDDLE" rank next.raw --dtype u8 --depth-out d.npy
exits 2 "--roots" "$HEDDLE" rank next.raw --dtype u8 --roots --from-head
exits 2 "need --values" "$HEDDLE" rank next.raw --dtype u8 --op max
finish
